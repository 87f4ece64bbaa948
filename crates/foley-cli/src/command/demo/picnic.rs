//! Hail on a picnic: the scene that made the pruning paper.

use anyhow::Result;
use foley_modal::file;
use foley_scene::Scene;
use std::path::{Path, PathBuf};

use super::staged;
use crate::progress::Bars;
use foley_bench::scene::garbage_can;
use foley_plot::AtomicFile;

pub(super) const NAME: &str = "picnic";
pub(super) const ABOUT: &str =
    "a cloud of hail drifts over a house, a laid table and a garbage can";

const TEXT: &str = include_str!("picnic.toml");
/// As the text calls it.
const CAN: &str = "picnic-can.modal";

/// Writes the scene with the model it needs, and renders it.
pub(super) fn run(folder: &Path, json: bool) -> Result<()> {
    let (scene, text) = scene(folder)?;
    staged::show(NAME, scene, text, json)
}

/// The scene, written into a folder with the model it needs.
pub(crate) fn scene(folder: &Path) -> Result<(Scene, PathBuf)> {
    let text = folder.join("picnic.toml");
    file::save(&garbage_can(&Bars)?, folder.join(CAN))?;
    AtomicFile::new(&text, TEXT.as_bytes())?.keep()?;
    Ok((Scene::load(&text)?, text))
}
