//! Radiated power of slender bodies: bars, rods and strings that move sideways.
//!
//! A cylinder of radius a that moves sideways with the speed v(x) radiates
//!
//! `W = ρ₀ω/2π ∫_{−k}^{k} |V(κ)|² / (k_r² |H₁'(k_r a)|²) dκ`, `k_r² = k² − κ²`, `V(κ) = ∫ v(x) e^{−iκx} dx`,
//!
//! exactly if it goes on at rest beyond its ends (M. K. Yousri, F. J. Fahy, *Sound radiation from transversely vibrating
//! unbaffled beams*, J. Sound Vib. 26 (1973); H₁ is Hankel's function). A bar of rectangular section w × t has the cylinder that
//! moves as much air: `2πa² = K πw²/4 + wt`, with the coefficient K of the added mass of a rectangle (DNV-RP-C205,
//! table A-1). At high frequencies its two faces radiate like 2w, the cylinder like πa; a factor goes over to that.
//!
//! Around a free end the air flows aside, so that the last part of the body moves less of it. A plate moves as much air as
//! one shorter by 0.26 w at each end (DNV-RP-C205, table A-2: coefficients 0.757, 0.897 and 0.947 of plates 2, 5 and 10
//! times as long as wide); 0.2 w fits bars that bend better, whose ends move most. What a bar moves by its own volume is not lost. Free bars, whose mean motion is zero, radiate
//! 3 dB more by it.
//!
//! The integrand is the directivity: with κ = k cos θ and dκ = k sin θ dθ, the far pressure at the angle θ to the line and φ to the
//! direction of motion has the square `|V(k cos θ)|² cos²φ / (k_r² |H₁'(k_r a)|²)`, up to a factor.

use foley_geometry::constants::{AIR_DENSITY_KG_M3, SOUND_SPEED_M_S};
use foley_waves::Directivity;
use num_complex::Complex64;
use std::f64::consts::{PI, TAU};

/// Length at each end that moves no air, in widths.
const END_LENGTH: f64 = 0.2;
/// K of the added mass over t/w, DNV-RP-C205 (2010), table A-1: a rectangle that moves along its side t.
const ADDED_MASS: [[f64; 2]; 8] = [
    [0.0, 1.0],
    [0.1, 1.14],
    [0.2, 1.21],
    [0.5, 1.36],
    [1.0, 1.51],
    [2.0, 1.70],
    [5.0, 1.98],
    [10.0, 2.23],
];

fn added_mass(ratio: f64) -> f64 {
    let next = ADDED_MASS.partition_point(|[r, _]| *r < ratio).clamp(1, ADDED_MASS.len() - 1);
    let ([r0, k0], [r1, k1]) = (ADDED_MASS[next - 1], ADDED_MASS[next]);
    let part: f64 = (ratio - r0) / (r1 - r0);
    k0 + (k1 - k0) * part.clamp(0.0, 1.0)
}

/// A slender body along a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlenderBody {
    length: f64,
    /// Radius a of the cylinder.
    radius: f64,
    /// Power at high frequencies, relative to the cylinder's.
    high: f64,
    /// Length over which air flows round each end, and the part of the air that does.
    end: [f64; 2],
}

impl SlenderBody {
    /// A bar of rectangular section that moves along its thickness; metres.
    pub fn bar(length: f64, width: f64, thickness: f64) -> Self {
        let air = added_mass(thickness / width) * PI * width * width / 4.0 + width * thickness;
        let radius = (air / TAU).sqrt();
        let end = [END_LENGTH * width, 1.0 - width * thickness / air];
        Self { length, radius, high: 2.0 * width / (PI * radius), end }
    }

    /// A round body; metres.
    pub fn round(length: f64, diameter: f64) -> Self {
        Self { length, radius: 0.5 * diameter, high: 1.0, end: [END_LENGTH * diameter, 0.5] }
    }

    /// Returns the radiated power, W, of peak velocities in m/s, given in the middle of equal parts of the length. They
    /// should be shorter than an eighth of a half-wave.
    pub fn power_w(&self, frequency_hz: f64, velocities: &[f64]) -> f64 {
        let omega = TAU * frequency_hz;
        let k = omega / SOUND_SPEED_M_S;
        if velocities.is_empty() || !(k > 0.0) {
            return 0.0;
        }
        let step = self.length / velocities.len() as f64;
        let moved = self.moved_air(velocities, k);
        // κ = k sin θ: dκ = k_r dθ. The spectrum has lobes of 2π/L.
        let count = (4.0 * k * self.length / PI).ceil().clamp(24.0, 4000.0) as usize;
        let d_theta = PI / count as f64;
        let part = |i: usize| {
            let theta = (i as f64 + 0.5) * d_theta - 0.5 * PI;
            let (kappa, k_r) = (k * theta.sin(), k * theta.cos());
            spectrum(&moved, kappa, step) * self.admittance(k_r) * k_r * d_theta
        };
        AIR_DENSITY_KG_M3 * omega / TAU * (0..count).map(part).sum::<f64>()
    }

