//! Partials: the audible bands of one bus, rendered by an oscillator bank.

pub(super) mod partial_bus;
pub(super) mod compaction;
pub(super) mod oscillators;
