//! The integration tests of `foley-waves`, in one program: it is linked once.

mod baffled_plate;
mod disc;
mod hostile_meshes;
mod impedance;
mod meshes;
mod mode_sets;
mod modes_cost;
mod sphere;
mod thread_count;
