//! The modes of one voice: grouped into bands, advanced block by block, decaying in closed form
//! while skipped.

pub(super) mod band_layout;
pub(super) mod advance;
pub(super) mod lazy_decay;
pub(super) mod prepared_impulse;
