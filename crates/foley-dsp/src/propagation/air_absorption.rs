//! Absorption of sound by the air: ISO 9613-1, with the relaxation of oxygen and nitrogen,
//!
//! ```text
//! α = 8.686 f² (1.84e-11 (p0/p) (T/T0)^½ + (T/T0)^{−5/2}
//!       (0.01275 e^{−2239.1/T} / (f_rO + f²/f_rO) + 0.1068 e^{−3352/T} / (f_rN + f²/f_rN)))   dB/m
//! ```

/// The state of the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Air {
    /// Temperature, °C.
    pub temperature_c: f64,
    /// Relative humidity, %.
    pub humidity_percent: f64,
    /// Static pressure, kPa.
    pub pressure_kpa: f64,
}

impl Default for Air {
    fn default() -> Self {
        Self { temperature_c: 20.0, humidity_percent: 50.0, pressure_kpa: 101.325 }
    }
}

impl Air {
    /// Returns the speed of sound, m/s: 343.2 √(T / 293.15 K) (ISO 9613-1, formula 5).
    pub fn sound_speed_m_s(&self) -> f64 {
        let kelvin = (self.temperature_c + 273.15).max(1.0);
        foley_geometry::constants::SOUND_SPEED_M_S * (kelvin / 293.15).sqrt()
    }
}

/// Absorption by ISO 9613-1 for one state of the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AirAbsorption {
    /// T/T0, p0/p.
    relative_temperature: f64,
    inverse_pressure: f64,
    /// Relaxation frequencies of oxygen and nitrogen, Hz.
    oxygen_hz: f64,
    nitrogen_hz: f64,
    temperature_k: f64,
}

impl AirAbsorption {
    /// Returns the absorption of air in this state.
    pub fn new(air: &Air) -> Self {
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

    /// Returns corner frequency, Hz, and strength, nepers per metre far above it, of the relaxation of
    /// oxygen and of nitrogen: each absorbs b f²/(f² + f_r²).
    pub(super) fn relaxations(&self) -> [(f64, f64); 2] {
        let scale = self.relative_temperature.powf(-2.5);
        let of = |hz: f64, strength: f64, k: f64| {
            (hz, hz * scale * strength * (-k / self.temperature_k).exp())
        };
        [of(self.oxygen_hz, 0.01275, 2239.1), of(self.nitrogen_hz, 0.1068, 3352.0)]
    }

    /// Returns the absorption at a frequency, dB per metre.
    pub fn db_per_m(&self, f: f64) -> f64 {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with ISO 9613-1, table 1: 20 °C, 70 % humidity, dB per kilometre, as rounded there.
    #[test]
    fn absorption_is_that_of_the_standard() {
        let air = Air { humidity_percent: 70.0, ..Air::default() };
        let absorption = AirAbsorption::new(&air);
        for (f, db_per_km) in
            [(125.0, 0.338), (500.0, 2.80), (1_000.0, 4.98), (4_000.0, 22.9), (8_000.0, 76.6)]
        {
            let got = 1000.0 * absorption.db_per_m(f);
            assert!((got - db_per_km).abs() < 0.03 * db_per_km, "{f} Hz: {got} {db_per_km}");
        }
    }
}
