//! The integration tests of `foley-cli`, in one program: it is linked once.

mod bad_input;
mod bench;
mod check_scene;
mod commands;
mod common;
mod demos;
mod file_plan;
mod fit;
mod fit_surface;
mod hermetic_cache;
mod killed;
mod left_out;
mod modes_mesh;
mod plot_masking;
mod plot_surface;
mod render;
mod source_size;
mod small_inputs;
mod same_verdict;
