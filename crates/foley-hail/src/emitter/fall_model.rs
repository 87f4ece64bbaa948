//! How stones fall.

use crate::HailError;
use crate::check::{FAR, near, within};

/// The two falls of \[CS\] section 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fall {
    /// `p(t) = a t²/2 + v₀ t + x₀`: gravity and a wind that pushes all stones alike; no drag.
    Accelerated {
        /// The wind's part of a; gravity is added.
        wind_m_s2: [f64; 3],
        /// v₀, common to all.
        velocity_m_s: [f64; 3],
        /// Each component of v₀ differs by up to this, either way.
        spread_m_s: f64,
    },
    /// Straight lines at the terminal speed of each stone, carried along by the wind.
    Straight {
        /// The wind along x and y.
        wind_m_s: [f64; 2],
    },
}

impl Fall {
    /// Free fall from rest.
    pub fn free() -> Self {
        Self::Accelerated { wind_m_s2: [0.0; 3], velocity_m_s: [0.0; 3], spread_m_s: 0.0 }
    }

    /// Terminal speed in a wind.
    pub fn straight(wind_m_s: [f64; 2]) -> Self {
        Self::Straight { wind_m_s }
    }

    pub(crate) fn check(&self) -> Result<(), HailError> {
        match self {
            Self::Accelerated { wind_m_s2, velocity_m_s, spread_m_s } => {
                near("fall.wind_m_s2", wind_m_s2)?;
                near("fall.velocity_m_s", velocity_m_s)?;
                let must = "from 0 to 1e6 m/s";
                within("fall.spread_m_s", *spread_m_s, [0.0, FAR], must)
            }
            Self::Straight { wind_m_s } => near("fall.wind_m_s", wind_m_s),
        }
    }
}
