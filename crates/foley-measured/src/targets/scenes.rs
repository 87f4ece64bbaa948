//! Scenes in motion.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
