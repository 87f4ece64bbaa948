//! The integration tests of `foley-gpu`, in one program: it is linked once.

mod common;
mod compositing;
mod device_loss;
mod given_device;
mod impact_map;
mod picture_pass;
mod pictures;
mod same_as_cpu;
