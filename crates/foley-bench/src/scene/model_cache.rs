//! Cache of baked models in the user's cache folder.
//!
//! The cache is optional: without a folder, or when the file is damaged or has another number of modes,
//! the model is baked again.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use foley_geometry::mesh::Mesh;
use foley_modal::bake::Stage;
use foley_modal::file;
use foley_scene::prepare::Cache;
use std::path::PathBuf;

use crate::Progress;

/// Returns the model of `modes` modes made from this mesh and the options in `key`; `bake` is called
/// only when it is not cached.
pub(crate) fn load_or_bake(
    name: &str,
    mesh: &Mesh,
    key: &str,
    modes: usize,
    progress: &dyn Progress,
    bake: impl FnOnce(&mut dyn FnMut(Stage, f64) -> bool) -> Result<ModalModel>,
) -> Result<ModalModel> {
    let file = format!("{name}-{:016x}.modal", Cache::number(mesh, key));
    let path = Cache::user().folder().map(|folder| folder.join(file));
    load_or_bake_at(path, name, modes, progress, bake)
}

fn load_or_bake_at(
    path: Option<PathBuf>,
    name: &str,
    modes: usize,
    progress: &dyn Progress,
    bake: impl FnOnce(&mut dyn FnMut(Stage, f64) -> bool) -> Result<ModalModel>,
) -> Result<ModalModel> {
    let known = path.as_ref().and_then(|path| file::load(path).ok());
    if let Some(model) = known.filter(|model| model.mode_count() == modes) {
        return Ok(model);
    }
    let task = progress.begin(name, 100);
    let mut watch = |stage: Stage, done: f64| {
        task.set_name(&format!("{name}: {stage}"));
        task.set_position((100.0 * done) as u64);
        true
    };
    let model = bake(&mut watch)?;
    drop(task);
    if model.mode_count() != modes {
        bail!("the {name} has {} modes, not {modes}", model.mode_count());
    }
    if let Some(path) = path {
        // A full disk or a folder that is not ours costs time next time, nothing else.
        let made = path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok());
        let _ = made.then(|| file::save(&model, &path));
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use foley_modal::{Material, Shape, ShapeOptions};

    #[test]
    fn a_model_is_made_once_and_again_when_the_file_is_bad() {
        let bar: Shape = "bar:300x30x8mm".parse().unwrap();
        let options = ShapeOptions { max_modes: 3, ..ShapeOptions::default() };
        let model = bar.model(Material::named("steel").unwrap(), &options).unwrap();
        let mut made = 0;
        let mut get = |path: Option<PathBuf>| {
            let found = load_or_bake_at(path, "bar", 3, &Silent, |_| {
                made += 1;
                Ok(model.clone())
            });
            assert_eq!(found.unwrap(), model);
            made
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("foley/bar.modal");
        assert_eq!([get(Some(path.clone())), get(Some(path.clone()))], [1, 1]);
        std::fs::write(&path, b"FOLEYMOD?").unwrap();
        assert_eq!([get(Some(path.clone())), get(Some(path.clone()))], [2, 2]);
        // A folder that cannot be made, and none at all.
        let impossible = path.join("below a file/bar.modal");
        assert_eq!([get(Some(impossible.clone())), get(Some(impossible)), get(None)], [3, 4, 5]);
        let wrong =
            load_or_bake_at(Some(path), "bar", 4, &Silent, |_| Ok(model.clone())).unwrap_err();
        assert!(wrong.to_string().contains("3 modes, not 4"));
    }
}
