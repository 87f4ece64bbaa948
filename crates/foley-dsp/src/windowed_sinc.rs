//! The sinc under a Kaiser window: the band-limited kernel of delays, decimation and short forces.

use std::f64::consts::PI;

/// Returns the kernel at a distance of `x` samples, for an edge (−6 dB) over the sample rate, β of the window, and half its
/// length in samples. Its sum over samples is that of the window's, not 1.
pub(crate) fn windowed_sinc(x: f64, edge: f64, beta: f64, reach: f64) -> f64 {
    let sinc = if x == 0.0 { 2.0 * edge } else { (2.0 * PI * edge * x).sin() / (PI * x) };
    let place = x / reach;
    sinc * bessel_i0(beta * (1.0 - place * place).max(0.0).sqrt())
}

/// Returns the modified Bessel function I₀, by its power series.
fn bessel_i0(x: f64) -> f64 {
    let quarter = 0.25 * x * x;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= quarter / f64::from(k * k);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bessel_function_has_its_tabulated_values() {
        // Abramowitz & Stegun, table 9.8.
        for (x, value) in [(0.0, 1.0), (1.0, 1.266_065_878), (5.0, 27.239_871_82)] {
            assert!((bessel_i0(x) / value - 1.0).abs() < 1e-9);
        }
        assert!((bessel_i0(8.0) / 427.564_115_721_805 - 1.0).abs() < 1e-12);
    }
}
