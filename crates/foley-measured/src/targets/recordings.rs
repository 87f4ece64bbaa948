//! Modes from recordings.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
