//! The eigensolver.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
