//! Normal velocities of a surface, linear over each triangle.

use crate::{Surface, WavesError};
use glam::DVec3;

/// Normal velocity of every triangle at its three corners, m/s, peak values, all in phase.
///
/// Corners and not vertices: at an edge of a box the faces move along different normals. In single precision,
/// since bodies have thousands of triangles and of modes.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalVelocity {
    pub(crate) corners: Vec<[f32; 3]>,
}

impl NormalVelocity {
    /// Takes the normal part of velocity vectors at the vertices given to [`Surface::new`].
    pub fn from_vectors(surface: &Surface, vectors: &[[f64; 3]]) -> Result<Self, WavesError> {
        check_size("the velocity field", surface.given, vectors.len())?;
        let corners = surface
            .triangles
            .iter()
            .map(|t| t.source.map(|v| DVec3::from(vectors[v as usize]).dot(t.normal) as f32));
        Self::checked(corners.collect())
    }

    /// Takes normal velocities at the vertices given to [`Surface::new`], along the normals of the
    /// triangles as they were wound.
    pub fn from_normals(surface: &Surface, speeds: &[f64]) -> Result<Self, WavesError> {
        check_size("the velocity field", surface.given, speeds.len())?;
        let corners = surface.triangles.iter().map(|t| {
            let sign = if t.flipped { -1.0 } else { 1.0 };
            t.source.map(|v| (sign * speeds[v as usize]) as f32)
        });
        Self::checked(corners.collect())
    }

    /// Returns the velocities of a rigid body: unit translation along x, y, z, and unit rotation,
    /// 1 rad/s, about axes through `pivot`.
    pub fn rigid_body(surface: &Surface, pivot: [f64; 3]) -> [Self; 6] {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        std::array::from_fn(|motion| {
            let axis = axes[motion % 3];
            let at = |v: u32| match motion < 3 {
                true => axis,
                false => axis.cross(surface.points[v as usize] - DVec3::from(pivot)),
            };
            let normal =
                |t: &crate::surface::Triangle| t.corners.map(|v| at(v).dot(t.normal) as f32);
            let corners = surface.triangles.iter().map(normal);
            Self { corners: corners.collect() }
        })
    }

    fn checked(corners: Vec<[f32; 3]>) -> Result<Self, WavesError> {
        match corners.iter().flatten().all(|v| v.is_finite()) {
            true => Ok(Self { corners }),
            false => Err(WavesError::VelocityNotFinite { field: 0 }),
        }
    }

    /// Returns ∫ v dA, the volume velocity, m³/s.
    pub fn volume_velocity_m3_s(&self, surface: &Surface) -> f64 {
        let of = |(t, v): (&crate::surface::Triangle, &[f32; 3])| {
            let [a, b, c] = v.map(f64::from);
            t.area * (a + b + c) / 3.0
        };
        surface.triangles.iter().zip(&self.corners).map(of).sum()
    }
}

pub(crate) fn check_size(
    what: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), WavesError> {
    if expected == found { Ok(()) } else { Err(WavesError::Size { what, expected, found }) }
}
