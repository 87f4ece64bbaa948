//! The integration tests of `foley-modal`, in one program: it is linked once.

mod bake_invalid_input;
mod bake_theory;
mod decay_of_recordings;
mod drum;
mod directivity;
mod file;
mod fit_common;
mod fit_invalid_input;
mod fit_surface;
mod fit_synthetic;
mod published_losses;
mod radiation_cost;
mod rigid_radiation;
mod shape_gains;
mod shape_text;
mod shape_theory;
mod shell_theory;
mod solid_closed_forms;
mod solid_invalid_input;
mod solid_meshes;
mod solid_ritz;
mod solid_theory;
mod strike_far_field;
mod support_damping;
mod thermoelastic;
