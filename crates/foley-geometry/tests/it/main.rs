//! The integration tests of `foley-geometry`, in one program: it is linked once.

mod builtin;
mod collider;
mod files;
mod host_clock;
mod repair;
