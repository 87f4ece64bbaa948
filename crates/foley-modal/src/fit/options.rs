//! Options of a fit.

use super::FitError;
use derive_setters::Setters;
use foley_dsp::model::ContactBody;

/// Options of a fit, and data that recordings do not contain.
#[derive(Debug, Clone, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Options {
    /// The name of the model.
    #[setters(into)]
    pub name: String,
    /// Where each recording was struck, m; empty: all at the origin.
    pub places: Vec<[f64; 3]>,
    /// Modes below this are not searched, Hz.
    pub min_hz: f64,
    /// Modes above this are not searched, Hz.
    pub max_hz: f64,
    /// At most this many modes, the most certain.
    pub max_modes: usize,
    /// The pressure at 1 m that a sample of 1 stands for, Pa.
    pub full_scale_pa: f64,
    /// The impulse of every recorded strike, N·s. A model's gains are pascals per N·s:
    /// amplitude × `full_scale_pa` / `impulse_ns`. They keep the colour of the striker,
    /// which a recording does not separate from the object's own.
    pub impulse_ns: f64,
    /// The body, for contacts with strikers: a recording does not determine it.
    pub body: ContactBody,
}

impl Default for Options {
    fn default() -> Self {
        let flat = f64::INFINITY;
        Self {
            name: "recorded".into(),
            places: Vec::new(),
            min_hz: 20.0,
            max_hz: 20_000.0,
            max_modes: 512,
            full_scale_pa: 1.0,
            impulse_ns: 1.0,
            body: ContactBody { mass_kg: 1.0, young_pa: 7e10, poisson: 0.3, radius_m: flat },
        }
    }
}

impl Options {
    pub(super) fn check(&self) -> Result<(), FitError> {
        let wrong = |what, value, must| Err(FitError::Option { what, value, must });
        if !(self.min_hz >= 1.0 && self.min_hz.is_finite()) {
            return wrong("min_hz", self.min_hz, "at least 1 Hz");
        }
        if !(self.max_hz > self.min_hz) {
            return wrong("max_hz", self.max_hz, "above min_hz");
        }
        if self.max_modes == 0 {
            return wrong("max_modes", 0.0, "at least 1");
        }
        let level = "between 1e-9 and 1e9";
        for (what, value) in
            [("full_scale_pa", self.full_scale_pa), ("impulse_ns", self.impulse_ns)]
        {
            if !(1e-9..=1e9).contains(&value) {
                return wrong(what, value, level);
            }
        }
        Ok(())
    }
}
