//! The cloud: the area from which stones are emitted.

use crate::HailError;
use crate::validate::{MAX_MAGNITUDE, in_bounds, in_range};

/// The outline of a cloud from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CloudShape {
    /// A circle.
    Disc {
        /// Its radius.
        radius_m: f64,
    },
    /// An axis-aligned rectangle.
    Rectangle {
        /// Its sides along x and y.
        size_m: [f64; 2],
    },
}

/// A flat, drifting cloud. Stones are born uniformly distributed over its current area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloud {
    /// Its outline.
    pub shape: CloudShape,
    /// Its centre when the hail starts; z is its height.
    pub centre_m: [f64; 3],
    /// Its drift velocity along x and y.
    pub drift_m_s: [f64; 2],
}

impl Cloud {
    /// Returns a circular cloud at rest.
    pub fn disc(centre_m: [f64; 3], radius_m: f64) -> Self {
        Self { shape: CloudShape::Disc { radius_m }, centre_m, drift_m_s: [0.0; 2] }
    }

    /// Returns a rectangular cloud at rest.
    pub fn rectangle(centre_m: [f64; 3], size_m: [f64; 2]) -> Self {
        Self { shape: CloudShape::Rectangle { size_m }, centre_m, drift_m_s: [0.0; 2] }
    }

    /// Returns the same cloud with a drift velocity.
    pub fn drifting(self, drift_m_s: [f64; 2]) -> Self {
        Self { drift_m_s, ..self }
    }

    /// Returns its area, m².
    pub fn area_m2(&self) -> f64 {
        match self.shape {
            CloudShape::Disc { radius_m } => std::f64::consts::PI * radius_m * radius_m,
            CloudShape::Rectangle { size_m: [x, y] } => x * y,
        }
    }

    /// Returns the position of a stone born `age_s` after the hail started, for two random fractions.
    ///
    /// A disc is sampled uniformly by `r = R √a` at the angle 2πb. (The built-in sin and cos of WGSL may be
    /// wrong by 2⁻¹¹: a port needs its own.)
    pub fn spawn_position(&self, age_s: f64, [a, b]: [f64; 2]) -> [f64; 3] {
        let [dx, dy] = match self.shape {
            CloudShape::Disc { radius_m } => {
                let r = radius_m * a.sqrt();
                let (sin, cos) = libm::sincos(std::f64::consts::TAU * b);
                [r * cos, r * sin]
            }
            CloudShape::Rectangle { size_m: [x, y] } => [x * (a - 0.5), y * (b - 0.5)],
        };
        let [x, y, z] = self.centre_m;
        [x + self.drift_m_s[0] * age_s + dx, y + self.drift_m_s[1] * age_s + dy, z]
    }

    pub(crate) fn validate(&self) -> Result<(), HailError> {
        in_bounds("cloud.centre_m", &self.centre_m)?;
        in_bounds("cloud.drift_m_s", &self.drift_m_s)?;
        let must = "more than 0 and at most 1e6 m: a cloud without area emits no stones";
        let least = 1e-6;
        match self.shape {
            CloudShape::Disc { radius_m } => {
                in_range("cloud.radius_m", radius_m, [least, MAX_MAGNITUDE], must)
            }
            CloudShape::Rectangle { size_m } => size_m
                .iter()
                .try_for_each(|m| in_range("cloud.size_m", *m, [least, MAX_MAGNITUDE], must)),
        }
    }
}
