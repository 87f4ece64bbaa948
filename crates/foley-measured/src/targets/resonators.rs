//! Resonators and excitation.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
