//! Strikers: mass, curvature and elasticity of the striking body, and presets.
//!
//! The presets are everyday objects with typical masses and radii; each names the source of its
//! elastic constants. Soft and fibrous materials are nonlinear: they have the secant modulus of a
//! moderate impact.

use foley_geometry::constants::{GLASS, ICE, STEEL, STONE};
use std::f64::consts::PI;

use super::{AcceleratedBody, ContactError, DEFAULT_RESTITUTION, RigidRadiation};
use crate::model::ContactBody;

/// The striking body, with its effective mass.
pub type Striker = ContactBody;

/// Names, parameters and restitution of the contact itself, hardest to softest. Restitutions of hard strikers: Goldsmith,
/// *Impact* (1960), §6, at about 1 m/s; of ice: Higa, Arakawa & Maeno, *Icarus* 133, 310 (1998), at several m/s; of
/// felt and rubber: estimates from their hysteresis; of tissue nothing is known.
const PRESETS: [(&str, Striker, f64); 12] = [
    // 20 mm bearing ball.
    ("steel ball", Striker::sphere(0.010, STEEL), 0.9),
    // 16 mm toy marble.
    ("glass marble", Striker::sphere(0.008, GLASS), 0.94),
    // 20 mm granite pebble.
    ("pebble", Striker::sphere(0.010, STONE), 0.8),
    // 10 mm hailstone; polycrystalline ice at −16 °C.
    ("hailstone", Striker::sphere(0.005, ICE), 0.5),
    // 20 mm acetal (POM) ball; data sheets give 2.8–3.1 GPa.
    ("hard plastic", Striker::sphere(0.010, [1410.0, 2.9e9, 0.35]), 0.85),
    // Tip of a nail with the mass of the last finger joint; keratin, 2–3 GPa.
    ("fingernail", striker(0.005, 0.005, 2.5e9, 0.40), DEFAULT_RESTITUTION),
    // 30 mm head of hard maple (10 g) and a share of its handle, struck across the
    // grain: E_R = 0.13 E_L (USDA Wood Handbook, chapter on mechanical properties).
    ("wooden mallet", striker(0.020, 0.015, 1.7e9, 0.40), 0.6),
    // Round tip of a 50 g stick that rotates about the hand: effective mass one third.
    // Hickory across the grain, about a tenth of its 15 GPa along it.
    ("drumstick", striker(0.017, 0.005, 1.5e9, 0.40), 0.6),
    // Felt over wood; felt stiffens steeply as it is compressed, and this secant
    // modulus makes a contact of about 4 ms at 1 m/s.
    ("felt mallet", striker(0.030, 0.015, 3.0e6, 0.30), 0.4),
    // Thin skin on bone with part of the hand's mass; between the 0.1 MPa of loose skin and the
    // GPa of bone, chosen for contacts of several ms.
    ("knuckle", striker(0.100, 0.010, 3.0e6, 0.49), DEFAULT_RESTITUTION),
    // Rounded corner of a 20 g eraser; soft rubber of Shore hardness A 45,
    // E = 2 MPa after Gent's relation (1958), nearly incompressible.
    ("rubber eraser", striker(0.020, 0.005, 2.0e6, 0.49), 0.6),
    // Finger pad with the mass of the last joint; soft tissue is of the order of 0.1 MPa and
    // stiffens under load.
    ("fingertip", striker(0.010, 0.008, 1.5e5, 0.49), DEFAULT_RESTITUTION),
];

const fn striker(mass_kg: f64, radius_m: f64, young_pa: f64, poisson: f64) -> Striker {
    Striker { mass_kg, radius_m, young_pa, poisson }
}

impl Striker {
    /// Makes a solid sphere from its radius and its density, Young's modulus and Poisson's ratio.
    pub const fn sphere(radius_m: f64, [density_kg_m3, young_pa, poisson]: [f64; 3]) -> Self {
        let volume = 4.0 / 3.0 * PI * radius_m * radius_m * radius_m;
        striker(density_kg_m3 * volume, radius_m, young_pa, poisson)
    }

    /// Returns the preset of that name, ignoring case; `-` and `_` count as spaces.
    ///
    /// ```
    /// use foley_dsp::excitation::Striker;
    /// assert!(Striker::named("Rubber-Eraser")?.young_pa < 1e7);
    /// let error = Striker::named("anvil").unwrap_err().to_string();
    /// assert!(error.contains("steel ball"));
    /// # Ok::<(), foley_dsp::excitation::ContactError>(())
    /// ```
    pub fn named(name: &str) -> Result<Self, ContactError> {
        let direct = name.trim().to_lowercase().replace(['-', '_'], " ");
        PRESETS
            .iter()
            .find(|(preset, ..)| *preset == direct)
            .map(|(_, striker, _)| *striker)
            .ok_or_else(|| ContactError::UnknownStriker { name: name.to_owned() })
    }

    /// Returns the restitution of the contact itself: what the striker would have on a body that does not give way. That
    /// of the preset with these parameters, or [`DEFAULT_RESTITUTION`].
    pub fn contact_restitution(&self) -> f64 {
        let same = |(_, striker, _): &&(&str, Striker, f64)| striker == self;
        PRESETS.iter().find(same).map_or(DEFAULT_RESTITUTION, |(.., restitution)| *restitution)
    }

    /// Returns how the striker radiates when it is thrown back: as a sphere of its radius. `None` for one that is flat.
    pub fn accelerated_body(&self) -> Option<AcceleratedBody> {
        let is_round = self.radius_m > 0.0 && self.radius_m.is_finite();
        let sphere = || RigidRadiation::sphere(self.radius_m);
        is_round.then(|| AcceleratedBody::new(sphere(), self.mass_kg))
    }

    /// Returns the names of the presets, hardest to softest.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, ..)| *name)
    }
}

/// Returns all names in one line, for messages.
pub(super) fn names_list() -> String {
    Striker::names().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::excitation::HertzPair;

    /// Contact times at 1 m/s on a heavy wooden table lie between 10 µs and 20 ms.
    #[test]
    fn every_preset_strikes() {
        let table =
            ContactBody { mass_kg: 20.0, young_pa: 1.1e10, poisson: 0.25, radius_m: f64::INFINITY };
        for name in Striker::names() {
            let pair = HertzPair::new(&Striker::named(name).unwrap(), &table).unwrap();
            let tau = pair.contact_time_s(1.0);
            println!("{name}: {:.0} µs", tau * 1e6);
            assert!((1e-5..2e-2).contains(&tau), "{name}: {tau}");
        }
    }

    #[test]
    fn an_unknown_name_lists_all() {
        let message = Striker::named("gong").unwrap_err().to_string();
        assert!(message.contains("\"gong\"") && Striker::names().all(|n| message.contains(n)));
    }
}
