//! Modes of analytic shapes.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
