//! Bodies that are large compared with the listener's distance: sound comes from their whole surface.
//!
//! Many modes together radiate about equally from every part of a surface A, and the powers of the parts add, so that
//!
//! ```text
//! p² = p₁² ⟨1/r²⟩,   ⟨1/r²⟩ = 1/A ∫ dA / r²     with p₁ the pressure at 1 m of a small source of the same power.
//! ```
//!
//! Far away this is 1/R², beside a long bar it falls with 1/R, and next to a large pane it hardly depends on distance. The surface
//! is taken as a box, centred on it, with the same second moments: exact for rectangular plates and straight bars. Along the longest
//! edge 2a the integral is `(atan((a − x)/h) + atan((a + x)/h)) / 2ah`, with h the distance from that line; across it Gauss' points do.
//! Where the distance is large, two terms of the series in 1/R do, with the second moments C:
//!
//! ```text
//! ⟨1/r²⟩ = 1/R² (1 + (4 uᵀC u − tr C)/R² + …),   u = R/|R|.
//! ```

use foley_geometry::MassProperties;
use glam::{DQuat, DVec3};

use super::path::MIN_DISTANCE_M;

/// The series is used beyond this many half diagonals of the box.
const FAR: f64 = 8.0;

/// Gauss' points in −1 … 1 and their weights, of sum 1: across the middle edge of the box.
const ACROSS: [(f64, f64); 8] = [
    (-0.960_289_856_497_536, 0.050_614_268_145_188),
    (-0.796_666_477_413_627, 0.111_190_517_226_687),
    (-0.525_532_409_916_329, 0.156_853_322_938_944),
    (-0.183_434_642_495_650, 0.181_341_891_689_181),
    (0.183_434_642_495_650, 0.181_341_891_689_181),
    (0.525_532_409_916_329, 0.156_853_322_938_944),
    (0.796_666_477_413_627, 0.111_190_517_226_687),
    (0.960_289_856_497_536, 0.050_614_268_145_188),
];
/// And across the shortest edge: ±1/√3.
const THROUGH: [f64; 2] = [-0.577_350_269_189_626, 0.577_350_269_189_626];

/// How the surface of a body lies around its origin, as a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaSource {
    centre_m: DVec3,
    /// From the axes of the box, the longest first, to those of the body.
    axes: [DVec3; 3],
    /// Half the edges.
    half_m: [f64; 3],
}

