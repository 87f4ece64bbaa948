//! Modes of circular plates and membranes, `w = [J_n(λρ) + C I_n(λρ)] cos nθ`, ρ = r/a.
//!
//! Plates satisfy ∇⁴w = k⁴w with λ = ka; C and λ follow from two conditions at the rim
//! (Leissa, *Vibration of Plates*, ch. 2):
//!
//! | rim | characteristic equation |
//! |---|---|
//! | clamped | J_n I_{n+1} + I_n J_{n+1} = 0 |
//! | supported | J_{n+1}/J_n + I_{n+1}/I_n = 2λ/(1 − ν) |
//! | free | M[J] V[I] = M[I] V[J], bending moment and Kelvin–Kirchhoff shear |
//!
//! `M = ∇²w − (1−ν)(w_r − n²w/r)/r` and `V = (∇²w)_r − (1−ν)n²(w_r − w/r)/r²`, where
//! ∇² multiplies J by −k² and I by +k². A membrane has C = 0 and J_n(λ) = 0.
//!
//! Everything is divided by I_n(λ), which overflows; the ratio r = I_{n+1}/I_n does not.
//!
//! The share of the thermoelastic loss, `∫(∇²w)² dA / k⁴ ∫w² dA`, follows from `∇²w/k² = −J + C I`.

mod disc;
mod membrane;

pub use disc::Disc;
pub use membrane::Membrane;

use super::modes::{Field, Modes};
use super::options::Band;
use super::plate::Sheet;
use super::radiator::Radiator;
use super::surface::Surface;
use crate::material::Material;
use crate::math::{bessel, legendre, root_finding};

/// Boundary condition of the rim.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rim {
    Membrane,
    Clamped,
    Supported { nu: f64 },
    Free { nu: f64 },
}

/// Largest λ; above it there are over a hundred thousand modes.
const MAX_LAMBDA: f64 = 600.0;

impl Rim {
    /// Returns a function of λ that is zero at the modes with n nodal diameters, and C·I_n(λ).
    fn characteristic(self, n: usize, l: f64) -> (f64, f64) {
        let (j, j1) = bessel::j(n, l);
        let (n_, l2) = (n as f64, l * l);
        if self == Self::Membrane {
            return (j, 0.0);
        }
        let r = bessel::i_scaled(n, l).1;
        match self {
            Self::Membrane | Self::Clamped => (j * r + j1, -j),
            Self::Supported { nu } => (j1 + j * (r - 2.0 * l / (1.0 - nu)), -j),
            Self::Free { nu } => {
                // λJ′ = nJ − λJ_{n+1} and λI′ = nI + λI_{n+1}, and the signs of ∇².
                let (s, q) = (1.0 - nu, n_ * (1.0 - n_));
                let m_j = l2 * j + s * (q * j - l * j1);
                let m_i = l2 - s * (q + l * r);
                let v_j = l2 * (n_ * j - l * j1) + s * n_ * n_ * ((n_ - 1.0) * j - l * j1);
                let v_i = l2 * (n_ + l * r) - s * n_ * n_ * (n_ - 1.0 + l * r);
                (m_j * v_i - m_i * v_j, m_j / m_i)
            }
        }
    }

    /// Returns all (n, λ) with λ in a range; `None` when there are too many.
    fn roots(self, [from, to]: [f64; 2]) -> Option<Vec<(usize, f64)>> {
        if !(to <= MAX_LAMBDA) {
            return None;
        }
        let mut all = Vec::new();
        // The first root is never far below n; even the wave along a free edge, the
        // slowest of all, has λ > 0.97 n.
        for n in 0..=(to / 0.95) as usize {
            let start = from.max(0.5 * n as f64).max(0.05);
            let f = |l: f64| self.characteristic(n, l).0;
            all.extend(root_finding::scan(f, start, to, 0.4).into_iter().map(|l| (n, l)));
        }
        Some(all)
    }
}

/// The radial part of a mode, scaled so that w cos nθ has mean square 1.
#[derive(Debug, Clone, Copy)]
struct Radial {
    n: usize,
    lambda: f64,
    /// C·I_n(λ), and e^{−λ} I_n(λ).
    c: f64,
    i_rim: f64,
    scale: f64,
}

impl Radial {
    fn new(rim: Rim, n: usize, lambda: f64) -> Self {
        let c = rim.characteristic(n, lambda).1;
        let i_rim = bessel::i_scaled(n, lambda).0;
        let mut radial = Self { n, lambda, c, i_rim, scale: 1.0 };
        radial.scale = radial.mean_square(Self::at).sqrt().recip();
        radial
    }

