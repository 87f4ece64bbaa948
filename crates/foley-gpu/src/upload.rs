//! Data uploaded to the GPU: emitter and colliders in single precision.

pub(crate) mod layout;
pub(crate) mod local_space;
pub(crate) mod colliders;
mod flatten;
