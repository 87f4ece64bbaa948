//! Speed on this machine.

use crate::Target;

pub(super) const TARGETS: &[Target] = &[];
