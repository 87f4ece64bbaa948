//! `foley check`: is a file fit for use?

mod scene;

use anyhow::{Result, bail};
use foley::audio_file::Reader;
use foley::dsp::model::ModalModel;
use foley::geometry::mesh::{self, ReadOptions, Repaired, Units, WallProbe};
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::command::modes;
use crate::output::{counted, print_line};
use crate::values::{has_ending, is_sound_file};
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
        bail!("{}: scenes are .toml, .gltf and .glb files; leave --scene out", path.display());
    }
    let is_mesh = is_mesh_file(path) && !args.scene;
    if args.units.is_some() && !is_mesh {
        bail!("{}: only meshes have units; leave --units out", path.display());
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
        bail!(
            "{}: only meshes, scenes, .modal, .wav and .flac files can be checked",
            path.display()
        )
    }
}

fn check_mesh(path: &Path, units: Option<Units>, json: bool) -> Result<()> {
    let options = ReadOptions::default().with_units(units);
    let Repaired { mesh, report, .. } = mesh::load(path, &options)?;
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
    print_line!("{}", report.to_string().trim_end())?;
    if let Some(wall) = walls.filter(|w| w.thin_walled) {
        print_line!("walls   {:.3} mm thick (median): a hollow object", wall.median_m * 1e3)?;
    }
    print_line!("{}: good", path.display())
}

fn check_model(path: &Path, json: bool) -> Result<()> {
    let (model, provenance) = foley::modal::file::load_with_provenance(path)?;
    let remarks = remarks_on_model(&model);
    if json {
        let mut facts = modes::facts(&model, None);
        facts["ok"] = true.into();
        facts["remarks"] = remarks.into();
        facts["provenance"] = serde_json::to_value(&provenance)?;
        return print_line!("{facts}");
    }
    modes::print(&model)?;
    provenance.iter().try_for_each(modes::print_provenance)?;
    remarks.iter().try_for_each(|remark| print_line!("note: {remark}"))?;
    print_line!("{}: good", path.display())
}

/// What is allowed but worth knowing.
fn remarks_on_model(model: &ModalModel) -> Vec<String> {
    let count = |test: fn(f64) -> bool, values: &[f64]| values.iter().filter(|v| test(**v)).count();
    let mut remarks = Vec::new();
    let above = count(|f| f >= 24_000.0, &model.frequencies_hz);
    if above > 0 {
        remarks.push(format!("{above} modes lie above 24 kHz and are silent at 48 kHz"));
    }
    let below = count(|f| f < 20.0, &model.frequencies_hz);
    if below > 0 {
        remarks.push(format!("{below} modes lie below 20 Hz: felt rather than heard"));
    }
    let endless = count(|d| d == 0.0, &model.decays);
    if endless > 0 {
        remarks.push(format!("{endless} modes never decay"));
    }
    if model.gains.is_silent() {
        remarks.push("all gains are zero: this model is silent wherever it is struck".into());
    }
    remarks
}

/// What the samples of a sound are like.
#[derive(Debug, Default)]
struct Samples {
    /// Samples per channel.
    frames: u64,
    /// Full scale is 1.
    peak: f64,
    not_finite: u64,
}

fn check_sound(path: &Path, json: bool) -> Result<()> {
    let mut reader = Reader::open(path)?;
    let (channels, rate) = (reader.channels, reader.sample_rate);
    // Every sample: a header alone promises nothing.
    let mut samples = Samples::default();
    while let Some(block) = reader.next_block()? {
        samples.frames += block[0].len() as u64;
        for y in block.iter().flatten() {
            match y.is_finite() {
                true => samples.peak = samples.peak.max(f64::from(y.abs())),
                false => samples.not_finite += 1,
            }
        }
    }
    let seconds = samples.frames as f64 / f64::from(rate);
    let remarks = remarks_on_sound(&samples);
    if json {
        let facts = json!({
            "ok": true, "seconds": seconds, "sample_rate_hz": rate,
            "channels": channels, "peak": samples.peak, "remarks": remarks,
        });
        return print_line!("{facts}");
    }
    remarks.iter().try_for_each(|remark| print_line!("note: {remark}"))?;
    let channels = counted(channels, "channel");
    print_line!("{}: good, {seconds:.2} s, {channels} at {rate} Hz", path.display())
}

fn remarks_on_sound(samples: &Samples) -> Vec<String> {
    let mut remarks = Vec::new();
    if samples.not_finite > 0 {
        remarks.push(format!("{} samples are not numbers", samples.not_finite));
    }
    if samples.peak > 1.0 {
        let over = 20.0 * samples.peak.log10();
        remarks.push(format!("it peaks {over:.1} dB above full scale: a device would clip it"));
    }
    if samples.peak == 0.0 {
        remarks.push("it is silent".into());
    }
    remarks
}
