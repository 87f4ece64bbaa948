//! The contact trace of a scene that was rendered.

use anyhow::{Context, Result};
use foley_scene::Scene;
use foley_scene::sonify::{Rendered, write_trace};
use std::fs::File;
use std::path::Path;

pub(super) fn write(scene: &Scene, rendered: &Rendered, path: &Path) -> Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    write_trace(scene, &rendered.events, file)
        .with_context(|| format!("cannot write {}", path.display()))
}
