//! Edits while a scene plays.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
