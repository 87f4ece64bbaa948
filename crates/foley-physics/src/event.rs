//! Events that a world reports.

use serde::Serialize;

/// A collision of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Impact {
    /// Time since the beginning of the scene, s.
    pub at_s: f64,
    /// Indices of the two bodies.
    pub bodies: [u32; 2],
    /// Contact point in each body's frame, m.
    pub places: [[f64; 3]; 2],
    /// Unit vector in the world, from the first body to the second.
    pub normal: [f64; 3],
    /// Normal impulse, N·s.
    pub impulse_ns: f64,
    /// Approach speed along the normal, m/s.
    pub speed_m_s: f64,
    /// Energy lost by the two bodies, J, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_j: Option<f64>,
}

/// State of a sustained contact: two bodies that rest, slide or roll on each other.
///
/// It holds until the next `SustainedContact` with the same `contact`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SustainedContact {
    /// Time from which this state holds, s since the beginning of the scene.
    pub at_s: f64,
    /// Identifier of the contact while it lasts; never reused.
    pub contact: u64,
    /// Indices of the two bodies.
    pub bodies: [u32; 2],
    /// Contact point in each body's frame, m.
    pub places: [[f64; 3]; 2],
    /// Unit vector in the world, from the first body to the second.
    pub normal: [f64; 3],
    /// Normal force without impacts, N.
    pub force_n: f64,
    /// Slip speed of the surfaces, m/s.
    pub slip_m_s: f64,
    /// Rolling speed: common speed of the contact point over both surfaces, m/s.
    pub roll_m_s: f64,
    /// Whether the contact ends here. Where a force remains, the bodies have come to rest on each other and are no longer
    /// simulated: they lie there until one of them moves.
    pub over: bool,
}

/// Pose and velocity of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PoseEvent {
    /// Time since the beginning of the scene, s.
    pub at_s: f64,
    /// Index of the body.
    pub body: u32,
    /// Origin of its frame in the world, m.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w from its frame to the world.
    pub rotation: [f64; 4],
    /// Velocity of its centre of mass, m/s.
    pub velocity: [f64; 3],
}

/// Impact of a hailstone on a body. Hailstones are not bodies: each is reported once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HailImpact {
    /// Time since the beginning of the scene, s.
    pub at_s: f64,
    /// Index of the body.
    pub body: u32,
    /// Impact point in the body's frame, m.
    pub place: [f64; 3],
    /// Outward unit normal in the world.
    pub normal: [f64; 3],
    /// Approach speed along the normal, m/s.
    pub speed_m_s: f64,
    /// Mass of the stone, kg.
    pub mass_kg: f64,
    /// Radius of the stone, m.
    pub radius_m: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
}

/// An event of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// A collision of two bodies.
    Impact(Impact),
    /// State of a sustained contact.
    #[serde(rename = "touch")]
    SustainedContact(SustainedContact),
    /// Pose of a body.
    Pose(PoseEvent),
    /// Impact of a hailstone.
    #[serde(rename = "stone")]
    HailImpact(HailImpact),
}

impl Event {
    /// Returns the time since the beginning of the scene, s.
    pub fn at_s(&self) -> f64 {
        match self {
            Self::Impact(impact) => impact.at_s,
            Self::SustainedContact(contact) => contact.at_s,
            Self::Pose(pose) => pose.at_s,
            Self::HailImpact(stone) => stone.at_s,
        }
    }
}
