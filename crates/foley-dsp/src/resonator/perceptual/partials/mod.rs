//! Partials: the audible bands of one bus as an oscillator bank.

pub(super) mod partial_bus;
pub(super) mod compaction;
pub(super) mod oscillators;
