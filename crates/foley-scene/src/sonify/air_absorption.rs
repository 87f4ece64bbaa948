//! Distance attenuation and air absorption.
//!
//! Pressure falls with 1/r. Air absorbs high frequencies more: ISO 9613-1, with the relaxation of
//! oxygen and nitrogen,
//!
//! ```text
//! α = 8.686 f² (1.84e-11 (p0/p) (T/T0)^½ + (T/T0)^{−5/2}
//!       (0.01275 e^{−2239.1/T} / (f_rO + f²/f_rO) + 0.1068 e^{−3352/T} / (f_rN + f²/f_rN)))   dB/m
//! ```

use crate::scene::Air;
use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::f64::consts::LN_10;
use std::sync::Arc;

use foley_dsp::simd::fast_math::exp;

/// Smallest distance, m: nearer, the listener would be inside an object.
const MIN_DISTANCE_M: f64 = 0.1;

/// Absorption by ISO 9613-1 for one state of the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AirAbsorption {
    /// T/T0, p0/p.
    relative_temperature: f64,
    inverse_pressure: f64,
    /// Relaxation frequencies of oxygen and nitrogen, Hz.
    oxygen_hz: f64,
    nitrogen_hz: f64,
    temperature_k: f64,
}

impl AirAbsorption {
    pub(super) fn new(air: &Air) -> Self {
        let temperature_k = air.temperature_c + 273.15;
        let (relative_temperature, pressure) = (temperature_k / 293.15, air.pressure_kpa / 101.325);
        let saturation = 10f64.powf(-6.8346 * (273.16 / temperature_k).powf(1.261) + 4.6151);
        let h = air.humidity_percent * saturation / pressure;
        let oxygen_hz = pressure * (24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h));
        let nitrogen_factor = (-4.170 * (relative_temperature.powf(-1.0 / 3.0) - 1.0)).exp();
        let nitrogen_hz =
            pressure * relative_temperature.powf(-0.5) * (9.0 + 280.0 * h * nitrogen_factor);
        Self {
            relative_temperature,
            inverse_pressure: 1.0 / pressure,
            oxygen_hz,
            nitrogen_hz,
            temperature_k,
        }
    }

    /// Returns the absorption at a frequency, dB per metre.
    pub(super) fn db_per_m(&self, f: f64) -> f64 {
        let t = self.temperature_k;
        let relaxes =
            |hz: f64, strength: f64, k: f64| strength * (-k / t).exp() / (hz + f * f / hz);
        let relaxation = self.relative_temperature.powf(-2.5)
            * (relaxes(self.oxygen_hz, 0.01275, 2239.1)
                + relaxes(self.nitrogen_hz, 0.1068, 3352.0));
        8.686
            * f
            * f
            * (1.84e-11 * self.inverse_pressure * self.relative_temperature.sqrt() + relaxation)
    }

    /// Returns the attenuation of modes with these frequencies.
    pub(super) fn attenuation(&self, frequencies_hz: &[f64]) -> ModalAttenuation {
        // e^{−x} = 10^{−dB/20}.
        let per_m = |f: &f64| self.db_per_m(*f) * LN_10 / 20.0;
        ModalAttenuation { per_m: frequencies_hz.iter().map(per_m).collect() }
    }
}

/// Attenuation of the modes of an object, nepers per metre.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ModalAttenuation {
    per_m: Arc<[f64]>,
}

impl ModalAttenuation {
    /// Attenuates gains from one metre to a distance.
    pub(super) fn apply(&self, gains: &mut [f32], distance_m: f64) {
        let distance_m = distance_m.max(MIN_DISTANCE_M);
        let beyond_m = (distance_m - 1.0).max(0.0);
        let spreading = 1.0 / distance_m;
        dispatch!(Level::new(), simd => attenuate(simd, gains, &self.per_m, beyond_m, spreading));
    }
}

#[simd]
fn attenuate<S: Simd>(_: S, gains: &mut [f32], per_m: &[f64], beyond_m: f64, spreading: f64) {
    for (gain, per_m) in gains.iter_mut().zip(per_m) {
        *gain *= (exp(-per_m * beyond_m) * spreading) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with ISO 9613-1, table 1: 20 °C, 70 % humidity, dB per kilometre, as rounded there.
    #[test]
    fn absorption_is_that_of_the_standard() {
        let air = Air { temperature_c: 20.0, humidity_percent: 70.0, pressure_kpa: 101.325 };
        let absorption = AirAbsorption::new(&air);
        for (f, db_per_km) in
            [(125.0, 0.338), (500.0, 2.80), (1_000.0, 4.98), (4_000.0, 22.9), (8_000.0, 76.6)]
        {
            let got = 1000.0 * absorption.db_per_m(f);
            assert!((got - db_per_km).abs() < 0.03 * db_per_km, "{f} Hz: {got} {db_per_km}");
        }
    }

    /// Compares with the standard functions, mode by mode.
    #[test]
    fn simd_attenuation_equals_the_scalar_formula() {
        let f: Vec<f64> = (0..77).map(|i| 20.0 * 1.1f64.powi(i)).collect();
        let attenuation = AirAbsorption::new(&Air::default()).attenuation(&f);
        for distance_m in [0.0, 0.5, 1.0, 3.7, 40.0, 1e3, 1e5, 1e12, f64::INFINITY] {
            let mut gains: Vec<f32> = (0..77u8).map(|i| f32::from(i) - 38.5).collect();
            let before = gains.clone();
            attenuation.apply(&mut gains, distance_m);
            for ((got, gain), per_m) in gains.iter().zip(before).zip(&*attenuation.per_m) {
                let far_m = distance_m.max(MIN_DISTANCE_M);
                let left = (-per_m * (far_m - 1.0).max(0.0)).exp() / far_m;
                let want = f64::from(gain) * left;
                let error = (f64::from(*got) - want).abs();
                assert!(error <= 2e-7 * want.abs() + 1e-37, "{distance_m} m: {got} {want}");
            }
        }
    }

    #[test]
    fn twice_as_far_is_six_decibels_less() {
        let absorption = AirAbsorption::new(&Air::default());
        let at = |distance_m| {
            let mut gain = [1.0];
            absorption.attenuation(&[100.0]).apply(&mut gain, distance_m);
            20.0 * f64::from(gain[0]).log10()
        };
        assert!((at(2.0) - at(4.0) - 6.02).abs() < 0.02);
    }
}
