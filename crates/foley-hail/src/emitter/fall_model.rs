//! The fall models: ballistic, or straight at terminal speed.

use crate::HailError;
use crate::validate::{MAX_MAGNITUDE, in_bounds, in_range};

/// The two fall models of \[CS\] section 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FallModel {
    /// `p(t) = a t²/2 + v₀ t + x₀`: gravity and a uniform acceleration by the wind; no drag.
    Accelerated {
        /// The contribution of the wind to a; gravity is added.
        wind_m_s2: [f64; 3],
        /// The mean of v₀.
        velocity_m_s: [f64; 3],
        /// Each component of v₀ deviates by up to ± this, uniformly distributed.
        spread_m_s: f64,
    },
    /// Straight lines: the terminal speed of each stone plus the wind velocity.
    Straight {
        /// The wind velocity along x and y.
        wind_m_s: [f64; 2],
    },
}

impl FallModel {
    /// Returns free fall from rest.
    pub fn free() -> Self {
        Self::Accelerated { wind_m_s2: [0.0; 3], velocity_m_s: [0.0; 3], spread_m_s: 0.0 }
    }

    /// Returns a fall at terminal speed in a wind.
    pub fn straight(wind_m_s: [f64; 2]) -> Self {
        Self::Straight { wind_m_s }
    }

    pub(crate) fn validate(&self) -> Result<(), HailError> {
        match self {
            Self::Accelerated { wind_m_s2, velocity_m_s, spread_m_s } => {
                in_bounds("fall.wind_m_s2", wind_m_s2)?;
                in_bounds("fall.velocity_m_s", velocity_m_s)?;
                let must = "from 0 to 1e6 m/s";
                in_range("fall.spread_m_s", *spread_m_s, [0.0, MAX_MAGNITUDE], must)
            }
            Self::Straight { wind_m_s } => in_bounds("fall.wind_m_s", wind_m_s),
        }
    }
}
