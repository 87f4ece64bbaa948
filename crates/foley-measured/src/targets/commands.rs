//! The command and its files.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
