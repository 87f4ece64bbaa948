//! Options of a bake, and its progress.

use super::BakeError;
use derive_setters::Setters;
use std::fmt;
use std::str::FromStr;

/// Discretisation method of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Shell for open or thin-walled meshes, solid for filled ones.
    #[default]
    Auto,
    /// Masses and springs: fast, frequencies within 25 %.
    SpringMass,
    /// Thin shell.
    Shell,
    /// Solid, by finite cells.
    Solid,
}

impl Method {
    /// Every method by its name.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("auto", Self::Auto),
        ("shell", Self::Shell),
        ("solid", Self::Solid),
        ("spring-mass", Self::SpringMass),
    ];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, method)| method == self);
        f.write_str(name.map_or("auto", |(name, _)| name))
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.trim().to_lowercase();
        let found = Self::NAMES.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, method)| *method).ok_or_else(|| {
            format!("there is no method `{text}`; take auto, spring-mass, shell or solid")
        })
    }
}

/// Stage of a bake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Measuring the mesh.
    Measuring,
    /// Building the elements.
    Elements,
    /// Solving; see [`foley_eigen::Stage`].
    Solving(foley_eigen::Stage),
    /// Solving the radiation of the modes.
    Radiation,
    /// Turning mode shapes into gains.
    Gains,
    /// Merging modes.
    Compressing,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Measuring => "measuring",
            Self::Elements => "elements",
            Self::Solving(foley_eigen::Stage::Ordering) => "ordering",
            Self::Solving(foley_eigen::Stage::Factorising) => "factorising",
            Self::Solving(foley_eigen::Stage::Iterating) => "modes",
            Self::Solving(foley_eigen::Stage::Counting) => "counting",
            Self::Radiation => "radiation",
            Self::Gains => "gains",
            Self::Compressing => "compressing",
        })
    }
}

/// Called with a stage and the part of it that is done, 0 … 1; false cancels.
pub type Progress<'a> = dyn FnMut(Stage, f64) -> bool + 'a;

/// Options of a bake.
#[derive(Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Options<'a> {
    /// Discretisation method.
    pub method: Method,
    /// Wall thickness, m; `None`: measured, or 1 % of the size of an open mesh.
    #[setters(into)]
    pub thickness_m: Option<f64>,
    /// Modes below this are dropped, Hz.
    pub min_hz: f64,
    /// Modes above this are dropped, Hz.
    pub max_hz: f64,
    /// At most this many modes, the lowest.
    pub max_modes: usize,
    /// Time to spend on the radiation of the modes, s, on two processor cores of 2022; above the frequency that is reached
    /// it is approximated. With 0 nothing is solved.
    pub radiation_budget_s: f64,
    /// Whether modes that cannot be distinguished are merged.
    pub compress: bool,
    /// Most memory to use, bytes.
    pub memory_limit: u64,
    /// Progress callback; may cancel.
    #[setters(strip_option)]
    pub progress: Option<&'a mut Progress<'a>>,
}

impl Default for Options<'_> {
    /// The range of hearing: 20 Hz to 20 kHz, at most 1000 modes, two seconds for radiation, within 4 GiB.
    fn default() -> Self {
        Self {
            method: Method::Auto,
            thickness_m: None,
            min_hz: 20.0,
            max_hz: 20e3,
            max_modes: 1000,
            radiation_budget_s: 2.0,
            compress: true,
            memory_limit: 4 << 30,
            progress: None,
        }
    }
}

impl Options<'_> {
    pub(super) fn check(&self) -> Result<(), BakeError> {
        let test = |ok, what, value, must| match ok {
            true => Ok(()),
            false => Err(BakeError::Option { what, value, must }),
        };
        let Self { min_hz, max_hz, max_modes, .. } = *self;
        test((0.0..=1e6).contains(&min_hz), "minimum frequency", min_hz, "between 0 and 1 MHz")?;
        let must = "above the minimum and at most 1 MHz";
        test(max_hz <= 1e6 && max_hz > min_hz, "maximum frequency", max_hz, must)?;
        let must = "between 1 and 20000";
        test((1..=20_000).contains(&max_modes), "number of modes", max_modes as f64, must)?;
        let (budget, must) = (self.radiation_budget_s, "at least 0 and finite");
        test(budget >= 0.0 && budget.is_finite(), "time for radiation", budget, must)?;
        let thickness = self.thickness_m.unwrap_or(1.0);
        let must = "positive, in metres";
        test(thickness > 0.0 && thickness.is_finite(), "thickness", thickness, must)
    }

    pub(super) fn report(&mut self, stage: Stage, done: f64) -> Result<(), BakeError> {
        let goes_on = self.progress.as_mut().is_none_or(|progress| progress(stage, done));
        if goes_on { Ok(()) } else { Err(BakeError::Cancelled) }
    }
}
