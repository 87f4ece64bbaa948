//! From contacts to the excitation of modes: impacts, and sustained sliding and rolling.

mod impact_model;
mod impacts;
mod surface_profiles;
mod sustained;
mod sustained_tracker;
mod check;

pub(super) use check::{check_excitations, unchecked_places};
pub(super) use impact_model::{hail_excitation, strike_excitation, strike_gains};
pub(super) use surface_profiles::SurfaceProfiles;
pub(super) use sustained::SustainedExcitation;
