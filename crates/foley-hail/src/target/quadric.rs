//! Spheres, cylinders and cones: `f(p) = x² + y² + c z² + b z + d` in a local frame, a quartic in
//! t for a parabola and a quadratic for a straight line (\[CS\] section 5).

use super::SurfaceHit;
use crate::validate::target_in_bounds;
use crate::{HailError, Trajectory, roots};
use glam::DVec3;

/// A quadric of revolution about its own z axis, between two heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadric {
    /// The origin of its coordinates: the centre of a sphere or of the base.
    pub origin_m: [f64; 3],
    /// Its x, y and z axes.
    pub axes: [[f64; 3]; 3],
    /// c, b and d of f.
    pub form: [f64; 3],
    /// The range of z; v runs from its start to its end.
    pub heights_m: [f64; 2],
}

impl Quadric {
    /// Returns a sphere. `number` is the index of the target in errors.
    pub fn sphere(number: usize, centre_m: [f64; 3], radius_m: f64) -> Result<Self, HailError> {
        target_in_bounds(number, "centre_m", &centre_m)?;
        radius(number, "radius_m", radius_m, 1e-6)?;
        Ok(Self {
            origin_m: centre_m,
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            form: [1.0, 0.0, -radius_m * radius_m],
            heights_m: [-radius_m, radius_m],
        })
    }

    /// Returns the lateral surface of a cone, or of a cylinder if both radii are equal: `r(z) = r₀ + k z`.
    pub fn cone(
        number: usize,
        base_m: [f64; 3],
        axis_m: [f64; 3],
        [base_radius_m, top_radius_m]: [f64; 2],
    ) -> Result<Self, HailError> {
        target_in_bounds(number, "base_m", &base_m)?;
        target_in_bounds(number, "axis_m", &axis_m)?;
        radius(number, "base_radius_m", base_radius_m, 0.0)?;
        radius(number, "top_radius_m", top_radius_m, 0.0)?;
        radius(number, "the larger radius", base_radius_m.max(top_radius_m), 1e-6)?;
        let axis = DVec3::from_array(axis_m);
        let height = axis.length();
        if !(height >= 1e-6) {
            let must = "at least 1e-6 m long";
            return Err(HailError::Number { target: number, key: "axis_m", value: height, must });
        }
        let k = (top_radius_m - base_radius_m) / height;
        Ok(Self {
            origin_m: base_m,
            axes: frame(axis / height).map(|axis| axis.to_array()),
            form: [-k * k, -2.0 * base_radius_m * k, -base_radius_m * base_radius_m],
            heights_m: [0.0, height],
        })
    }

    /// Returns the first intersection between two times that `accept` accepts.
    pub fn first_hit(
        &self,
        trajectory: &Trajectory,
        [from, to]: [f64; 2],
        accept: impl Fn(&SurfaceHit) -> bool,
    ) -> Option<SurfaceHit> {
        let span = to - from;
        self.roots(trajectory, from, span).as_slice().iter().find_map(|s| {
            let t_s = from + s * span;
            let position = trajectory.position_vec(t_s);
            let q = self.local(position - DVec3::from_array(self.origin_m));
            let uv = self.uv(q)?;
            let n = self.normal(q)?;
            let facing = if n.dot(trajectory.velocity_vec(t_s)) > 0.0 { -n } else { n };
            let [position_m, normal] = [position, facing].map(|v| v.to_array());
            let surface_hit = SurfaceHit { t_s, position_m, normal, uv, triangle: 0 };
            accept(&surface_hit).then_some(surface_hit)
        })
    }

    /// Returns the zeros of f along the trajectory, as fractions of the span.
    fn roots(&self, trajectory: &Trajectory, from: f64, span: f64) -> roots::Roots {
        let [x, v, a] = trajectory.rebased(from).vectors();
        // q(s) = q₀ + q₁ s + q₂ s²
        let q0 = self.local(x - DVec3::from_array(self.origin_m));
        let q1 = self.local(v) * span;
        let q2 = self.local(a) * (0.5 * span * span);
        let [c, b, d] = self.form;
        let product = |p: DVec3, q: DVec3| p.x * q.x + p.y * q.y + c * p.z * q.z;
        roots::quartic([
            product(q0, q0) + b * q0.z + d,
            2.0 * product(q0, q1) + b * q1.z,
            product(q1, q1) + 2.0 * product(q0, q2) + b * q2.z,
            2.0 * product(q1, q2),
            product(q2, q2),
        ])
    }

    fn local(&self, v: DVec3) -> DVec3 {
        let [x, y, z] = self.axes.map(|axis| DVec3::from_array(axis).dot(v));
        DVec3::new(x, y, z)
    }

    /// Returns u as the angle around the axis in turns and v as the relative height; none beyond the ends.
    fn uv(&self, q: DVec3) -> Option<[f64; 2]> {
        let [lo, hi] = self.heights_m;
        let v = (q.z - lo) / (hi - lo);
        // A sphere has no ends; its v leaves [0, 1] only by rounding.
        let slack = if self.form[0] > 0.0 { 1e-9 } else { 0.0 };
        if !(v >= -slack && v <= 1.0 + slack) {
            return None;
        }
        let turns = libm::atan2(q.y, q.x) / std::f64::consts::TAU;
        let u = if turns < 0.0 { turns + 1.0 } else { turns };
        Some([u.clamp(0.0, 1.0), v.clamp(0.0, 1.0)])
    }

    /// Returns ∇f normalised; none at the apex of a cone.
    fn normal(&self, q: DVec3) -> Option<DVec3> {
        let [c, b, _] = self.form;
        let [x, y, z] = self.axes.map(DVec3::from_array);
        (x * q.x + y * q.y + z * (c * q.z + 0.5 * b)).try_normalize()
    }
}

/// Returns an orthonormal frame with the given z axis. Its x axis is the projection of the world's x axis, or
/// of the world's y axis where z is nearly along x.
fn frame(z: DVec3) -> [DVec3; 3] {
    let from = if z.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    let x = (from - z * from.dot(z)).normalize();
    [x, z.cross(x), z]
}

fn radius(number: usize, key: &'static str, value: f64, least: f64) -> Result<(), HailError> {
    if value >= least && value <= crate::validate::MAX_MAGNITUDE {
        return Ok(());
    }
    let must = "a length from 0 to 1e6 m, and at least 1e-6 m where it is the only radius";
    Err(HailError::Number { target: number, key, value, must })
}
