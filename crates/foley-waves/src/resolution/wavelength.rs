//! The wavelength of a velocity field on the surface.

use crate::surface::Surface;
use crate::velocity::NormalVelocity;

/// Returns κ of a velocity field, 1/m, by the Rayleigh quotient κ² = ∫|∇v|² / ∫v²: the wave number
/// of a bending wave, and zero for a rigid translation of a plate.
pub(crate) fn structural_wave_number(surface: &Surface, velocity: &NormalVelocity) -> f64 {
    let (mut slopes, mut squares) = (0.0, 0.0);
    for (t, (triangle, v)) in surface.triangles.iter().zip(&velocity.corners).enumerate() {
        let (p, v) = (surface.corners(t), v.map(f64::from));
        // ∇φ_i has the length of n × ∇φ_i, the opposite edge over twice the area.
        let gradient =
            (0..3).map(|i| (p[(i + 2) % 3] - p[(i + 1) % 3]) * v[i]).sum::<glam::DVec3>()
                / (2.0 * triangle.area);
        slopes += triangle.area * gradient.length_squared();
        let [a, b, c] = v;
        squares += triangle.area * (a * a + b * b + c * c + a * b + b * c + c * a) / 6.0;
    }
    if squares > 0.0 { (slopes / squares).sqrt() } else { 0.0 }
}
