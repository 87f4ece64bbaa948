//! Axes, panels and what is drawn in them.

pub(crate) mod axis;
pub(crate) mod panel;
pub(crate) mod legend;
pub(crate) mod curve;
pub(crate) mod mode_dots;
pub(crate) mod waveform;
