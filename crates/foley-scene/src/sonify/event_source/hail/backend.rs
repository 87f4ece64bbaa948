//! Who finds the impacts of hail.

use foley_hail::{Finder, Shower, Stream, Wanted};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::StageError;

type Found = Result<Box<dyn Finder>, Box<dyn Error + Send + Sync>>;
type Make = dyn Fn(&Arc<Shower>) -> Found + Send + Sync;

/// Makes who finds the impacts of a shower on what sounds, from the scene's beginning on: the CPU unless
/// told otherwise. The sound is the same whoever does.
#[derive(Clone)]
pub struct Finding(Arc<Make>);

impl Finding {
    /// By somebody else.
    pub fn by(make: impl Fn(&Arc<Shower>) -> Found + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(super) fn start(&self, shower: &Arc<Shower>) -> Result<Box<dyn Finder>, StageError> {
        (self.0)(shower).map_err(StageError::Finder)
    }
}

impl Default for Finding {
    fn default() -> Self {
        Self::by(|shower| {
            let all = Stream::new(Arc::clone(shower), 0.0)?;
            Ok(Box::new(all.of(Wanted::Sounding)))
        })
    }
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Finding")
    }
}
