//! Decay rates of the modes of a mesh: the loss of the material plus the thermoelastic loss of walls
//! that bend.
//!
//! `d = π f (η_material + s_n η_heat)`. The share s_n of a shell's mode is its energy of mean curvature
//! (`fem/shell/mean_curvature.rs`); springs and other walls whose share is not computed take 1, as
//! flat plates have on average. In solids, thick as they are, hardly any heat flows across: 0.

use crate::material::{Bending, Damping, Material, Thermal, ThermoelasticLoss, damped_hz};

/// The law by which modes decay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DecayLaw {
    damping: Damping,
    heat: Option<ThermoelasticLoss>,
}

impl DecayLaw {
    /// The law of a material; `thickness_m` is that of the wall, `None` for solids.
    pub(crate) fn new(material: &Material, thickness_m: Option<f64>) -> Self {
        let Material { density, young_pa, poisson, damping, thermal, .. } = *material;
        Self::of([density, young_pa, poisson], damping, thermal, thickness_m)
    }

    /// The same from ρ, E and ν.
    pub(crate) fn of(
        elastic: [f64; 3],
        damping: Damping,
        thermal: Option<Thermal>,
        thickness_m: Option<f64>,
    ) -> Self {
        let heat = thermal.zip(thickness_m).map(|(thermal, thickness_m)| {
            ThermoelasticLoss::of(elastic, thermal, Bending::Plate { thickness_m })
        });
        Self { damping, heat }
    }

    /// Returns d, 1/s, of a mode with undamped angular frequency ω and thermoelastic share.
    pub(crate) fn decay(&self, omega: f64, share: f64) -> f64 {
        let heat = self.heat.map_or(0.0, |heat| share * heat.loss_factor(omega));
        self.damping.decay(omega) + 0.5 * omega * heat
    }

    /// Returns the damped frequency, Hz; `None` when the mode is overdamped.
    pub(crate) fn damped_hz(&self, omega: f64, share: f64) -> Option<f64> {
        damped_hz(omega, self.decay(omega, share))
    }
}
