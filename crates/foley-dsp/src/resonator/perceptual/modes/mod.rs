//! The modes of one object: grouped into bands, advanced by a block, decaying in closed form when skipped.

pub(super) mod band_layout;
pub(super) mod advance;
pub(super) mod lazy_decay;
pub(super) mod prepared_impulse;