impl AreaSource {
    /// Returns that of a surface of triangles, or of points where it has no area; `None` where all points coincide.
    pub fn of_surface(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Option<Self> {
        let sheet = MassProperties::of_sheet(points, triangles, 1.0);
        let has_area = sheet.mass_kg > 0.0 && sheet.centre_m.iter().all(|x| x.is_finite());
        let sheet = if has_area { sheet } else { MassProperties::of_points(points, 1.0) };
        let (moments, rotation) = sheet.principal();
        // Second moments from moments of inertia; a uniform box has those of a third of its half edges squared.
        let sum: f64 = moments.iter().sum();
        let rotation = DQuat::from_array(rotation);
        let mut edges = [0, 1, 2].map(|k| {
            let spread = ((0.5 * sum - moments[k]) / sheet.mass_kg).max(0.0);
            (rotation * DVec3::AXES[k], (3.0 * spread).sqrt())
        });
        edges.sort_by(|a, b| b.1.total_cmp(&a.1));
        let half_m = edges.map(|(_, half)| half);
        let is_known = half_m[0] > 0.0 && half_m[0].is_finite();
        is_known.then(|| Self {
            centre_m: sheet.centre_m.into(),
            axes: edges.map(|(axis, _)| axis),
            half_m,
        })
    }

    /// Returns the factor on the amplitude at a listener, given in the body's coordinates, relative to a small source at the
    /// body's origin.
    pub fn gain(&self, listener_m: DVec3) -> f64 {
        let distance_m = listener_m.length().max(MIN_DISTANCE_M);
        let gain = distance_m * self.mean_inverse_square(listener_m - self.centre_m).sqrt();
        if gain.is_finite() { gain } else { 1.0 }
    }

    /// Returns ⟨1/r²⟩ at a place relative to the centre, 1/m².
    fn mean_inverse_square(&self, way: DVec3) -> f64 {
        let [x, y, z] = self.axes.map(|axis| axis.dot(way));
        let [a, b, c] = self.half_m;
        let square = way.length_squared();
        if square > FAR * FAR * (a * a + b * b + c * c) {
            let spread = [a, b, c].map(|half| half * half / 3.0);
            let along = (spread[0] * x * x + spread[1] * y * y + spread[2] * z * z) / square;
            let square = square.max(MIN_DISTANCE_M * MIN_DISTANCE_M);
            return (1.0 + (4.0 * along - spread.iter().sum::<f64>()) / square) / square;
        }
        let mut mean = 0.0;
        for (at, weight) in ACROSS {
            for through in THROUGH {
                let h = (y - b * at).hypot(z - c * through).max(MIN_DISTANCE_M);
                let line = (((a - x) / h).atan() + ((a + x) / h).atan()) / (2.0 * a * h);
                mean += 0.5 * weight * line;
            }
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rectangle in the plane z = 0, centred on a place, of two triangles.
    fn rectangle(length: f64, width: f64, centre: DVec3) -> AreaSource {
        let corner =
            |x: f64, y: f64| (centre + DVec3::new(x * length, y * width, 0.0) / 2.0).to_array();
        let points = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        AreaSource::of_surface(&points, &[[0, 1, 2], [0, 2, 3]]).unwrap()
    }

    fn db(ratio: f64) -> f64 {
        20.0 * ratio.log10()
    }

    #[test]
    fn a_pane_is_as_loud_as_the_sum_of_its_parts() {
        let (length, width) = (1.4, 0.6);
        let centre = DVec3::new(0.3, -0.2, 0.1);
        let pane = rectangle(length, width, centre);
        let mut worst = 0.0f64;
        for listener in [
            DVec3::new(0.0, 0.0, 0.3),
            DVec3::new(0.5, 0.4, -0.25),
            DVec3::new(1.2, 0.0, 0.5),
            DVec3::new(0.3, 2.0, 1.0),
            DVec3::new(-4.0, 5.0, 3.0),
            DVec3::new(6.0, 2.0, 40.0),
        ] {
            let parts = 400;
            let mut sum = 0.0;
            for i in 0..parts {
                for j in 0..parts {
                    let share = |k: i32| (f64::from(k) + 0.5) / f64::from(parts) - 0.5;
                    let part = centre + DVec3::new(share(i) * length, share(j) * width, 0.0);
                    sum += 1.0 / part.distance_squared(listener);
                }
            }
            let truth = (sum / f64::from(parts * parts)).sqrt() * listener.length();
            worst = worst.max(db(pane.gain(listener) / truth).abs());
        }
        foley_measured::check!("emitters.pane", worst);
    }

    #[test]
    fn beside_a_long_bar_the_level_falls_three_decibels_per_doubling() {
        let points: Vec<[f64; 3]> =
            (0..=2_000).map(|i| [0.0, f64::from(i) * 0.01 - 10.0, 0.0]).collect();
        let segments: Vec<[u32; 3]> = (0..2_000).map(|i| [i, i + 1, i + 1]).collect();
        let bar = AreaSource::of_surface(&points, &segments).unwrap();
        let level = |r: f64| db(bar.gain(DVec3::new(r, 0.0, 0.0)) / r);
        assert!((level(0.2) - level(0.4) - 3.01).abs() < 0.2);
        assert!((level(400.0) - level(800.0) - 6.02).abs() < 0.01);
    }

    #[test]
    fn small_bodies_and_far_listeners_hear_a_point() {
        let pane = rectangle(1.0, 0.5, DVec3::ZERO);
        assert!(db(pane.gain(DVec3::new(30.0, 10.0, 50.0))).abs() < 0.01);
        let coin = rectangle(0.02, 0.02, DVec3::ZERO);
        for r in [0.0, 0.05, 0.1, 0.3] {
            assert!(db(coin.gain(DVec3::new(0.0, 0.0, r))).abs() < 0.1, "{r}");
        }
        // Where the integral meets the series.
        let edge = FAR * pane.half_m.iter().map(|a| a * a).sum::<f64>().sqrt();
        let [near, far] = [0.9999, 1.0001].map(|k| pane.gain(k * edge * DVec3::new(0.8, 0.0, 0.6)));
        assert!(db(near / far).abs() < 0.005);
        assert_eq!(AreaSource::of_surface(&[[1.0, 2.0, 3.0]], &[]), None);
    }

    #[test]
    fn no_place_is_too_near_or_not_a_number() {
        let pane = rectangle(2.0, 1.0, DVec3::ZERO);
        for at in [DVec3::ZERO, DVec3::new(1.0, 0.5, 0.0), DVec3::splat(1e-300), DVec3::splat(1e9)]
        {
            let gain = pane.gain(at);
            assert!(gain > 0.0 && gain < 2.0, "{at}: {gain}");
        }
        assert_eq!(pane.gain(DVec3::splat(f64::NAN)), 1.0);
    }
}
