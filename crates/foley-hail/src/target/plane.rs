//! Quadrilaterals and elliptical discs: `f(p) = N · (p − p₀)`, a quadratic in t (\[CS\] section 5).

use super::SurfaceHit;
use crate::validate::target_in_bounds;
use crate::{HailError, Trajectory, roots};
use glam::{DVec2, DVec3};

/// The outline of a flat surface in its 2-D coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// Four corners, counter-clockwise around the normal.
    Quad([[f64; 2]; 4]),
    /// The unit disc x² + y² < 1.
    Disc,
}

/// A flat surface with an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// p₀, the origin of its coordinates.
    pub origin_m: [f64; 3],
    /// N, the unit normal.
    pub normal: [f64; 3],
    /// `x = across · (p − p₀)`.
    pub across: [f64; 3],
    /// `y = along · (p − p₀)`.
    pub along: [f64; 3],
    /// The outline.
    pub outline: Outline,
}

impl Plane {
    /// Returns a quadrilateral. `number` is the index of the target in errors.
    pub fn quad(number: usize, corners_m: [[f64; 3]; 4]) -> Result<Self, HailError> {
        target_in_bounds(number, "corners_m", corners_m.as_flattened())?;
        let bad = |why: String| Err(HailError::Surface { target: number, why });
        let corners = corners_m.map(DVec3::from_array);
        let middle = corners.iter().sum::<DVec3>() / 4.0;
        let twice_area = (corners[2] - corners[0]).cross(corners[3] - corners[1]);
        let size = corners.iter().map(|c| c.distance(middle)).fold(0.0, f64::max);
        if !(twice_area.length() > 1e-6 * size * size && size > 1e-6) {
            return bad("the four corners enclose no area; give them in order around it".into());
        }
        let normal = twice_area.normalize();
        let off = corners.iter().map(|c| normal.dot(*c - middle).abs()).fold(0.0, f64::max);
        if off > 1e-6 * size {
            return bad(format!(
                "the corners lie {off:.3e} m off a common plane; move one, or use two triangles"
            ));
        }
        let across = (corners[1] - corners[0])
            .reject_from(normal)
            .normalize_or(normal.any_orthonormal_vector());
        let along = normal.cross(across);
        let flat = corners.map(|c| [across.dot(c - middle), along.dot(c - middle)]);
        for i in 0..4 {
            let [a, b, c] = [0, 1, 2].map(|k| DVec2::from_array(flat[(i + k) % 4]));
            if !((b - a).perp_dot(c - b) > 1e-9 * size * size) {
                return bad(format!(
                    "the corners are not convex at number {}; put them in order around it",
                    (i + 1) % 4 + 1
                ));
            }
        }
        let [origin_m, normal, across, along] =
            [middle, normal, across, along].map(|v| v.to_array());
        Ok(Self { origin_m, normal, across, along, outline: Outline::Quad(flat) })
    }

    /// Returns an elliptical disc.
    pub fn disc(
        number: usize,
        centre_m: [f64; 3],
        axis_u_m: [f64; 3],
        axis_v_m: [f64; 3],
    ) -> Result<Self, HailError> {
        target_in_bounds(number, "centre_m", &centre_m)?;
        target_in_bounds(number, "axis_u_m", &axis_u_m)?;
        target_in_bounds(number, "axis_v_m", &axis_v_m)?;
        let [u, v] = [axis_u_m, axis_v_m].map(DVec3::from_array);
        let [uu, vv] = [u.length(), v.length()];
        let bad = |why: String| Err(HailError::Surface { target: number, why });
        if !(uu >= 1e-6 && vv >= 1e-6) {
            return bad(format!("the disc's axes are {uu} m and {vv} m; both must be over 1e-6 m"));
        }
        if !(u.dot(v).abs() <= 1e-6 * uu * vv) {
            return bad("the disc's axes are not at a right angle; make them so".into());
        }
        let normal = u.cross(v).normalize();
        // The component of v exactly perpendicular to u.
        let v = v.reject_from(u);
        Ok(Self {
            origin_m: centre_m,
            normal: normal.to_array(),
            across: (u / u.length_squared()).to_array(),
            along: (v / v.length_squared()).to_array(),
            outline: Outline::Disc,
        })
    }

    /// Returns the first intersection between two times that `accept` accepts.
    pub fn first_hit(
        &self,
        trajectory: &Trajectory,
        [from, to]: [f64; 2],
        accept: impl Fn(&SurfaceHit) -> bool,
    ) -> Option<SurfaceHit> {
        let [origin, n] = [self.origin_m, self.normal].map(DVec3::from_array);
        let [x, v, a] = trajectory.rebased(from).vectors();
        let span = to - from;
        let c = [n.dot(x - origin), n.dot(v) * span, 0.5 * n.dot(a) * span * span];
        roots::quadratic(c).as_slice().iter().find_map(|s| {
            let t_s = from + s * span;
            let position = trajectory.position_vec(t_s);
            let uv = self.uv(position)?;
            let facing = if n.dot(trajectory.velocity_vec(t_s)) > 0.0 { -n } else { n };
            let [position_m, normal] = [position, facing].map(|v| v.to_array());
            let surface_hit = SurfaceHit { t_s, position_m, normal, uv, triangle: 0 };
            accept(&surface_hit).then_some(surface_hit)
        })
    }

    /// Returns the surface coordinates of a point on the plane, if it is inside the outline.
    fn uv(&self, position: DVec3) -> Option<[f64; 2]> {
        let q = position - DVec3::from_array(self.origin_m);
        let [x, y] = [self.across, self.along].map(|axis| DVec3::from_array(axis).dot(q));
        match &self.outline {
            Outline::Disc => (x * x + y * y < 1.0).then_some([0.5 * (x + 1.0), 0.5 * (y + 1.0)]),
            Outline::Quad(corners) => {
                let p = DVec2::new(x, y);
                let corners = corners.map(DVec2::from_array);
                let inside = (0..4).all(|i| {
                    let a = corners[i];
                    (corners[(i + 1) % 4] - a).perp_dot(p - a) >= 0.0
                });
                inside.then(|| bilinear(corners, p))
            }
        }
    }
}

/// Inverse bilinear map: (u, v) with `p = (1−u)(1−v) c₀ + u(1−v) c₁ + u v c₂ + (1−u) v c₃`. Eliminating u leaves
/// a quadratic in v.
fn bilinear([c0, c1, c2, c3]: [DVec2; 4], p: DVec2) -> [f64; 2] {
    let (e, f, g) = (c1 - c0, c3 - c0, c0 - c1 + c2 - c3);
    let h = p - c0;
    let [k0, k1, k2] = [h.perp_dot(e), e.perp_dot(f) + h.perp_dot(g), g.perp_dot(f)];
    // k₂ v² + k₁ v + k₀ = 0; in a convex quadrilateral k₁ > 0 at the inner root.
    let root = (k1 * k1 - 4.0 * k0 * k2).max(0.0).sqrt();
    let v = (-2.0 * k0 / (k1 + root)).clamp(0.0, 1.0);
    // p − c₀ − v f = u (e + v g).
    let side = e + g * v;
    let u = (h - f * v).dot(side) / side.length_squared();
    [u.clamp(0.0, 1.0), v]
}
