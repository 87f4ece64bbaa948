//! The data that charts show.

pub(crate) mod mode_data;
pub(crate) mod ring_spectrum;
pub(crate) mod masking_data;
pub(crate) mod stft;
