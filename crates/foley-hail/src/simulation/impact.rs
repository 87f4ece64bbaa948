//! A stone that has struck.

use crate::{Hit, Stone};
use glam::DVec3;

/// All that is known of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The stone's number.
    pub stone: u64,
    /// When, on the clock of the scene.
    pub at_s: f64,
    /// When, since the stone's birth.
    pub t_s: f64,
    /// The collider's number.
    pub collider: u32,
    /// The number of its part.
    pub part: u32,
    /// The triangle of a mesh; 0 for other surfaces.
    pub triangle: u32,
    /// Where.
    pub place_m: [f64; 3],
    /// At a right angle to the surface, of length one, on the side the stone came from.
    pub normal: [f64; 3],
    /// Surface coordinates in [0, 1]².
    pub uv: [f64; 2],
    /// The stone's velocity just before.
    pub velocity_m_s: [f64; 3],
    /// Its mass.
    pub mass_kg: f64,
    /// Its radius.
    pub radius_m: f64,
    /// Its kinetic energy just before.
    pub energy_j: f64,
}

impl Impact {
    /// Of a stone where it hits.
    pub fn new(stone: &Stone, hit: &Hit) -> Self {
        let velocity = stone.flight.speed(hit.t_s);
        Self {
            stone: stone.index,
            at_s: stone.born_s + hit.t_s,
            t_s: hit.t_s,
            collider: hit.collider,
            part: hit.part,
            triangle: hit.triangle,
            place_m: hit.place_m,
            normal: hit.normal,
            uv: hit.uv,
            velocity_m_s: velocity.to_array(),
            mass_kg: stone.mass_kg,
            radius_m: stone.radius_m,
            energy_j: 0.5 * stone.mass_kg * velocity.length_squared(),
        }
    }

    /// How fast the stone was.
    pub fn speed_m_s(&self) -> f64 {
        DVec3::from_array(self.velocity_m_s).length()
    }

    /// How fast it was at a right angle to the surface.
    pub fn normal_speed_m_s(&self) -> f64 {
        DVec3::from_array(self.velocity_m_s).dot(DVec3::from_array(self.normal)).abs()
    }

    /// The hit alone.
    pub fn hit(&self) -> Hit {
        Hit {
            t_s: self.t_s,
            place_m: self.place_m,
            normal: self.normal,
            uv: self.uv,
            collider: self.collider,
            part: self.part,
            triangle: self.triangle,
        }
    }

    /// The order of impacts: by time, and at one time by stone.
    pub fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.at_s.total_cmp(&other.at_s).then(self.stone.cmp(&other.stone))
    }
}
