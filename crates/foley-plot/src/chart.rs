//! Complete pages: charts of models, sounds and series.

pub(crate) mod modes;
pub(crate) mod contact_sheet;
pub(crate) mod masking;
pub(crate) mod spectrogram;
pub(crate) mod line_chart;
pub(crate) mod time_chart;
pub(crate) mod computed_modes;
pub(crate) mod contact_forces;
pub(crate) mod impact_map;
