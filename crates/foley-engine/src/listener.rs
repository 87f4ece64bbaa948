//! The listener: position and orientation of a head.

use foley_dsp::ears::Head;
use foley_dsp::propagation::Position;
use glam::DVec3;

/// Position and orientation of the listener. The axes are the scene's own; z is up by default.
///
/// ```
/// use foley_engine::Listener;
/// let listener = Listener::at([0.0, -3.0, 1.7]).looking_at([0.0, 0.0, 1.0]);
/// assert!(listener.forward[1] > 0.9);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Listener {
    /// Position of the head's centre, m.
    pub position_m: [f64; 3],
    /// Velocity, m/s; `None` to take it from the last two positions.
    pub velocity_m_s: Option<[f64; 3]>,
    /// Viewing direction.
    pub forward: [f64; 3],
    /// Direction of the top of the head, not parallel to `forward`.
    pub up: [f64; 3],
}

impl Default for Listener {
    fn default() -> Self {
        Self::at([0.0; 3])
    }
}

impl Listener {
    /// Returns a listener at a position, who looks along y.
    pub fn at(position_m: [f64; 3]) -> Self {
        let Head { forward, up } = Head::default();
        let [forward, up] = [forward, up].map(|v| v.to_array());
        Self { position_m, velocity_m_s: None, forward, up }
    }

    /// Looks at a point; keeps the direction when the listener is there.
    pub fn looking_at(self, point_m: [f64; 3]) -> Self {
        let forward = DVec3::from(point_m) - DVec3::from(self.position_m);
        if forward.length() > 1e-9 { self.facing(forward.normalize().to_array()) } else { self }
    }

    /// Looks in a direction.
    pub fn facing(self, forward: [f64; 3]) -> Self {
        Self { forward, ..self }
    }

    /// Sets the direction of the top of the head.
    pub fn with_up(self, up: [f64; 3]) -> Self {
        Self { up, ..self }
    }

    /// Sets the velocity, m/s.
    pub fn with_velocity(self, velocity_m_s: [f64; 3]) -> Self {
        Self { velocity_m_s: Some(velocity_m_s), ..self }
    }

    pub(crate) fn is_finite(&self) -> bool {
        let all = [self.position_m, self.forward, self.up, self.velocity_m_s.unwrap_or_default()];
        // Squares of larger numbers would overflow.
        all.into_iter().flatten().all(|x| x.abs() < 1e100)
    }

    pub(crate) fn head(&self) -> Head {
        Head { forward: self.forward.into(), up: self.up.into() }
    }

    pub(crate) fn position(&self) -> Position {
        let velocity_m_s = self.velocity_m_s.unwrap_or_default().into();
        Position { position_m: self.position_m.into(), velocity_m_s }
    }
}
