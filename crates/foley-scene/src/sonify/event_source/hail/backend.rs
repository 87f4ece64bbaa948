//! Who finds the impacts of hail.

use foley_hail::{Finder, Shower, Stream, Wanted};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::sonify::SonifyError;

type Found = Result<Box<dyn Finder>, Box<dyn Error + Send + Sync>>;
type Make = dyn Fn(&Arc<Shower>) -> Found + Send + Sync;

/// Makes who finds the impacts of a shower on what sounds, from the scene's beginning on: the CPU unless
/// told otherwise. The sound is the same whoever does.
#[derive(Clone)]
pub struct ImpactBackend(Arc<Make>);

impl ImpactBackend {
    /// By somebody else.
    pub fn new(make: impl Fn(&Arc<Shower>) -> Found + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(crate) fn start(&self, shower: &Arc<Shower>) -> Result<Box<dyn Finder>, SonifyError> {
        (self.0)(shower).map_err(SonifyError::ImpactBackend)
    }
}

impl Default for ImpactBackend {
    fn default() -> Self {
        Self::new(|shower| {
            let all = Stream::new(Arc::clone(shower), 0.0)?;
            Ok(Box::new(all.of(Wanted::Sounding)))
        })
    }
}

impl fmt::Debug for ImpactBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ImpactBackend")
    }
}
