//! Modes of meshes.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
