//! Emitters, propagation and ears.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
