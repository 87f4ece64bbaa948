//! Who finds the impacts of hail.

use foley_hail::{HailSimulation, ImpactFilter, ImpactSource, ImpactStream};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::sonify::SonifyError;

type Found = Result<Box<dyn ImpactSource>, Box<dyn Error + Send + Sync>>;
type Make = dyn Fn(&Arc<HailSimulation>) -> Found + Send + Sync;

/// Makes who finds the impacts of a simulation on what sounds, from the scene's beginning on: the CPU unless
/// told otherwise. The sound is the same whoever does.
#[derive(Clone)]
pub struct ImpactBackend(Arc<Make>);

impl ImpactBackend {
    /// By somebody else.
    pub fn new(make: impl Fn(&Arc<HailSimulation>) -> Found + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(crate) fn start(
        &self,
        simulation: &Arc<HailSimulation>,
    ) -> Result<Box<dyn ImpactSource>, SonifyError> {
        (self.0)(simulation).map_err(SonifyError::ImpactBackend)
    }
}

impl Default for ImpactBackend {
    fn default() -> Self {
        Self::new(|simulation| {
            let all = ImpactStream::new(Arc::clone(simulation), 0.0)?;
            Ok(Box::new(all.with_filter(ImpactFilter::SoundingOnly)))
        })
    }
}

impl fmt::Debug for ImpactBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ImpactBackend")
    }
}
