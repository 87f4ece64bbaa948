//! Tuning of bars by their length.

use super::DemoError;
use foley_modal::shape::{Bar, End};
use foley_modal::{Material, Shape, ShapeOptions};

/// Largest number of iterations; each reduces the error by orders of magnitude.
const MAX_STEPS: usize = 40;

/// Returns the frequency of a MIDI note in equal temperament, Hz (69 is a′, 440 Hz).
pub fn equal_temperament_hz(note: u8) -> f64 {
    440.0 * ((f64::from(note) - 69.0) / 12.0).exp2()
}

/// Returns the free bar whose model has this lowest frequency.
///
/// A slender bar has f ∝ 1/L² and thickness changes that little, so that the iteration
/// L ← L √(f/f₀) converges.
pub fn tuned_bar(
    frequency_hz: f64,
    width_m: f64,
    thickness_m: f64,
    material: &Material,
) -> Result<Bar, DemoError> {
    let mut length_m = 20.0 * thickness_m;
    for _ in 0..MAX_STEPS {
        let bar = Bar::rectangular(length_m, width_m, thickness_m, End::Free)?;
        let options = ShapeOptions::default().with_min_hz(0.0).with_max_hz(1e5).with_max_modes(8);
        let model = Shape::Bar(bar).model(material, &options)?;
        let lowest = model.frequencies_hz.iter().copied().fold(f64::INFINITY, f64::min);
        if !lowest.is_finite() {
            break;
        }
        if (lowest / frequency_hz - 1.0).abs() < 1e-9 {
            return Ok(bar);
        }
        length_m *= (lowest / frequency_hz).sqrt();
    }
    Err(DemoError::Untunable(frequency_hz))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_69_is_440_hz() {
        assert_eq!(equal_temperament_hz(69), 440.0);
        assert!((equal_temperament_hz(60) - 261.6256).abs() < 1e-4);
    }

    /// Slender bars (Euler–Bernoulli): f₁ = 4.73004² h / (2π √12 L²) √(E/ρ).
    #[test]
    fn a_slender_bar_is_as_long_as_the_books_say() {
        let steel = Material::named("steel").unwrap();
        let bar = tuned_bar(110.0, 0.02, 0.004, steel).unwrap();
        let c = (steel.young_pa / steel.density).sqrt();
        let k = 4.730_040_745_f64.powi(2) / (std::f64::consts::TAU * 12f64.sqrt());
        let expected = (k * 0.004 * c / 110.0).sqrt();
        assert!((bar.length() / expected - 1.0).abs() < 2e-3, "{} {expected}", bar.length());
    }
}
