//! The backend that finds hail impacts: the CPU, or one that the caller provides.

use foley_hail::{HailSimulation, ImpactFilter, ImpactSource, ImpactStream};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::sonify::SonifyError;

type OpenResult = Result<Box<dyn ImpactSource>, Box<dyn Error + Send + Sync>>;
type Open = dyn Fn(&Arc<HailSimulation>) -> OpenResult + Send + Sync;

/// A factory of sources of hail impacts on sounding colliders, starting at the scene's beginning. The
/// default is the CPU. All backends give the same impacts, and so the same sound.
#[derive(Clone)]
pub struct ImpactBackend(Arc<Open>);

impl ImpactBackend {
    /// Creates a backend from a function that opens an impact source for a hail simulation.
    pub fn new(open: impl Fn(&Arc<HailSimulation>) -> OpenResult + Send + Sync + 'static) -> Self {
        Self(Arc::new(open))
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
