//! Axes of a simulation.

use crate::PhysicsError;
use foley_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

/// Largest deviation of given axes from an orthonormal system.
const TOLERANCE: f64 = 1e-6;

/// Axes of a simulation relative to Foley's: x to the right, y forwards, z up.
///
/// They hold for the world and for the frames of bodies alike, as in a scene that was drawn y-up
/// from its meshes to its world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Foley's coordinates from those of the simulation.
    foley_from_simulation: DMat3,
}

impl Axes {
    /// Foley's own axes: z up.
    pub const Z_UP: Self = Self { foley_from_simulation: DMat3::IDENTITY };
    /// Axes of glTF, Bevy and Rapier's own scenes: y up, (x, y, z) → (x, −z, y).
    pub const Y_UP: Self = Self {
        foley_from_simulation: DMat3 { x_axis: DVec3::X, y_axis: DVec3::Z, z_axis: DVec3::NEG_Y },
    };

    /// Makes axes from three directions in the simulation: right, forwards and up.
    ///
    /// They must be orthogonal unit vectors and right-handed (right × forwards = up): a mirrored
    /// world would turn the other way round.
    pub fn new(right: [f64; 3], forwards: [f64; 3], up: [f64; 3]) -> Result<Self, PhysicsError> {
        let rows = DMat3::from_cols(right.into(), forwards.into(), up.into());
        let wrong = |what, value, must| Err(PhysicsError::Setting { what, value, must });
        let error = rows.transpose() * rows - DMat3::IDENTITY;
        let largest = error.to_cols_array().into_iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        if !(largest <= TOLERANCE && rows.is_finite()) {
            return wrong("deviation of the axes from orthogonal unit vectors", largest, "zero");
        }
        let determinant = rows.determinant();
        if determinant < 0.0 {
            return wrong("handedness of the axes", determinant, "1: right × forwards = up");
        }
        Ok(Self { foley_from_simulation: rows.transpose() })
    }

    /// Converts a vector of the world or of a body's frame to Foley's axes.
    pub fn vector(&self, v: [f64; 3]) -> [f64; 3] {
        // Without arithmetic, which would change the sign of zeros.
        if *self == Self::Z_UP { v } else { (self.foley_from_simulation * DVec3::from(v)).into() }
    }

    /// Converts the pose of a body.
    pub fn pose(&self, pose: Pose) -> Pose {
        if *self == Self::Z_UP {
            return pose;
        }
        let turn = DQuat::from_mat3(&self.foley_from_simulation);
        let rotation = turn * DQuat::from_array(pose.rotation) * turn.inverse();
        Pose { position_m: self.vector(pose.position_m), rotation: rotation.to_array() }
    }
}

impl Default for Axes {
    fn default() -> Self {
        Self::Z_UP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_becomes_z_and_the_other_axes_follow() {
        let (x, y, z) = (DVec3::X.to_array(), DVec3::Y.to_array(), DVec3::Z.to_array());
        assert_eq!(Axes::Y_UP.vector(y), z);
        assert_eq!(Axes::Y_UP.vector(x), x);
        // glTF looks along −z, Foley along y.
        assert_eq!(Axes::Y_UP.vector([0.0, 0.0, -1.0]), y);
        assert_eq!(Axes::new(x, [0.0, 0.0, -1.0], y).unwrap(), Axes::Y_UP);
        assert_eq!(Axes::new(x, y, z).unwrap(), Axes::Z_UP);
    }

    #[test]
    fn mirrored_and_oblique_axes_are_refused() {
        let (x, y, z) = (DVec3::X.to_array(), DVec3::Y.to_array(), DVec3::Z.to_array());
        assert!(Axes::new(y, x, z).is_err());
        assert!(Axes::new(x, [0.0, 1.0, 0.1], z).is_err());
        assert!(Axes::new(x, [f64::NAN; 3], z).is_err());
    }

    #[test]
    fn a_point_of_a_body_is_converted_like_a_point_of_the_world() {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0);
        let pose = Pose { position_m: [1.0, 2.0, -3.0], rotation: turn.to_array() };
        let place = [0.1, -0.4, 0.7];
        let axes = Axes::new([0.0, 0.8, 0.6], [1.0, 0.0, 0.0], [0.0, 0.6, -0.8]).unwrap();
        let world = DVec3::from(axes.vector(pose.apply(place)));
        let converted = DVec3::from(axes.pose(pose).apply(axes.vector(place)));
        assert!(world.distance(converted) < 1e-12, "{world} {converted}");
    }
}
