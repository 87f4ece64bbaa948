//! Options of analytic shapes: the band and number of modes.

use super::ShapeError;
use crate::material::{Damping, damped_hz};
use derive_setters::Setters;
use std::f64::consts::{PI, TAU};

/// Which modes of a shape to keep: those in a band, the lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ShapeOptions {
    /// Modes below this are dropped, Hz.
    pub min_hz: f64,
    /// Modes above this are dropped, Hz.
    pub max_hz: f64,
    /// Of the modes in the band, at most this many, the lowest.
    pub max_modes: usize,
    /// Time to spend on the radiation of a sheet, s, on two processor cores of 2022; above the frequency that is reached it
    /// is approximated. With 0 nothing is solved, and membranes have the frequencies of a vacuum.
    pub radiation_budget_s: f64,
}

impl Default for ShapeOptions {
    /// The range of hearing: 20 Hz to 20 kHz, at most 512 modes, two seconds for radiation.
    fn default() -> Self {
        Self { min_hz: 20.0, max_hz: 20e3, max_modes: 512, radiation_budget_s: 2.0 }
    }
}

impl ShapeOptions {
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        let test = |ok, what, value, must| match ok {
            true => Ok(()),
            false => Err(ShapeError::Options { what, value, must }),
        };
        let Self { min_hz, max_hz, max_modes, radiation_budget_s: budget } = *self;
        test((0.0..=1e6).contains(&min_hz), "min_hz", min_hz, "between 0 and 1 MHz")?;
        test(max_hz <= 1e6 && max_hz > min_hz, "max_hz", max_hz, "above min_hz and at most 1 MHz")?;
        let must = "at least 0 and finite";
        test(budget >= 0.0 && budget.is_finite(), "radiation_budget_s", budget, must)?;
        let limit = foley_dsp::model::MAX_MODES;
        let must = "at least 1 and at most 1048576";
        test((1..=limit).contains(&max_modes), "max_modes", max_modes as f64, must)
    }
}

/// Frequencies and decay of a damped mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DampedMode {
    /// Undamped, rad/s.
    pub(super) omega: f64,
    pub(super) frequency_hz: f64,
    pub(super) decay: f64,
}

/// Area and perimeter of a surface, for Weyl's law.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) area: f64,
    pub(super) perimeter: f64,
}

/// The options in terms of undamped frequencies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    /// Range of undamped angular frequencies whose damped frequencies lie in the band.
    pub(super) omega: [f64; 2],
    pub(super) max_modes: usize,
    min_hz: f64,
    damping: Damping,
}

impl Band {
    /// Returns `None` when all modes in the band are overdamped. Modes whose damping lowers their
    /// frequency into the band from above do not count.
    pub(super) fn new(options: &ShapeOptions, damping: Damping) -> Option<Self> {
        let [lowest, highest] = damping.undamped_range(options.min_hz)?;
        let omega = [lowest, highest.min(TAU * options.max_hz)];
        let ShapeOptions { min_hz, max_modes, .. } = *options;
        (omega[0] <= omega[1]).then_some(Self { omega, max_modes, min_hz, damping })
    }

    pub(super) fn contains(&self, omega: f64) -> bool {
        (self.omega[0]..=self.omega[1]).contains(&omega)
    }

    /// Selects, from candidates with undamped ω, the lowest `max_modes` in the band, in order. `extra`
    /// returns the loss factor of a mode beside that of its material: heat flow and air.
    pub(super) fn select<T>(
        &self,
        candidates: impl IntoIterator<Item = (f64, T)>,
        extra: impl Fn(f64, &T) -> f64,
    ) -> (Vec<DampedMode>, Vec<T>) {
        let mut kept: Vec<_> = candidates.into_iter().filter(|c| self.contains(c.0)).collect();
        kept.sort_by(|a, b| a.0.total_cmp(&b.0));
        let damped = |(omega, mode): (f64, T)| {
            let extra = extra(omega, &mode);
            Some((self.damped(omega, extra)?, mode))
        };
        kept.into_iter().filter_map(damped).take(self.max_modes).unzip()
    }

    /// Returns a mode damped by its material and an extra loss factor; `None` below the band.
    pub(super) fn damped(&self, omega: f64, extra: f64) -> Option<DampedMode> {
        // Rounding must not drop a mode at the very edge.
        let lowest_hz = self.min_hz * (1.0 - 1e-6);
        let decay = self.damping.decay(omega) + 0.5 * omega * extra;
        let frequency_hz = damped_hz(omega, decay).filter(|f| *f >= lowest_hz)?;
        Some(DampedMode { omega, frequency_hz, decay })
    }

    /// Returns the wavenumber up to which all modes of a surface must be found, so that the
    /// lowest `max_modes` above k_min are among them; at most k_max.
    ///
    /// Weyl's law: about `(A k² − c P k)/4π` modes lie below k on a surface of area A
    /// and perimeter P. c is 1 for supported and near 2 for clamped edges, negative
    /// for free ones (there 0 is on the safe side).
    pub(super) fn wavenumber(&self, [k_min, k_max]: [f64; 2], surface: Extent, c: f64) -> f64 {
        let Extent { area, perimeter } = surface;
        let below = area * k_min * k_min / (4.0 * PI);
        let n = below + 1.05 * self.max_modes as f64 + 10.0;
        let cp = c * perimeter;
        k_max.min((cp + (cp * cp + 16.0 * PI * area * n).sqrt()) / (2.0 * area))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_is_kept_in_order() {
        let options =
            ShapeOptions { min_hz: 50.0, max_hz: 400.0, max_modes: 3, ..ShapeOptions::default() };
        let candidates = [500.0, 300.0, 10.0, 100.0, 200.0, 400.0].map(|f| (TAU * f, f));
        let band = Band::new(&options, Damping::LossFactor(0.0)).unwrap();
        assert_eq!(band.select(candidates, |_, _| 0.0).1, [100.0, 200.0, 300.0]);
    }

    #[test]
    fn overdamped_modes_are_dropped() {
        let law = Damping::Rayleigh { alpha: 0.0, beta: 2.0 / (TAU * 150.0) };
        let band = Band::new(&ShapeOptions::default(), law).unwrap();
        assert_eq!(band.select([(TAU * 100.0, 1), (TAU * 151.0, 2)], |_, _| 0.0).1, [1]);
        assert!(Band::new(&ShapeOptions::default(), Damping::LossFactor(2.1)).is_none());
    }

    #[test]
    fn loss_factors_add_up() {
        let band = Band::new(&ShapeOptions::default(), Damping::LossFactor(1e-3)).unwrap();
        let omega = TAU * 1000.0;
        let (damped, _) = band.select([(omega, ())], |_, ()| 2e-3);
        assert!((damped[0].decay / (0.5 * omega * 3e-3) - 1.0).abs() < 1e-12);
        // Another loss can silence a mode, too.
        assert!(band.select([(omega, ())], |_, ()| 2.5).0.is_empty());
    }

    #[test]
    fn impossible_options_are_named() {
        let bad = |o: ShapeOptions| o.check().unwrap_err().to_string();
        let good = ShapeOptions::default();
        assert!(bad(ShapeOptions { min_hz: f64::NAN, ..good }).contains("min_hz is NaN"));
        assert!(bad(ShapeOptions { max_hz: 10.0, ..good }).contains("max_hz is 10"));
        assert!(bad(ShapeOptions { max_modes: 0, ..good }).contains("max_modes is 0"));
    }
}