    /// Returns the mean-square pressure over directions of a body along x that moves along z, with velocities as in
    /// [`power_w`](Self::power_w).
    pub fn directivity(&self, frequency_hz: f64, velocities: &[f64]) -> Directivity {
        let k = TAU * frequency_hz / SOUND_SPEED_M_S;
        if velocities.is_empty() || !(k > 0.0) {
            return Directivity::omnidirectional();
        }
        let step = self.length / velocities.len() as f64;
        let moved = self.moved_air(velocities, k);
        let lobes = k * self.length / PI;
        let count = (8.0 * lobes).ceil().clamp(64.0, 4000.0) as usize;
        // Over cos θ.
        let along = |i: usize| {
            let cos = 2.0 * i as f64 / count as f64 - 1.0;
            spectrum(&moved, k * cos, step) * self.admittance(k * (1.0 - cos * cos).max(0.0).sqrt())
        };
        let along: Vec<f64> = (0..=count).map(along).collect();
        let resolution = (2.0 * lobes).ceil().clamp(24.0, 120.0) as usize;
        Directivity::of(resolution, |[x, y, z]| {
            let at = 0.5 * (x + 1.0) * count as f64;
            let i = (at as usize).min(count - 1);
            let square = along[i] + (at - i as f64) * (along[i + 1] - along[i]);
            square * z * z / (y * y + z * z).max(1e-12)
        })
    }

    fn moved_air(&self, velocities: &[f64], k: f64) -> Vec<f64> {
        let step = self.length / velocities.len() as f64;
        let moved = |(i, v): (usize, &f64)| {
            v * self.moved((i as f64 + 0.5) * step - 0.5 * self.length, k * self.radius)
        };
        velocities.iter().enumerate().map(moved).collect()
    }

    /// Returns the part of the air that moves with the body at x. Short waves do not flow round the ends.
    fn moved(&self, x: f64, ka: f64) -> f64 {
        let near = (-(0.5 * self.length - x.abs()) / self.end[0]).exp();
        1.0 - self.end[1] * near / (1.0 + ka * ka)
    }

    /// Returns 1 / (k_r² |H₁'(k_r a)|²), with the factor of high frequencies.
    fn admittance(&self, k_r: f64) -> f64 {
        let z = (k_r * self.radius).max(1e-6);
        let (dj, dy) = (libm::j0(z) - libm::j1(z) / z, libm::y0(z) - libm::y1(z) / z);
        let high = 1.0 + (self.high - 1.0) * z * z / (0.3 + z * z);
        high * self.radius * self.radius / (z * z * (dj * dj + dy * dy))
    }
}

/// Returns |∫ v e^{−iκx} dx|² of samples in the middle of steps.
fn spectrum(shape: &[f64], kappa: f64, step: f64) -> f64 {
    let turn = Complex64::cis(-kappa * step);
    let mut phase = Complex64::from(1.0);
    let mut sum = Complex64::from(0.0);
    for v in shape {
        sum += phase * v;
        phase *= turn;
    }
    sum.norm_sqr() * step * step
}

#[cfg(test)]
mod tests {
    use super::super::{RadiatingSurface, pressure_of_power};
    use super::*;
    use crate::{End, Material, Shape, ShapeOptions};

    fn middles(length: f64, count: usize) -> impl Iterator<Item = f64> {
        (0..count).map(move |i| length * ((i as f64 + 0.5) / count as f64 - 0.5))
    }

