//! The JSON header.

use crate::provenance::Provenance;
use foley_dsp::excitation::RigidRadiation;
use foley_dsp::model::ContactBody;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) modes: usize,
    pub(super) points: usize,
    pub(super) triangles: usize,
    pub(super) body: BodyJson,
    /// Whether the body is free to move as a whole; absent where mode shapes are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) free: Option<bool>,
    /// How loud the body is when it is accelerated as a whole along x, y and z; absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rigid: Option<[RigidJson; 3]>,
    /// The bands of the array `directivity`; absent where modes radiate alike in all directions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) directivity: Option<DirectivityJson>,
    #[serde(rename = "origin", default, skip_serializing_if = "Option::is_none")]
    pub(super) provenance: Option<Provenance>,
    pub(super) arrays: Vec<Array>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) dtype: String,
    pub(super) shape: Vec<usize>,
    pub(super) offset: usize,
}

/// Bands of directivity, a third of an octave apart, and the degree of their spherical harmonics.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DirectivityJson {
    pub(super) first_hz: f64,
    pub(super) bands: usize,
    pub(super) degree: usize,
}

/// JSON has no infinity: the radius of a flat body is null.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BodyJson {
    mass_kg: f64,
    young_pa: f64,
    poisson: f64,
    radius_m: Option<f64>,
}

impl From<ContactBody> for BodyJson {
    fn from(body: ContactBody) -> Self {
        let ContactBody { mass_kg, young_pa, poisson, radius_m } = body;
        Self { mass_kg, young_pa, poisson, radius_m: Some(radius_m).filter(|r| r.is_finite()) }
    }
}

impl From<BodyJson> for ContactBody {
    fn from(json: BodyJson) -> Self {
        let BodyJson { mass_kg, young_pa, poisson, radius_m } = json;
        Self { mass_kg, young_pa, poisson, radius_m: radius_m.unwrap_or(f64::INFINITY) }
    }
}

/// Two poles between acceleration and pressure.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RigidJson {
    gain_pa: f64,
    omega: f64,
    damping: f64,
}

impl From<RigidRadiation> for RigidJson {
    fn from(RigidRadiation { gain_pa, omega, damping }: RigidRadiation) -> Self {
        Self { gain_pa, omega, damping }
    }
}

impl From<RigidJson> for RigidRadiation {
    fn from(RigidJson { gain_pa, omega, damping }: RigidJson) -> Self {
        Self { gain_pa, omega, damping }
    }
}
