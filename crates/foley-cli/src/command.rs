//! One file for each command.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod fit;
pub(crate) mod modes;
pub(crate) mod play;
pub(crate) mod plot;
pub(crate) mod render;
pub(crate) mod strike;
