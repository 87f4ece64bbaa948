//! Area S and equivalent radius a of each shape, for its radiation efficiency (`crate::radiation`):
//!
//! | shape | S | a | ⟨u_n²⟩ |
//! |---|---|---|---|
//! | bar | both faces, 2 L w | √(S/4π), the sphere of that surface | 1/M |
//! | rod, string | the mantle, π d L | √(S/4π) | 1/(2M): only cos θ of the motion is normal |
//! | plate, disc, membrane | both faces, 2 A | √(A/π), the disc of that face | 1/M |

use crate::radiation;
use std::f64::consts::PI;

/// A radiating body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Radiator {
    /// S, m².
    area: f64,
    /// a, m.
    radius: f64,
    /// ⟨u_n²⟩, 1/kg.
    mean_u2: f64,
}

impl Radiator {
    /// Two faces of a bar of mass M, each of the given area.
    pub(super) fn bar(face: f64, mass: f64) -> Self {
        let area = 2.0 * face;
        Self { area, radius: (area / (4.0 * PI)).sqrt(), mean_u2: 1.0 / mass }
    }

    /// A round body that moves sideways.
    pub(super) fn mantle(length: f64, diameter: f64, mass: f64) -> Self {
        let area = PI * diameter * length;
        Self { area, radius: (area / (4.0 * PI)).sqrt(), mean_u2: 0.5 / mass }
    }

    /// A sheet with two faces of the given area.
    pub(super) fn sheet(face: f64, mass: f64) -> Self {
        Self { area: 2.0 * face, radius: (face / PI).sqrt(), mean_u2: 1.0 / mass }
    }

    /// p_n, Pa at 1 m for unit modal velocity.
    pub(super) fn pressure(&self, frequency_hz: f64, decay: f64) -> f64 {
        radiation::pressure(frequency_hz, self.radius, self.area * self.mean_u2, decay)
    }
}
