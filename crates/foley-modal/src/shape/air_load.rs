//! Load of the air on a membrane: the air that moves with a mode makes it heavier and lowers its frequency.
//!
//! With m the mass of the air over that of the mode, `ω = ω_v / √(1 + m(ω))`, ω_v in vacuum (Morse & Ingard, *Theoretical
//! Acoustics*; Christian, Davis, Tubis, Anderson, Mills & Rossing 1984). Boundary elements give m, the reactance of the
//! sheet over ω. Where they are not solved it is that of a wide sheet with waves of the wavenumber κ = ω_v/c, slower than
//! sound: the air decays as e^{−z√(κ² − k²)} on both sides,
//!
//! `m = 2 ρ₀ / (σ √(κ² − k²))`, k = ω/c₀.
//!
//! The air also couples modes with as many nodal diameters. For a kettledrum skin that moves the first of them by less than 0.4
//! cents, as frequencies change by the square of it; it is left out. The mode moves with its air, so that its shape,
//! normalised to the whole mass, is smaller by √(1 + m), and with it what it is struck by and what it radiates.

use super::modes::Field;
use super::options::{Band, DampedMode};
use foley_geometry::constants::{AIR_DENSITY_KG_M3, SOUND_SPEED_M_S};

/// Shares of the time for radiation: the first solution gives the frequencies of the second, which change hardly any more.
pub(super) const PASSES: [f64; 2] = [0.3, 0.7];

/// What is needed to load the modes of a membrane.
#[derive(Debug, Clone, Copy)]
pub(super) struct AirLoad {
    /// Speed of waves in vacuum, m/s.
    pub(super) speed_m_s: f64,
    /// σ, kg/m².
    pub(super) density_kg_m2: f64,
    /// The band of the modes, with the damping of the material.
    pub(super) band: Band,
}

impl AirLoad {
    /// Returns the loaded ω of a wave on a wide sheet whose ω in vacuum is given.
    pub(super) fn of_wide_sheet(&self, vacuum: f64) -> f64 {
        if self.speed_m_s >= SOUND_SPEED_M_S {
            return vacuum;
        }
        let kappa = vacuum / self.speed_m_s;
        let too_high = |omega: f64| {
            let decay = (kappa - omega / SOUND_SPEED_M_S) * (kappa + omega / SOUND_SPEED_M_S);
            let mass = 2.0 * AIR_DENSITY_KG_M3 / (self.density_kg_m2 * decay.sqrt());
            omega * omega * (1.0 + mass) > vacuum * vacuum
        };
        let (mut low, mut high) = (0.0, vacuum);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if too_high(middle) { high = middle } else { low = middle }
        }
        low
    }

    /// Returns the loaded ω of modes from those in vacuum and the solved masses. Modes of one frequency in vacuum, which are
    /// the same but turned, keep one frequency.
    pub(super) fn frequencies(&self, vacuum: &[f64], masses: &[Option<f64>]) -> Vec<f64> {
        let mut loaded = Vec::with_capacity(vacuum.len());
        for twins in vacuum.chunk_by(|a, b| a == b) {
            let of_twins = &masses[loaded.len()..loaded.len() + twins.len()];
            let sum: Option<f64> = of_twins.iter().copied().sum();
            let omega = match sum.map(|sum| sum / twins.len() as f64) {
                Some(mass) => twins[0] / (1.0 + mass.max(0.0)).sqrt(),
                None => self.of_wide_sheet(twins[0]),
            };
            loaded.extend(twins.iter().map(|_| omega));
        }
        loaded
    }

    /// Returns the modes that are left with these ω, in order: which they were, and how they are damped.
    pub(super) fn damped(&self, loaded: &[f64]) -> Vec<(usize, DampedMode)> {
        let damped = |(n, omega): (usize, &f64)| Some((n, self.band.damped(*omega, 0.0)?));
        let mut modes: Vec<_> = loaded.iter().enumerate().filter_map(damped).collect();
        modes.sort_by(|a, b| a.1.omega.total_cmp(&b.1.omega));
        modes
    }
}

/// Mode shapes in another order and size.
#[derive(Debug)]
pub(super) struct LoadedField {
    pub(super) field: Box<dyn Field>,
    /// Which mode, and the factor of its shape.
    pub(super) modes: Vec<(usize, f64)>,
}

impl LoadedField {
    fn load(&self, shapes: &[f64]) -> Vec<f64> {
        self.modes.iter().map(|(n, factor)| shapes[*n] * factor).collect()
    }
}

impl Field for LoadedField {
    fn at(&self, place: [f64; 3]) -> Vec<f64> {
        self.load(&self.field.at(place))
    }

    fn sample(&self, places: &[[f64; 3]], take: &mut dyn FnMut(&[f64])) {
        self.field.sample(places, &mut |shapes| take(&self.load(shapes)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Damping;
    use crate::shape::ShapeOptions;
    use std::f64::consts::TAU;

    fn load(speed_m_s: f64) -> AirLoad {
        let band = Band::new(&ShapeOptions::default(), Damping::LossFactor(1e-3)).unwrap();
        AirLoad { speed_m_s, density_kg_m2: 0.26, band }
    }

    /// The mass of incompressible air, 2ρ₀/σκ, for waves that are slow against sound.
    #[test]
    fn slow_waves_carry_the_air_within_their_reach() {
        let (load, omega) = (load(5.0), TAU * 200.0);
        let mass = 2.0 * AIR_DENSITY_KG_M3 / (0.26 * omega / 5.0);
        let expected = omega / (1.0 + mass).sqrt();
        assert!((load.of_wide_sheet(omega) / expected - 1.0).abs() < 1e-4);
        // Waves as fast as sound are not carried along.
        assert_eq!(AirLoad { speed_m_s: 400.0, ..load }.of_wide_sheet(omega), omega);
    }

    #[test]
    fn twins_keep_one_frequency_and_modes_their_order() {
        let load = load(100.0);
        let vacuum = [200.0, 300.0, 300.0, 310.0].map(|f| TAU * f);
        let loaded = load.frequencies(&vacuum, &[Some(0.5), Some(0.2), Some(0.4), Some(1.0)]);
        assert_eq!(loaded[1], loaded[2]);
        assert!((loaded[1] - vacuum[1] / 1.3f64.sqrt()).abs() < 1e-9);
        let order: Vec<usize> = load.damped(&loaded).iter().map(|mode| mode.0).collect();
        assert_eq!(order, [0, 3, 1, 2]);
        // One twin without a solution: neither has one.
        let loaded = load.frequencies(&vacuum, &[None, None, Some(0.4), None]);
        assert_eq!(loaded[1], load.of_wide_sheet(vacuum[1]));
        // What falls out of the band is dropped.
        assert_eq!(load.damped(&[TAU * 10.0, TAU * 30.0])[0].0, 1);
    }
}
