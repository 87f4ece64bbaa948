//! From glTF's axes (y up) to the scene's (z up), and from affine maps to poses.
//!
//! The linear map A from node to scene is split into a rotation and a stretch, A = R S (polar
//! decomposition, S symmetric): S is applied to the mesh, R is the object's rotation. With C for
//! the change of axes, (x, y, z) → (x, −z, y), the mesh is C S and the rotation C R Cᵀ.

use crate::scene::Pose;
use foley_geometry::pose::normalised_rotation;
use glam::{DAffine3, DMat3, DQuat, DVec3, DVec4};

/// Converts a vector from y up to z up.
pub(crate) fn z_up(v: DVec3) -> DVec3 {
    DVec3::new(v.x, -v.z, v.y)
}

/// Returns the largest absolute element.
pub(super) fn largest(a: DMat3) -> f64 {
    a.to_cols_array().into_iter().fold(0.0, |max, x| max.max(x.abs()))
}

/// Returns the orthogonal factor of A, by Newton's iteration R ← (R + R⁻ᵀ)/2 (Higham 1986), and
/// the symmetric one; `None` if A is singular.
fn polar(a: DMat3) -> Option<(DMat3, DMat3)> {
    let size = largest(a);
    if !(1e-9..=1e9).contains(&size) {
        return None;
    }
    let mut r = a / size;
    for _ in 0..60 {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = r;
        let adjugate = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let determinant = x.dot(adjugate.x_axis);
        if !(determinant.abs() > 1e-12) {
            return None;
        }
        let next = (r + adjugate / determinant) * 0.5;
        let moved = largest(next - r);
        r = next;
        if moved < 1e-15 {
            break;
        }
    }
    // A reflection: R ← −R is a rotation, and the stretch takes the sign.
    if r.determinant() < 0.0 {
        r = -r;
    }
    let s = r.transpose() * a;
    Some((r, (s + s.transpose()) * 0.5))
}

/// Returns the pose of a node, z up; `None` for a singular map or a position that is not finite.
pub(crate) fn z_up_pose(scene_from_node: DAffine3) -> Option<Pose> {
    let (r, _) = polar(scene_from_node.matrix3)?;
    let q = normalised_rotation(DQuat::from_mat3(&r));
    // Of the two quaternions of a rotation, that with w ≥ 0.
    let q = if q.w < 0.0 { -q } else { q };
    // −0 becomes 0, so that equal scenes compare equal whatever program exported them.
    let position_m = z_up(scene_from_node.translation) + DVec3::ZERO;
    let rotation = z_up(q.xyz()).extend(q.w) + DVec4::ZERO;
    position_m
        .is_finite()
        .then_some(Pose { position_m: position_m.to_array(), rotation: rotation.to_array() })
}

/// Returns the map of a node's mesh: stretch and change of axes.
pub(crate) fn z_up_stretch(scene_from_node: DAffine3) -> Option<DMat3> {
    let (_, s) = polar(scene_from_node.matrix3)?;
    Some(DMat3::from_cols(z_up(s.x_axis), z_up(s.y_axis), z_up(s.z_axis)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pose after the mesh's map is the change of axes after the node's map.
    #[test]
    fn pose_and_stretch_compose_to_the_map() {
        let maps = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.0, 2.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 0.0, 0.5]],
            [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
            [[1.0, 0.3, -0.2], [0.5, 2.0, 0.1], [0.7, -0.4, 0.9]],
            [[1e-3, 0.0, 0.0], [0.0, 1e-3, 1e-4], [0.0, 0.0, 1e-3]],
        ];
        for [a, b, c] in maps {
            let map = DAffine3::from_cols_array_2d(&[a, b, c, [0.1, 0.2, 0.3]]);
            let pose = z_up_pose(map).unwrap();
            let mesh = z_up_stretch(map).unwrap();
            for v in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-0.5, 0.0, 0.25)] {
                let wanted = z_up(map.transform_point3(v));
                let found = DVec3::from(pose.apply((mesh * v).to_array()));
                assert!(wanted.abs_diff_eq(found, 1e-12), "{a:?}: {wanted:?} {found:?}");
            }
            let x = DVec3::from(pose.rotate([1.0, 0.0, 0.0]));
            assert!((x.length_squared() - 1.0).abs() < 1e-12);
        }
        let flat = DMat3::from_diagonal(DVec3::new(0.0, 1.0, 1.0));
        assert_eq!(z_up_pose(DAffine3::from_mat3(flat)), None);
        assert_eq!(z_up_pose(DAffine3::NAN), None);
    }
}
