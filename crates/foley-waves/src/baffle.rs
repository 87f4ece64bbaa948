//! Flat pieces of a rigid wall: the Rayleigh integral.
//!
//! Lord Rayleigh, *The Theory of Sound* (1896), §278: in front of an infinite rigid wall
//! `p = −iωρ₀/2π ∫ v e^{ikr}/r dA` exactly (e^{−iωt}); no equation has to be solved.

use crate::far_field::{FarField, Source, SphereGrid, Waves, far_fields as fields_of};
use crate::operator::Elements;
use crate::velocity::NormalVelocity;
use faer::Mat;
use foley_geometry::constants::{AIR_DENSITY_KG_M3, SOUND_SPEED_M_S};
use glam::DVec3;
use num_complex::Complex64;
use std::f64::consts::PI;

/// Which triangles are seen from a direction, and with what sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visible {
    /// All of them, as in a wall.
    All,
    /// Those that face the direction; sheets show their back, which moves the other way.
    Facing,
}

/// Every triangle as a piece of a wall of its own; the densities are normal velocities at the
/// quadrature points.
pub(crate) struct Wall<'a> {
    pub(crate) elements: &'a Elements,
    pub(crate) k: f64,
    pub(crate) visible: Visible,
}

impl Source for Wall<'_> {
    fn k(&self) -> f64 {
        self.k
    }

    fn elements(&self) -> &Elements {
        self.elements
    }

    fn rows(&self) -> usize {
        self.elements.points[0].len()
    }

    fn half_space(&self) -> bool {
        self.visible == Visible::All
    }

    fn weigh(&self, direction: DVec3, waves: Waves<'_>, row: &mut [Complex64]) {
        let omega_rho = self.k * SOUND_SPEED_M_S * AIR_DENSITY_KG_M3;
        for (e, element) in self.elements.list.iter().enumerate() {
            let sign = match self.visible {
                Visible::All => 1.0,
                Visible::Facing if direction.dot(element.normal) > 0.0 => 1.0,
                Visible::Facing if element.closed => continue,
                Visible::Facing => -1.0,
            };
            let scale = Complex64::new(0.0, -sign * omega_rho / (2.0 * PI) * element.area / 3.0);
            for (to, wave) in row[3 * e..].iter_mut().zip(waves.at(e)) {
                *to += wave * scale;
            }
        }
    }
}

/// Returns the far field of each velocity field.
pub(crate) fn far_fields(
    elements: &Elements,
    k: f64,
    center: DVec3,
    grid: &SphereGrid,
    velocities: &[NormalVelocity],
) -> Vec<FarField> {
    let wall = Wall { elements, k, visible: Visible::All };
    fields_of(&wall, &speeds_at_points(elements, velocities), center, grid)
}

/// Returns the velocities at the quadrature points, three to an element.
pub(crate) fn speeds_at_points(
    elements: &Elements,
    velocities: &[NormalVelocity],
) -> Mat<Complex64> {
    Mat::from_fn(3 * elements.list.len(), velocities.len(), |q, j| {
        let v = velocities[j].corners[elements.list[q / 3].triangle].map(f64::from);
        let all = (v[0] + v[1] + v[2]) / 6.0;
        Complex64::from(all + 0.5 * v[q % 3])
    })
}
