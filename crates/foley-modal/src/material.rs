//! Materials: density ρ, Young's modulus E, Poisson's ratio ν, a [damping](Damping) law and, for
//! thin walls that bend, [thermal constants](Thermal).

mod damping;
mod loss_table;
mod thermoelastic;
mod library;

pub use damping::Damping;
pub(crate) use damping::damped_hz;
pub use library::{FAMILIES, library, names};
pub use loss_table::{LossTable, LossTableError};
pub use thermoelastic::{Bending, Thermal, ThermoelasticLoss};

use foley_dsp::model::ContactBody;
use std::borrow::Cow;
use thiserror::Error;

/// A linear, isotropic, homogeneous material.
///
/// The fields are public, so that a material can be written by hand; users of a material check
/// it first (see [`Material::check`]).
///
/// ```
/// use foley_modal::{Damping, Material};
/// let ebony = Material {
///     name: "ebony".into(),
///     density: 1100.0,
///     damping: Damping::LossFactor(5e-3),
///     ..Material::named("hardwood")?.clone()
/// };
/// ebony.check()?;
/// # Ok::<(), foley_modal::MaterialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: Cow<'static, str>,
    /// ρ, kg/m³.
    pub density: f64,
    /// E, Pa.
    pub young_pa: f64,
    /// ν.
    pub poisson: f64,
    /// Damping law of its modes.
    pub damping: Damping,
    /// Thermal constants; `None` where heat that flows across a bent wall plays no part.
    pub thermal: Option<Thermal>,
    /// Source of the figures, in words.
    pub source: Cow<'static, str>,
}

/// Why a material is unknown or invalid.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum MaterialError {
    /// No material of this name.
    #[error("there is no material `{name}`; did you mean `{closest}`? Known are: {known}")]
    Unknown { name: String, closest: &'static str, known: String },
    /// A number out of range.
    #[error("material `{name}`: {what} is {value}; it must be {must}")]
    Value { name: String, what: &'static str, value: f64, must: &'static str },
}

impl Material {
    /// Makes and checks a material without thermal constants.
    ///
    /// ```
    /// use foley_modal::{Damping, Material};
    /// let amber = Material::new("amber", 1060.0, 3.6e9, 0.35, Damping::LossFactor(0.02))?;
    /// assert!(Material::new("void", 0.0, 3.6e9, 0.35, Damping::LossFactor(0.02)).is_err());
    /// # Ok::<(), foley_modal::MaterialError>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        density: f64,
        young_pa: f64,
        poisson: f64,
        damping: Damping,
    ) -> Result<Self, MaterialError> {
        let (name, source) = (Cow::Owned(name.into()), Cow::Borrowed("made by hand"));
        let material = Self { name, density, young_pa, poisson, damping, thermal: None, source };
        material.check()?;
        Ok(material)
    }

    /// Returns the material of this name in the [`library`]. Case is ignored; spaces, hyphens and
    /// underscores are equal.
    ///
    /// ```
    /// use foley_modal::Material;
    /// assert_eq!(Material::named("Aluminum")?.name, "aluminium");
    /// let error = Material::named("steal").unwrap_err();
    /// assert!(error.to_string().contains("did you mean `steel`?"));
    /// # Ok::<(), foley_modal::MaterialError>(())
    /// ```
    pub fn named(name: &str) -> Result<&'static Self, MaterialError> {
        library::find(name)
    }

    /// Returns a body of this material; `radius_m` is that of its surface where it is struck.
    pub(crate) fn body(&self, mass_kg: f64, radius_m: f64) -> ContactBody {
        ContactBody { mass_kg, young_pa: self.young_pa, poisson: self.poisson, radius_m }
    }

    /// Checks that all numbers are in their physical ranges.
    pub fn check(&self) -> Result<(), MaterialError> {
        let bounded = |v: f64, limit: f64| (0.0..=limit).contains(&v);
        let test = |ok: bool, what, value, must| match ok {
            true => Ok(()),
            false => Err(MaterialError::Value {
                name: self.name.clone().into_owned(),
                what,
                value,
                must,
            }),
        };
        let density = (1e-3..=1e6).contains(&self.density);
        test(density, "density", self.density, "positive, between 1e-3 and 1e6 kg/m3")?;
        let young = (1.0..=1e15).contains(&self.young_pa);
        test(young, "Young's modulus", self.young_pa, "positive, between 1 and 1e15 Pa")?;
        test(
            self.poisson > -1.0 && self.poisson < 0.5,
            "Poisson's ratio",
            self.poisson,
            "above -1 and below 0.5",
        )?;
        match self.damping {
            Damping::Rayleigh { alpha, beta } => {
                test(bounded(alpha, 1e7), "Rayleigh alpha", alpha, "between 0 and 1e7 1/s")?;
                test(bounded(beta, 1.0), "Rayleigh beta", beta, "between 0 and 1 s")?;
            }
            Damping::LossFactor(tan) => {
                test(bounded(tan, 1e3), "loss factor", tan, "between 0 and 1000")?;
            }
            // Checked when it was made.
            Damping::LossFactorTable(_) => (),
        }
        let Some(Thermal { expansion_per_k: a, specific_heat_j_kg_k: c, conductivity_w_m_k: k }) =
            self.thermal
        else {
            return Ok(());
        };
        test(bounded(a, 1e-2), "thermal expansion", a, "between 0 and 0.01 1/K")?;
        let must = "positive, between 1 and 1e5 J/(kg K)";
        test((1.0..=1e5).contains(&c), "specific heat", c, must)?;
        let must = "positive, between 1e-4 and 1e5 W/(m K)";
        test((1e-4..=1e5).contains(&k), "thermal conductivity", k, must)
    }
}
