//! The impact of a stone on a target.

use crate::{Hailstone, Hit};
use glam::DVec3;

/// An impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The index of the stone.
    pub stone: u64,
    /// The time in the scene.
    pub at_s: f64,
    /// The time since the birth of the stone.
    pub t_s: f64,
    /// The index of the target.
    pub target: u32,
    /// The number of the part of the target.
    pub part: u32,
    /// The index of the triangle in a mesh; 0 for other surfaces.
    pub triangle: u32,
    /// The position.
    pub position_m: [f64; 3],
    /// The unit normal of the surface on the side of the stone.
    pub normal: [f64; 3],
    /// Surface coordinates in [0, 1]².
    pub uv: [f64; 2],
    /// The velocity of the stone before the impact.
    pub velocity_m_s: [f64; 3],
    /// The mass of the stone.
    pub mass_kg: f64,
    /// The radius of the stone.
    pub radius_m: f64,
    /// The kinetic energy of the stone before the impact.
    pub energy_j: f64,
}

impl Impact {
    /// Returns the impact of a stone for a hit on its trajectory.
    pub fn new(stone: &Hailstone, hit: &Hit) -> Self {
        let velocity = stone.trajectory.velocity_vec(hit.t_s);
        Self {
            stone: stone.index,
            at_s: stone.born_s + hit.t_s,
            t_s: hit.t_s,
            target: hit.target,
            part: hit.part,
            triangle: hit.triangle,
            position_m: hit.position_m,
            normal: hit.normal,
            uv: hit.uv,
            velocity_m_s: velocity.to_array(),
            mass_kg: stone.mass_kg,
            radius_m: stone.radius_m,
            energy_j: 0.5 * stone.mass_kg * velocity.length_squared(),
        }
    }

    /// Returns the speed of the stone.
    pub fn speed_m_s(&self) -> f64 {
        DVec3::from_array(self.velocity_m_s).length()
    }

    /// Returns the component of the speed along the normal.
    pub fn normal_speed_m_s(&self) -> f64 {
        DVec3::from_array(self.velocity_m_s).dot(DVec3::from_array(self.normal)).abs()
    }

    /// Returns the geometric part of the impact.
    pub fn hit(&self) -> Hit {
        Hit {
            t_s: self.t_s,
            position_m: self.position_m,
            normal: self.normal,
            uv: self.uv,
            target: self.target,
            part: self.part,
            triangle: self.triangle,
        }
    }

    /// Orders impacts by time, then by stone.
    pub fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.at_s.total_cmp(&other.at_s).then(self.stone.cmp(&other.stone))
    }
}
