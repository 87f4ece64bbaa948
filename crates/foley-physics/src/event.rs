//! What a scene in motion tells those who want to hear it.

use serde::Serialize;

/// Two bodies struck each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Impact {
    /// When, in seconds from the beginning of the scene.
    pub at_s: f64,
    /// The two bodies, by their numbers.
    pub bodies: [u32; 2],
    /// Where, in each body's own frame, in metres.
    pub places: [[f64; 3]; 2],
    /// Unit vector in the world, from the first body to the second.
    pub normal: [f64; 3],
    /// What one body gave to the other along the normal, in newton-seconds.
    pub impulse_ns: f64,
    /// How fast they approached along the normal.
    pub speed_m_s: f64,
    /// What the two lost of their energy, in joules, where the simulation knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_j: Option<f64>,
}

/// Two bodies lie, slide or roll on each other.
///
/// What holds for a time: it stays true until the next `SustainedContact` of the same `contact`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SustainedContact {
    /// Since when this holds, in seconds from the beginning of the scene.
    pub at_s: f64,
    /// The same number while the touch lasts; never used again.
    pub contact: u64,
    /// The two bodies, by their numbers.
    pub bodies: [u32; 2],
    /// Where, in each body's own frame, in metres.
    pub places: [[f64; 3]; 2],
    /// Unit vector in the world, from the first body to the second.
    pub normal: [f64; 3],
    /// How hard they press on each other along the normal, without impacts.
    pub force_n: f64,
    /// How fast the surfaces slip over each other.
    pub slip_m_s: f64,
    /// How fast the contact point travels over both surfaces together.
    pub roll_m_s: f64,
    /// Whether this was the last word of this touch.
    pub over: bool,
}

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pose {
    /// When, in seconds from the beginning of the scene.
    pub at_s: f64,
    /// Which body.
    pub body: u32,
    /// The origin of its own frame, in the world.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w from its own frame to the world.
    pub rotation: [f64; 4],
    /// How fast its centre of mass moves.
    pub velocity: [f64; 3],
}

/// A stone of hail struck a body. Stones are no bodies: each strikes once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HailImpact {
    /// When, in seconds from the beginning of the scene.
    pub at_s: f64,
    /// The body it struck.
    pub body: u32,
    /// Where, in the body's own frame, in metres.
    pub place: [f64; 3],
    /// Unit vector in the world, out of the body.
    pub normal: [f64; 3],
    /// How fast it came along the normal.
    pub speed_m_s: f64,
    /// Its mass.
    pub mass_kg: f64,
    /// Its radius.
    pub radius_m: f64,
    /// The part of its speed with which it leaps off, 0 to 1.
    pub restitution: f64,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Two bodies struck each other.
    Impact(Impact),
    /// Two bodies lie, slide or roll on each other.
    SustainedContact(SustainedContact),
    /// Where a body is.
    Pose(Pose),
    /// A stone of hail struck a body.
    HailImpact(HailImpact),
}

impl Event {
    /// When it happened.
    pub fn at_s(&self) -> f64 {
        match self {
            Self::Impact(impact) => impact.at_s,
            Self::SustainedContact(touch) => touch.at_s,
            Self::Pose(pose) => pose.at_s,
            Self::HailImpact(stone) => stone.at_s,
        }
    }
}
