//! The cloud: where stones are born.

use crate::HailError;
use crate::check::{FAR, near, within};

/// The outline of a cloud, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CloudShape {
    /// Round.
    Disc {
        /// Its radius.
        radius_m: f64,
    },
    /// Along the axes.
    Rectangle {
        /// Its sides along x and y.
        size_m: [f64; 2],
    },
}

/// A flat cloud that drifts: stones are born anywhere in it alike, where it is at that moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloud {
    /// Its outline.
    pub shape: CloudShape,
    /// Its centre when the hail begins; z is its height.
    pub centre_m: [f64; 3],
    /// How fast it drifts along x and y.
    pub drift_m_s: [f64; 2],
}

impl Cloud {
    /// A round cloud at rest.
    pub fn disc(centre_m: [f64; 3], radius_m: f64) -> Self {
        Self { shape: CloudShape::Disc { radius_m }, centre_m, drift_m_s: [0.0; 2] }
    }

    /// A rectangular cloud at rest.
    pub fn rectangle(centre_m: [f64; 3], size_m: [f64; 2]) -> Self {
        Self { shape: CloudShape::Rectangle { size_m }, centre_m, drift_m_s: [0.0; 2] }
    }

    /// The same cloud, drifting.
    pub fn drifting(self, drift_m_s: [f64; 2]) -> Self {
        Self { drift_m_s, ..self }
    }

    /// Its area, m².
    pub fn area_m2(&self) -> f64 {
        match self.shape {
            CloudShape::Disc { radius_m } => std::f64::consts::PI * radius_m * radius_m,
            CloudShape::Rectangle { size_m: [x, y] } => x * y,
        }
    }

    /// The place of a stone born `age_s` after the hail began, for two fractions.
    ///
    /// A disc is filled evenly by `r = R √a`, at the angle of `b` turns. (In WGSL sin and cos may be
    /// wrong by 2⁻¹¹: a port needs its own.)
    pub fn birthplace(&self, age_s: f64, [a, b]: [f64; 2]) -> [f64; 3] {
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

    pub(crate) fn check(&self) -> Result<(), HailError> {
        near("cloud.centre_m", &self.centre_m)?;
        near("cloud.drift_m_s", &self.drift_m_s)?;
        let must = "more than 0 and at most 1e6 m: a cloud without area has no stones";
        let least = 1e-6;
        match self.shape {
            CloudShape::Disc { radius_m } => within("cloud.radius_m", radius_m, [least, FAR], must),
            CloudShape::Rectangle { size_m } => {
                size_m.iter().try_for_each(|m| within("cloud.size_m", *m, [least, FAR], must))
            }
        }
    }
}
