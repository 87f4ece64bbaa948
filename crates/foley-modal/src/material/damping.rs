//! Damping laws: decay rate d_n from the undamped angular frequency ω_n.
//!
//! - A loss factor η = tan φ, constant (van den Doel & Pai, "The sounds of physical shapes", 1998) or
//!   a function of frequency: `d = π f η = ω η / 2`. The material library uses these: measured loss
//!   factors of solids are nearly constant over the audible range.
//! - Rayleigh damping C = α M + β K: `d = (α + β ω²)/2`.
//!
//! The audible frequency is the damped one, `√(ω² − d²) / 2π`.

use super::loss_table::LossTable;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A damping law.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Damping {
    /// d = (α + β ω²)/2.
    Rayleigh {
        /// α, 1/s: mass-proportional; the same for all modes.
        alpha: f64,
        /// β, s: stiffness-proportional; its damping grows with the square of frequency.
        beta: f64,
    },
    /// tan φ: every mode loses the same share of its energy per cycle.
    LossFactor(f64),
    /// A loss factor that depends on frequency.
    LossFactorTable(LossTable),
}

impl Damping {
    /// Returns d, 1/s, of a mode with undamped angular frequency ω in rad/s.
    ///
    /// ```
    /// use foley_modal::Damping;
    /// let wood = Damping::Rayleigh { alpha: 60.0, beta: 2e-6 };
    /// assert_eq!(wood.decay(1000.0), 31.0);
    /// ```
    pub fn decay(&self, omega: f64) -> f64 {
        match *self {
            Self::Rayleigh { alpha, beta } => 0.5 * (alpha + beta * omega * omega),
            Self::LossFactor(tan) => 0.5 * omega * tan,
            Self::LossFactorTable(table) => 0.5 * omega * table.at(omega / TAU),
        }
    }

    /// Returns the damped frequency, Hz; `None` when the mode is overdamped or ω is 0.
    pub fn damped_hz(&self, omega: f64) -> Option<f64> {
        damped_hz(omega, self.decay(omega))
    }

    /// Returns a range of undamped ω outside which no damped frequency is `min_hz` or more: `ω² − d² ≥
    /// m²`, m = 2π `min_hz`, is quadratic in q = ω² for Rayleigh damping and a constant loss factor,
    /// where the range is exact. Of a table the least loss factor counts.
    pub(crate) fn undamped_range(&self, min_hz: f64) -> Option<[f64; 2]> {
        let m2 = (TAU * min_hz).powi(2);
        let above = |tan: f64| {
            let share = 1.0 - 0.25 * tan * tan;
            (share > 0.0).then(|| [(m2 / share).sqrt(), f64::INFINITY])
        };
        match *self {
            Self::LossFactor(tan) => above(tan),
            Self::LossFactorTable(table) => above(table.least()),
            // ¼β² q² − (1 − ½αβ) q + (¼α² + m²) ≤ 0
            Self::Rayleigh { alpha, beta } => {
                let (a, b, c) =
                    (0.25 * beta * beta, 1.0 - 0.5 * alpha * beta, 0.25 * alpha * alpha + m2);
                let root = (b * b - 4.0 * a * c).sqrt();
                (b > 0.0 && root >= 0.0)
                    .then(|| [2.0 * c / (b + root), (b + root) / (2.0 * a)].map(f64::sqrt))
            }
        }
    }
}

/// Returns the damped frequency, Hz, of undamped angular frequency ω and decay d; `None` when the
/// mode is overdamped or ω is 0.
pub(crate) fn damped_hz(omega: f64, decay: f64) -> Option<f64> {
    (omega > decay).then(|| ((omega - decay) * (omega + decay)).sqrt() / TAU).filter(|f| *f > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_factor_is_pi_f_tan_phi() {
        let d = Damping::LossFactor(0.01).decay(TAU * 440.0);
        assert!((d - std::f64::consts::PI * 440.0 * 0.01).abs() < 1e-12);
    }

    #[test]
    fn a_table_is_a_loss_factor_at_every_frequency() {
        let table = LossTable::new(&[[100.0, 1e-3], [10_000.0, 1e-2]]).unwrap();
        let law = Damping::LossFactorTable(table);
        for hz in [10.0, 100.0, 777.0, 10_000.0, 20_000.0] {
            let constant = Damping::LossFactor(table.at(hz));
            assert!((law.decay(TAU * hz) / constant.decay(TAU * hz) - 1.0).abs() < 1e-12);
        }
        assert!((table.at(1000.0) / 10f64.powf(-2.5) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn overdamped_modes_are_silent() {
        let heavy = Damping::Rayleigh { alpha: 0.0, beta: 1e-3 };
        assert!(heavy.damped_hz(1999.0).is_some());
        assert_eq!(heavy.damped_hz(2001.0), None);
        assert_eq!(heavy.damped_hz(0.0), None);
    }

    #[test]
    fn the_undamped_range_is_where_the_damped_frequency_says() {
        for law in [
            Damping::LossFactor(0.3),
            Damping::LossFactor(0.0),
            Damping::Rayleigh { alpha: 60.0, beta: 2e-6 },
            Damping::Rayleigh { alpha: 900.0, beta: 1e-4 },
            Damping::Rayleigh { alpha: 0.0, beta: 0.0 },
        ] {
            let [low, high] = law.undamped_range(50.0).unwrap();
            assert!((law.damped_hz(low).unwrap() - 50.0).abs() < 1e-6, "{law:?}");
            if high.is_finite() {
                assert!((law.damped_hz(high).unwrap() - 50.0).abs() < 1e-3, "{law:?}");
            }
        }
        assert_eq!(Damping::LossFactor(2.0).undamped_range(0.0), None);
        assert_eq!(Damping::Rayleigh { alpha: 1e3, beta: 1.0 }.undamped_range(0.0), None);
    }

    #[test]
    fn no_mode_of_a_table_is_missed_by_its_range() {
        let table = LossTable::new(&[[20.0, 1.9], [200.0, 0.1], [2000.0, 3.0]]).unwrap();
        let law = Damping::LossFactorTable(table);
        let [low, high] = law.undamped_range(50.0).unwrap();
        for hz in 1..5000 {
            let omega = TAU * f64::from(hz);
            let heard = law.damped_hz(omega).is_some_and(|f| f >= 50.0);
            assert!(!heard || (low..=high).contains(&omega), "{hz}");
        }
        let dead = LossTable::new(&[[20.0, 2.0], [200.0, 3.0]]).unwrap();
        assert_eq!(Damping::LossFactorTable(dead).undamped_range(50.0), None);
    }

    #[test]
    fn damping_lowers_the_pitch() {
        let law = Damping::Rayleigh { alpha: 200.0, beta: 0.0 };
        let f = law.damped_hz(1000.0).unwrap();
        assert!((f * TAU - (1e6f64 - 1e4).sqrt()).abs() < 1e-9);
    }
}
