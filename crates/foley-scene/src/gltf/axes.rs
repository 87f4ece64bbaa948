//! From glTF's axes (y up) to the scene's (z up), and from affine maps to poses.
//!
//! The linear map A from node to scene is split into a rotation and a stretch, A = R S (polar
//! decomposition, S symmetric): S is applied to the mesh, R is the object's rotation. With C for
//! the change of axes, (x, y, z) → (x, −z, y), the mesh is C S and the rotation C R Cᵀ.

use crate::scene::Pose;
use foley_geometry::mesh::vector::{cross, dot};
use foley_geometry::pose::{Quaternion, unit};

type Columns = [[f64; 3]; 3];

/// Converts a vector from y up to z up.
pub(crate) fn z_up([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x, -z, y]
}

/// Returns the orthogonal factor of A, by Newton's iteration R ← (R + R⁻ᵀ)/2 (Higham 1986), and
/// the symmetric one; `None` if A is singular.
fn polar(a: Columns) -> Option<(Columns, Columns)> {
    let size = a.iter().flatten().fold(0.0, |max: f64, x| max.max(x.abs()));
    if !(1e-9..=1e9).contains(&size) {
        return None;
    }
    let mut r = a.map(|column| column.map(|x| x / size));
    for _ in 0..60 {
        let adjugate = [cross(r[1], r[2]), cross(r[2], r[0]), cross(r[0], r[1])];
        let determinant = dot(r[0], adjugate[0]);
        if !(determinant.abs() > 1e-12) {
            return None;
        }
        let next =
            [0, 1, 2].map(|i| [0, 1, 2].map(|j| 0.5 * (r[i][j] + adjugate[i][j] / determinant)));
        let moved =
            (0..9).map(|k| (next[k / 3][k % 3] - r[k / 3][k % 3]).abs()).fold(0.0, f64::max);
        r = next;
        if moved < 1e-15 {
            break;
        }
    }
    // A reflection: R ← −R is a rotation, and the stretch takes the sign.
    if dot(r[0], cross(r[1], r[2])) < 0.0 {
        r = r.map(|column| column.map(|x| -x));
    }
    let s = [0, 1, 2].map(|j| [0, 1, 2].map(|i| 0.5 * (dot(r[i], a[j]) + dot(r[j], a[i]))));
    Some((r, s))
}

/// Returns the quaternion of a rotation, computed from its largest component (Shepperd 1978).
fn quaternion(r: Columns) -> Quaternion {
    let m = |row: usize, column: usize| r[column][row];
    let trace = m(0, 0) + m(1, 1) + m(2, 2);
    let parts = [m(0, 0), m(1, 1), m(2, 2), trace];
    let largest = (0..4).fold(3, |best, k| if parts[k] > parts[best] { k } else { best });
    let q = match largest {
        3 => [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1), 1.0 + trace],
        i => {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let mut q = [0.0; 4];
            q[i] = 1.0 + m(i, i) - m(j, j) - m(k, k);
            q[j] = m(j, i) + m(i, j);
            q[k] = m(k, i) + m(i, k);
            q[3] = m(k, j) - m(j, k);
            q
        }
    };
    let q = unit(q);
    // Of the two quaternions of a rotation, that with w ≥ 0.
    if q[3] < 0.0 { q.map(|x| -x) } else { q }
}

/// Returns the pose of a node, z up; `None` for a singular map or a position that is not finite.
pub(crate) fn z_up_pose([a, b, c, origin]: [[f64; 3]; 4]) -> Option<Pose> {
    let (r, _) = polar([a, b, c])?;
    let [x, y, z, w] = quaternion(r);
    let [qx, qy, qz] = z_up([x, y, z]);
    // −0 becomes 0, so that equal scenes compare equal whatever program exported them.
    let without_sign = |x: f64| x + 0.0;
    let position_m = z_up(origin).map(without_sign);
    position_m
        .iter()
        .all(|x| x.is_finite())
        .then_some(Pose { position_m, rotation: [qx, qy, qz, w].map(without_sign) })
}

/// Returns the map of a node's mesh: stretch and change of axes.
pub(crate) fn z_up_stretch([a, b, c, _]: [[f64; 3]; 4]) -> Option<Columns> {
    polar([a, b, c]).map(|(_, s)| s.map(z_up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::pose::rotate;

    fn apply(m: Columns, v: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2])
    }

    /// The pose after the mesh's map is the change of axes after the node's map.
    #[test]
    fn pose_and_stretch_compose_to_the_map() {
        let maps: [Columns; 6] = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.0, 2.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 0.0, 0.5]],
            [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
            [[1.0, 0.3, -0.2], [0.5, 2.0, 0.1], [0.7, -0.4, 0.9]],
            [[1e-3, 0.0, 0.0], [0.0, 1e-3, 1e-4], [0.0, 0.0, 1e-3]],
        ];
        for [a, b, c] in maps {
            let origin = [0.1, 0.2, 0.3];
            let pose = z_up_pose([a, b, c, origin]).unwrap();
            let mesh = z_up_stretch([a, b, c, origin]).unwrap();
            for v in [[1.0, 2.0, 3.0], [-0.5, 0.0, 0.25]] {
                let mapped = apply([a, b, c], v);
                let wanted = z_up([0, 1, 2].map(|i| mapped[i] + origin[i]));
                let found = pose.apply(apply(mesh, v));
                let error = (0..3).map(|i| (wanted[i] - found[i]).abs()).fold(0.0, f64::max);
                assert!(error < 1e-12, "{a:?}: {wanted:?} {found:?}");
            }
            let x = rotate(pose.rotation, [1.0, 0.0, 0.0]);
            assert!((dot(x, x) - 1.0).abs() < 1e-12);
        }
        assert_eq!(z_up_pose([[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]), None);
        assert_eq!(z_up_pose([[f64::NAN; 3]; 4]), None);
    }
}
