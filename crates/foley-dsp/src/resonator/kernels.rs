//! The kernels that compute every mode exactly: per-sample recurrence, spectral block, f64
//! reference.

pub(crate) mod grid;
pub(crate) mod nufft_taps;
pub(crate) mod per_sample;
pub(crate) mod reference;
pub(crate) mod spectral;
