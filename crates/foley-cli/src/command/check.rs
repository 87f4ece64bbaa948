//! `foley check`: is a file fit for use?

mod scene;

use anyhow::{Context, Result};
use foley::audio_file;
use foley::geometry::mesh::{self, ReadOptions, Repaired, Units, WallProbe};
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::command::modes;
use crate::output::{counted, misuse, print_line};
use crate::values::{has_ending, is_sound_file};
use foley::modal::Material;
use foley::modal::bake::{self, BakeError};
use foley::modal::source::is_mesh_file;

/// Is this file fit for use? What is wrong with it?
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A mesh (.obj, .ply, .stl, .gltf, .glb), a scene (.toml), a .modal, a .wav or a .flac file
    file: PathBuf,
    /// Check a .gltf or .glb file as a scene, not as a mesh
    #[arg(long, conflicts_with = "units")]
    scene: bool,
    /// The unit of a mesh's coordinates: m, cm, mm, in or ft (default: metres)
    #[arg(long)]
    units: Option<Units>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let path = &args.file;
    let gltf = ["gltf", "glb"].iter().any(|ending| has_ending(path, ending));
    if args.scene && !gltf && !has_ending(path, "toml") {
        misuse!("{}: scenes are .toml, .gltf and .glb files; leave --scene out", path.display());
    }
    let is_mesh = is_mesh_file(path) && !args.scene;
    if args.units.is_some() && !is_mesh {
        misuse!("{}: only meshes have units; leave --units out", path.display());
    }
    if is_mesh {
        check_mesh(path, args.units, json)
    } else if args.scene || has_ending(path, "toml") {
        scene::check(path, json)
    } else if has_ending(path, "modal") {
        check_model(path, json)
    } else if is_sound_file(path) {
        check_sound(path, json)
    } else {
        misuse!(
            "{}: only meshes, scenes, .modal, .wav and .flac files can be checked",
            path.display()
        )
    }
}

fn check_mesh(path: &Path, units: Option<Units>, json: bool) -> Result<()> {
    let options = ReadOptions::default().with_units(units);
    let Repaired { mesh, mut report, .. } = mesh::load(path, &options)?;
    // What every bake refuses, whatever the material.
    match bake::check(&mesh, Material::named("steel")?, bake::Options::default()) {
        // More memory or a coarser mesh helps, and other commands need no modes.
        Err(error @ BakeError::TooLarge { .. }) => report.notes.push(error.to_string()),
        checked => checked.with_context(|| path.display().to_string())?,
    }
    let walls = match report.measures.closed {
        true => WallProbe::new(&mesh)?.thickness(),
        false => None,
    };
    if json {
        let mut facts = serde_json::to_value(&report)?;
        facts["ok"] = true.into();
        facts["thin_walled"] = walls.as_ref().map(|w| w.thin_walled).into();
        facts["wall_m"] = walls.as_ref().map(|w| w.median_m).into();
        return print_line!("{facts}");
    }
    report.to_string().trim_end().lines().try_for_each(|line| print_line!("{line}"))?;
    if let Some(wall) = walls.filter(|w| w.thin_walled) {
        print_line!("walls   {:.3} mm thick (median): a hollow object", wall.median_m * 1e3)?;
    }
    print_line!("{}: good", path.display())
}

fn check_model(path: &Path, json: bool) -> Result<()> {
    let (model, provenance) = foley::modal::file::load_with_provenance(path)?;
    let remarks = foley::modal::remarks(&model);
    if json {
        let mut facts = modes::facts(&model, None);
        facts["ok"] = true.into();
        facts["remarks"] = remarks.into();
        facts["provenance"] = serde_json::to_value(&provenance)?;
        return print_line!("{facts}");
    }
    modes::print(&model)?;
    provenance.iter().try_for_each(modes::print_provenance)?;
    let notes = provenance.iter().flat_map(|made| &made.notes);
    notes.into_iter().try_for_each(|note| print_line!("note: {note}"))?;
    remarks.iter().try_for_each(|remark| print_line!("note: {remark}"))?;
    print_line!("{}: good", path.display())
}

fn check_sound(path: &Path, json: bool) -> Result<()> {
    let found = audio_file::examine(path)?;
    let (seconds, channels, rate) = (found.seconds(), found.channels, found.sample_rate_hz);
    let remarks = found.remarks();
    if json {
        let facts = json!({
            "ok": true, "seconds": seconds, "sample_rate_hz": rate,
            "channels": channels, "peak": found.peak, "remarks": remarks,
        });
        return print_line!("{facts}");
    }
    remarks.iter().try_for_each(|remark| print_line!("note: {remark}"))?;
    let channels = counted(channels, "channel");
    print_line!("{}: good, {seconds:.2} s, {channels} at {rate} Hz", path.display())
}
