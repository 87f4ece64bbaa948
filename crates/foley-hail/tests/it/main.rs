//! The integration tests of `foley-hail`, in one program: it is linked once.

mod ballistics;
mod bvh;
mod common;
mod energy_distribution;
mod flux;
mod hostile;
mod impact_map;
mod intersections;
mod random;
mod roots;
mod speed;
mod streaming;