    /// Returns the mean square over the disc of f(ρ) cos nθ: 2 ∫ f² ρ dρ, times ½ unless n = 0.
    fn mean_square(&self, f: impl Fn(&Self, f64) -> f64) -> f64 {
        let angular = if self.n == 0 { 2.0 } else { 1.0 };
        legendre::gauss(24 + (0.7 * self.lambda) as usize)
            .iter()
            .map(|(x, weight)| {
                let rho = 0.5 * (x + 1.0);
                angular * 0.5 * weight * rho * f(self, rho).powi(2)
            })
            .sum()
    }

    /// J_n(λρ) and C I_n(λρ).
    fn parts(&self, rho: f64) -> [f64; 2] {
        let x = self.lambda * rho;
        let decaying = match self.c {
            0.0 => 0.0,
            c => c * bessel::i_scaled(self.n, x).0 / self.i_rim * (x - self.lambda).exp(),
        };
        [bessel::j(self.n, x).0, decaying]
    }

    /// w(ρ), 0 ≤ ρ ≤ 1.
    fn at(&self, rho: f64) -> f64 {
        let [j, i] = self.parts(rho);
        (j + i) * self.scale
    }

    /// Returns ∫(∇²w)² dA / k⁴ ∫w² dA.
    fn laplacian_share(&self) -> f64 {
        self.mean_square(|radial, rho| {
            let [j, i] = radial.parts(rho);
            (i - j) * radial.scale
        })
    }
}

/// Modes on a disc: each radial part with n > 0 appears with cos nθ and with sin nθ.
#[derive(Debug)]
struct DiscField {
    modes: Vec<(Radial, bool)>,
    radius: f64,
    mass: f64,
}

/// Returns the modes of a disc of radius a with wavenumbers in a range, whose ω is a function of λ;
/// `None` when there are too many. Each λ with n > 0 gives a mode with cos nθ and one with sin nθ.
/// `sheet` is that of a plate; a membrane has none.
fn modes(
    rim: Rim,
    a: f64,
    [k_min, k_max]: [f64; 2],
    omega: impl Fn(f64) -> f64,
    (mass, sheet): (f64, Option<Sheet>),
    material: &Material,
    band: &Band,
) -> Option<Modes> {
    let roots = rim.roots([k_min * a * 0.999, k_max * a])?;
    let candidates = roots.into_iter().flat_map(|(n, l)| {
        [false, true].into_iter().take(if n == 0 { 1 } else { 2 }).map(move |sine| (l, n, sine))
    });
    let heat = |omega, (l, n, _): &(f64, usize, bool)| {
        let share = || Radial::new(rim, *n, *l).laplacian_share();
        sheet.map_or(0.0, |sheet| sheet.thermoelastic(omega, share))
    };
    let (damped, modes) = band.select(candidates.map(|mode| (omega(mode.0), mode)), heat);
    let k = modes.last().map_or(0.0, |m| m.0 / a);
    let modes = modes.iter().map(|(l, n, sine)| (Radial::new(rim, *n, *l), *sine)).collect();
    let field = DiscField { modes, radius: a, mass };
    let radiator = Radiator::Sheet(Surface::radiating_disc(a, k));
    let body = (material.body(mass, f64::INFINITY), matches!(rim, Rim::Free { .. }));
    Some(Modes::new(damped, field, radiator, Surface::disc(a, k), body))
}

impl DiscField {
    /// The radial parts at r, one for each mode. Pairs of cosine and sine share one.
    fn radial(&self, r: f64) -> Vec<f64> {
        let rho = (r / self.radius).clamp(0.0, 1.0);
        let mut values: Vec<f64> = Vec::with_capacity(self.modes.len());
        for (i, (radial, sine)) in self.modes.iter().enumerate() {
            let twin = *sine && i > 0 && self.modes[i - 1].0.lambda == radial.lambda;
            values.push(if twin { values[i - 1] } else { radial.at(rho) });
        }
        values
    }

    fn at_angle(&self, radial: &[f64], x: f64, y: f64) -> Vec<f64> {
        let (theta, scale) = (y.atan2(x), self.mass.sqrt().recip());
        let angular = |n: usize, sine: bool| {
            let (s, c) = (n as f64 * theta).sin_cos();
            if sine { s } else { c }
        };
        let modes = self.modes.iter().zip(radial);
        modes.map(|((mode, sine), w)| scale * w * angular(mode.n, *sine)).collect()
    }
}

