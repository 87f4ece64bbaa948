//! Who finds the impacts of hail.

use foley_hail::{HailSimulation, ImpactFilter, ImpactSource, ImpactStream};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::StageError;

type Found = Result<Box<dyn ImpactSource>, Box<dyn Error + Send + Sync>>;
type Make = dyn Fn(&Arc<HailSimulation>) -> Found + Send + Sync;

/// Makes who finds the impacts of a simulation on what sounds, from the scene's beginning on: the CPU unless
/// told otherwise. The sound is the same whoever does.
#[derive(Clone)]
pub struct Finding(Arc<Make>);

impl Finding {
    /// By somebody else.
    pub fn by(make: impl Fn(&Arc<HailSimulation>) -> Found + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(super) fn start(
        &self,
        simulation: &Arc<HailSimulation>,
    ) -> Result<Box<dyn ImpactSource>, StageError> {
        (self.0)(simulation).map_err(StageError::Finder)
    }
}

impl Default for Finding {
    fn default() -> Self {
        Self::by(|simulation| {
            let all = ImpactStream::new(Arc::clone(simulation), 0.0)?;
            Ok(Box::new(all.with_filter(ImpactFilter::SoundingOnly)))
        })
    }
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Finding")
    }
}
