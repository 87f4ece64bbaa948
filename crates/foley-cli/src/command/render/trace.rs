//! The contact trace of a scene that was rendered.

use anyhow::{Context, Result};
use foley_physics::trace::Writer;
use foley_scene::Scene;
use foley_scene::stage::{Rendered, Told};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

pub(super) fn write(scene: &Scene, rendered: &Rendered, path: &Path) -> Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let names = scene.objects.iter().map(|object| object.name.as_str());
    let mut writer = Writer::new(BufWriter::new(file), names)?;
    for told in &rendered.told {
        if let Told::Event(event) = told {
            writer.write(event)?;
        }
    }
    writer.finish()?;
    Ok(())
}