impl Field for DiscField {
    fn at(&self, [x, y, _]: [f64; 3]) -> Vec<f64> {
        self.at_angle(&self.radial(x.hypot(y)), x, y)
    }

    /// Sample points lie on rings: the Bessel functions are computed once per ring.
    fn sample(&self, places: &[[f64; 3]], take: &mut dyn FnMut(&[f64])) {
        let (mut ring, mut radial) = (f64::NAN, Vec::new());
        for [x, y, _] in places {
            let r = x.hypot(*y);
            if !((r - ring).abs() <= 1e-12 * self.radius) {
                (ring, radial) = (r, self.radial(r));
            }
            take(&self.at_angle(&radial, *x, *y));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;

    fn lambda_squared(rim: Rim, count: usize) -> Vec<f64> {
        let mut roots: Vec<f64> =
            rim.roots([0.0, 12.0]).unwrap().iter().map(|(_, l)| l * l).collect();
        roots.sort_by(f64::total_cmp);
        roots.truncate(count);
        roots
    }

    fn close(rim: Rim, expected: &[f64], relative: f64) {
        let found = lambda_squared(rim, expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a / b - 1.0).abs() < relative, "{rim:?}: {found:?} against {expected:?}");
        }
    }

    /// Leissa, tables 2.1–2.5; for supported edges the corrected figures of later work
    /// (Leissa's own 4.977 for n = 0 belongs to another ν).
    #[test]
    fn handbook_constants() {
        close(Rim::Clamped, &[10.2158, 21.26, 34.88, 39.771], 2e-4);
        close(Rim::Supported { nu: 0.3 }, &[4.935, 13.898, 25.613, 29.720], 1e-4);
        close(Rim::Free { nu: 0.33 }, &[5.253, 9.084, 12.23, 20.52], 2e-3);
        close(Rim::Membrane, &[2.4048f64, 3.8317, 5.1356, 5.5201].map(|z| z * z), 5e-5);
    }

    /// The free disc once more, by Ritz in r^{n+2i}: energies know nothing of Bessel
    /// functions nor of the conditions at a free rim.
    #[test]
    fn energy_gives_the_same_free_disc() {
        for (nu, n) in [-0.4, 0.0, 0.33].into_iter().flat_map(|nu| (0..5).map(move |n| (nu, n))) {
            let n2 = f64::from(n * n);
            let power = |i: usize| f64::from(n) + 2.0 * i as f64;
            let stiffness = Mat::from_fn(7, 7, |i, j| {
                let (p, q) = (power(i), power(j));
                let twist = n2 * (p - 1.0) * (q - 1.0);
                let gauss = p * (p - 1.0) * (q - n2) + q * (q - 1.0) * (p - n2) - 2.0 * twist;
                let energy = (p * p - n2) * (q * q - n2) - (1.0 - nu) * gauss;
                if energy == 0.0 { 0.0 } else { energy / (p + q - 2.0) }
            });
            let mass = Mat::from_fn(7, 7, |i, j| 1.0 / (power(i) + power(j) + 2.0));
            let energy = foley_eigen::dense::lowest(&stiffness, &mass, 1.0, 1e5).unwrap().values;
            let roots = Rim::Free { nu }.roots([0.0, 12.0]).unwrap();
            let mut bessel = roots.iter().filter(|r| r.0 == n as usize).map(|r| r.1.powi(4));
            // Rigid motions: one without a diameter, one with one.
            for value in energy.iter().skip(usize::from(n < 2)).take(2) {
                let root = bessel.next().unwrap();
                assert!((value / root - 1.0).abs() < 1e-5, "{nu} {n}: {value} {root}");
            }
        }
    }

