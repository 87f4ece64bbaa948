//! The integration tests of `foley-dsp`, in one program: it is linked once.

mod bank_accuracy;
mod bank_kernels;
mod bank_lifecycle;
mod bank_random;
mod bank_routes;
mod bank_strikes;
mod bank_switch;
mod common;
mod counting;
mod force_energy;
mod force_roll;
mod force_scrape;
mod forces;
mod gains_cost;
mod no_alloc_bank;
mod no_alloc_force;
mod no_alloc_output;
mod no_alloc_pruning;
mod output_properties;
mod perceptual_budget;
mod perceptual_exact_to_partials;
mod perceptual_hostile_input;
mod perceptual_masking_2004;
mod perceptual_partials;
mod propagation_blocks;
mod pruning_masking_2004;
