//! Meshes to models, with a bar that shows how far it is.

use anyhow::{Context, Result, bail};
use foley_geometry::mesh::{self, Builtin, Mesh, ReadOptions, Repaired};
use foley_modal::bake::{Baked, Options, Stage, bake};
use std::path::Path;

use crate::progress;
use crate::target::{Making, check_is_file};

/// Reads, repairs and bakes a mesh file.
pub(crate) fn file(path: &Path, making: &Making) -> Result<Baked> {
    let shown = path.display().to_string();
    if making.detail.is_some() {
        bail!("{shown} is as fine as it is: --detail is for built-in meshes; leave it out");
    }
    making.material(&shown)?;
    check_is_file(path)?;
    let options = ReadOptions { units: making.units, ..ReadOptions::default() };
    let Repaired { mesh, report } = mesh::load(path, &options)?;
    let name = path.file_stem().map_or_else(|| shown.clone(), |s| s.to_string_lossy().into_owned());
    let mut baked = run(&mesh, &shown, &name, making, None)?;
    let changes = report.repairs;
    if changes.welded + changes.degenerate + changes.duplicate + changes.flipped > 0 {
        baked.provenance.notes.push(format!("the mesh was repaired; see `foley check {shown}`"));
    }
    baked
        .provenance
        .notes
        .extend(report.notes.into_iter().filter(|note| !note.starts_with("open:")));
    Ok(baked)
}

/// Makes and bakes a built-in mesh.
pub(crate) fn builtin(builtin: &Builtin, making: &Making) -> Result<Baked> {
    if making.units.is_some() {
        bail!("{} is built in, in metres: leave --units out", builtin.name);
    }
    let mesh = builtin.mesh(making.detail.unwrap_or_default());
    let wall = builtin.thickness_m.filter(|_| !builtin.closed);
    run(&mesh, builtin.name, builtin.name, making, wall)
}

fn run(mesh: &Mesh, shown: &str, name: &str, making: &Making, wall: Option<f64>) -> Result<Baked> {
    let material = making.material(shown)?;
    let bar = progress::bar("measuring", 100);
    let mut last: Option<Stage> = None;
    let mut progress = |stage: Stage, done: f64| {
        if last != Some(stage) {
            bar.set_message(stage.to_string());
            last = Some(stage);
        }
        bar.set_position((100.0 * done) as u64);
        true
    };
    let all = Options::default();
    let options = Options {
        method: making.method.unwrap_or_default(),
        thickness_m: making.thickness.or(wall),
        max_hz: making.max_frequency.unwrap_or(all.max_hz),
        max_modes: making.max_modes.unwrap_or(all.max_modes),
        compress: !making.no_compression,
        memory_limit: making.memory.map_or(all.memory_limit, |gib| (gib * 2f64.powi(30)) as u64),
        progress: Some(&mut progress),
        ..all
    };
    let name = format!("{} {name}", material.name);
    let baked = bake(mesh, &name, material, options);
    bar.finish_and_clear();
    baked.with_context(|| format!("cannot find the modes of {shown}"))
}