    /// The conditions at the rim, by differences of the shape itself.
    #[test]
    fn the_rim_is_held_as_promised() {
        for nu in [-0.4, 0.0, 0.3, 0.49] {
            for rim in [Rim::Clamped, Rim::Supported { nu }, Rim::Free { nu }] {
                for (n, lambda) in rim.roots([0.0, 15.0]).unwrap() {
                    let radial = Radial::new(rim, n, lambda);
                    // The series continue beyond ρ = 1, so central differences will do.
                    let h = 2e-3;
                    let w = |i: i32| radial.at(1.0 + f64::from(i) * h);
                    let d1 = (8.0 * (w(1) - w(-1)) - (w(2) - w(-2))) / (12.0 * h);
                    let d2 =
                        (16.0 * (w(1) + w(-1)) - (w(2) + w(-2)) - 30.0 * w(0)) / (12.0 * h * h);
                    let d3 = (w(2) - w(-2) - 2.0 * (w(1) - w(-1))) / (2.0 * h * h * h);
                    let (n2, w0) = ((n * n) as f64, w(0));
                    let moment = d2 + nu * (d1 - n2 * w0);
                    // r-derivative of ∇²w = w″ + w′/r − n²w/r², then the twisting term.
                    let laplace_r = d3 + d2 - d1 - n2 * (d1 - 2.0 * w0);
                    let shear = laplace_r - (1.0 - nu) * n2 * (d1 - w0);
                    let size = lambda.powi(2).max(n2);
                    let (small, tiny) = (2e-3, 1e-9);
                    let ok = match rim {
                        Rim::Clamped => w0.abs() < tiny && d1.abs() < small,
                        Rim::Supported { .. } => w0.abs() < tiny && moment.abs() < small * size,
                        _ => {
                            moment.abs() < small * size
                                && shear.abs() < 10.0 * small * size * lambda
                        }
                    };
                    assert!(ok, "{rim:?} n={n} λ={lambda}: {w0} {d1} {moment} {shear}");
                }
            }
        }
    }

    /// The energy is `k⁴ ∫w² = ∫(∇²w)² − 2(1−ν) ∫ gauss`, with the Gaussian curvature by differences; on
    /// a clamped rim it integrates to 0.
    #[test]
    fn shares_of_the_laplacian_are_those_of_the_energies() {
        for (n, lambda) in Rim::Clamped.roots([0.0, 15.0]).unwrap() {
            let share = Radial::new(Rim::Clamped, n, lambda).laplacian_share();
            assert!((share - 1.0).abs() < 1e-6, "n={n} λ={lambda}: {share}");
        }
        let nu = 0.3;
        for rim in [Rim::Supported { nu }, Rim::Free { nu }] {
            for (n, lambda) in rim.roots([0.0, 15.0]).unwrap() {
                let radial = Radial::new(rim, n, lambda);
                let h = 1e-4;
                let gauss_at = |rho: f64| {
                    let [a, b, c] = [rho - h, rho, rho + h].map(|rho| radial.at(rho));
                    let (d1, d2, n2) =
                        ((c - a) / (2.0 * h), (a + c - 2.0 * b) / (h * h), (n * n) as f64);
                    // cos² and sin² have the same mean; n = 0 has no sine.
                    d2 * (d1 / rho - n2 * b / (rho * rho)) - n2 * ((d1 - b / rho) / rho).powi(2)
                };
                let angular = if n == 0 { 2.0 } else { 1.0 };
                let gauss: f64 = legendre::gauss(60)
                    .iter()
                    .map(|(x, w)| {
                        let rho = 0.5 * (x + 1.0);
                        angular * 0.5 * w * rho * gauss_at(rho)
                    })
                    .sum();
                let expected = 1.0 + 2.0 * (1.0 - nu) * gauss / lambda.powi(4);
                let share = radial.laplacian_share();
                assert!(
                    (share - expected).abs() < 2e-3,
                    "{rim:?} n={n} λ={lambda}: {share} {expected}"
                );
            }
        }
        // The first mode of a free disc is mostly a saddle, the third mostly a bowl.
        let share = |n, lambda2: f64| {
            let rim = Rim::Free { nu };
            let near = |r: &&(usize, f64)| r.0 == n && (r.1 * r.1 - lambda2).abs() < 0.3;
            let roots = rim.roots([0.0, 5.0]).unwrap();
            let (n, lambda) = *roots.iter().find(near).unwrap();
            Radial::new(rim, n, lambda).laplacian_share()
        };
        let [saddle, bowl] = [share(2, 5.36), share(0, 9.0)];
        assert!(saddle < 0.25 && bowl > 1.2, "{saddle} {bowl}");
    }

    #[test]
    fn no_mode_is_lost() {
        // Weyl: about λ²/4 modes of a membrane lie below λ, less λ/2.
        let count: usize =
            Rim::Membrane.roots([0.0, 80.0]).unwrap().iter().map(|(n, _)| 1 + n.min(&1)).sum();
        assert!((count as f64 - (1600.0 - 40.0)).abs() < 25.0, "{count}");
        assert!(Rim::Membrane.roots([0.0, 1e9]).is_none());
    }
}