    /// A free bar as a closed box by boundary elements: the cylinder in its place radiates within 2 dB.
    #[test]
    fn bars_radiate_like_boxes() {
        let steel = Material::named("steel").unwrap();
        let (mut worst, mut worst_directivity, mut worst_db) = (0.0_f64, 0.0_f64, 0.0_f64);
        for [width, thickness] in [[0.03, 0.008], [0.04, 0.004], [0.02, 0.02]] {
            let bar = Shape::bar(0.3, width, thickness, End::Free).unwrap();
            let options = ShapeOptions::default().with_max_hz(8e3);
            let modes = bar.modes(steel, &options).unwrap();
            let (points, triangles) = box_mesh([0.3, width, thickness], [60, 6, 3]);
            let frequencies_hz: Vec<f64> = modes.frequencies_hz().collect();
            let shapes: Vec<Vec<f64>> = points.iter().map(|p| modes.shapes_at(*p)).collect();
            let surface = RadiatingSurface {
                points: &points,
                triangles: &triangles,
                frequencies_hz: &frequencies_hz,
                budget_s: 4.0,
            };
            let shape = |n: usize| shapes.iter().map(|u| [0.0, 0.0, u[n]]).collect();
            let solved = surface.powers(&shape, &mut |_| true).unwrap();
            let line: Vec<Vec<f64>> =
                middles(0.3, 400).map(|x| modes.shapes_at([x, 0.0, 0.0])).collect();
            let body = SlenderBody::bar(0.3, width, thickness);
            for (n, f) in frequencies_hz.iter().enumerate() {
                let (watts, truth) = (solved.watts[n], &solved.directivities[n]);
                let shape: Vec<f64> = line.iter().map(|u| u[n]).collect();
                let found = pressure_of_power(body.power_w(*f, &shape));
                let db = 20.0 * (found / pressure_of_power(watts)).log10();
                println!("{width} {thickness} {f:.0} Hz: {db:+.2} dB");
                worst = worst.max(db.abs());
                let directivity = body.directivity(*f, &shape);
                for direction in directions(200).filter(|_| *f < 4e3) {
                    let [found, truth] = [&directivity, truth].map(|map| map.at(direction));
                    if truth > 0.1 {
                        worst_db = worst_db.max((10.0 * (found.max(1e-3) / truth).log10()).abs());
                    }
                }
                let apart: f64 = directions(400)
                    .map(|direction| {
                        (directivity.at(direction) - truth.at(direction)).abs() / 800.0
                    })
                    .sum();
                println!("directivity: {:.1} % of the power", 100.0 * apart);
                let apart = if *f < 4e3 { apart } else { 0.0 };
                worst_directivity = worst_directivity.max(apart);
            }
        }
        foley_measured::check!("directivity.slender", worst_db);
        foley_measured::check!("directivity.slender_power", 100.0 * worst_directivity);
        foley_measured::check!("radiation.slender_bars", worst);
    }

    /// A rod that moves as a whole, kL ≪ 1, is a dipole of its displaced and its added mass, 2πρ₀a²L in all but for the
    /// ends: W = ω⁴ (2πρ₀a²L)² v² / (24π ρ₀ c₀³).
    #[test]
    fn a_thin_rod_is_a_line_of_dipoles() {
        let (length, a, f) = (0.05, 0.002, 50.0);
        let found = SlenderBody::round(length, 2.0 * a).power_w(f, &[1.0; 1000]);
        let omega = TAU * f;
        let (rho, c) = (AIR_DENSITY_KG_M3, SOUND_SPEED_M_S);
        let moved = TAU * rho * a * a * (length - 2.0 * 0.5 * END_LENGTH * 2.0 * a);
        let dipole = omega.powi(4) * moved * moved / (24.0 * PI * rho * c.powi(3));
        assert!((found / dipole - 1.0).abs() < 0.02, "{found} {dipole}");
    }

    /// Without motion there is no sound; bad numbers give no NaN.
    #[test]
    fn silence_and_bad_numbers() {
        let rod = SlenderBody::round(0.3, 0.01);
        assert_eq!(rod.power_w(440.0, &[0.0; 50]), 0.0);
        assert_eq!(rod.power_w(440.0, &[]), 0.0);
        assert_eq!(rod.power_w(0.0, &[1.0; 50]), 0.0);
        assert!(rod.power_w(1e6, &[1.0; 50]).is_finite());
    }

    /// Directions all over the sphere.
    fn directions(count: usize) -> impl Iterator<Item = [f64; 3]> {
        (0..count).map(move |i| {
            let z = (2.0 * i as f64 + 1.0) / count as f64 - 1.0;
            let (sin, cos) = (2.399_963 * i as f64).sin_cos();
            let s = (1.0 - z * z).sqrt();
            [s * cos, s * sin, z]
        })
    }

    fn box_mesh(size: [f64; 3], cells: [usize; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for axis in 0..3 {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            for side in [-0.5, 0.5] {
                let first = points.len() as u32;
                for j in 0..=cells[v] {
                    for i in 0..=cells[u] {
                        let mut p = [0.0; 3];
                        p[axis] = side * size[axis];
                        p[u] = size[u] * (i as f64 / cells[u] as f64 - 0.5);
                        p[v] = size[v] * (j as f64 / cells[v] as f64 - 0.5);
                        points.push(p);
                    }
                }
                let at = |i: usize, j: usize| first + (j * (cells[u] + 1) + i) as u32;
                for (i, j) in (0..cells[v]).flat_map(|j| (0..cells[u]).map(move |i| (i, j))) {
                    triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                    triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
        (points, triangles)
    }
}
