//! `foley modes`: modal analysis.

use anyhow::{Context, Result, bail};
use clap::builder::NonEmptyStringValueParser;
use foley::dsp::model::ModalModel;
use foley::geometry::file_plan::FilePlan;
use foley::modal::provenance::rescale_as;
use foley::modal::source::{Loaded, ModelSource};
use foley::modal::{Material, Provenance, file};
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::model_args::ModelArgs;
use crate::output::{OrMisuse, counted, misuse, print_line};
use crate::values::{has_ending, within};
use foley::plot::AtomicFile;

/// Modal analysis of a shape or a mesh; or another size or material for a model.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A mesh (.obj, .ply, .stl, .gltf, .glb); a built-in one (bell, wok, bowl, wine-glass,
    /// marimba-bar, garbage-can, plate, ring, cylinder, table, die, mug, and with both sides of
    /// the wall bell-closed, bowl-closed, mug-closed); a shape, e.g.
    /// bar:300x30x8mm, bar:300x30x8mm,ends=clamped, plate:300x200x2mm,edges=clamped, disc:200x2mm, rod:300x12mm,
    /// membrane:350mm,tension=2000N/m,density=0.26kg/m2, string:650x1mm,tension=70N;
    /// or a .modal file made of a mesh, with --size or --material
    #[arg(value_name = "MESH|SHAPE|MODEL", value_parser = NonEmptyStringValueParser::new())]
    target: String,
    #[command(flatten)]
    model: ModelArgs,
    /// Every length of a model times this, without a new solution
    #[arg(long, value_parser = within([1e-6, 1e6], ""), allow_hyphen_values = true, value_name = "FACTOR")]
    size: Option<f64>,
    /// Where to write the model, .modal or .json [default: after shape and material, such
    /// as bar-steel.modal]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write all of the model as JSON instead of a .modal file
    #[arg(long)]
    export_json: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let as_json = is_json(args)?;
    let source = ModelSource::parse(&args.target).or_misuse()?;
    if args.size.is_some() && !matches!(source, ModelSource::File(_)) {
        misuse!("--size changes a .modal file; make one first, or scale a mesh by --units");
    }
    let mut plan = FilePlan::default();
    source.files().into_iter().for_each(|file| plan.read("the mesh or model", file));
    let path = args.output.clone().or_else(|| default_name(args, as_json));
    path.iter().for_each(|path| plan.write("--output", path));
    plan.check()?;
    let Loaded { model, provenance, notes, .. } = match &source {
        ModelSource::File(path) => change(path, args)?.into(),
        _ => args.model.load(&source)?,
    };
    let path = path.context("say with -o where the model goes")?;
    let bytes = match as_json {
        true => file::to_json(&model).into_bytes(),
        false => file::write_with_provenance(&model, provenance.as_ref()),
    };
    AtomicFile::new(&path, &bytes)?.keep()?;
    if json {
        let mut facts = facts(&model, Some(path.display().to_string()));
        facts["provenance"] = serde_json::to_value(&provenance)?;
        facts["notes"] = notes.into();
        return print_line!("{facts}");
    }
    print(&model)?;
    provenance.iter().try_for_each(print_provenance)?;
    notes.iter().try_for_each(|note| print_line!("note: {note}"))?;
    print_line!("written: {}", path.display())
}

/// Returns the name after shape and material; `None` of a model file, which needs a new one.
fn default_name(args: &Args, as_json: bool) -> Option<PathBuf> {
    let kind = args.target.split(':').next().unwrap_or_default().trim();
    let stem = Path::new(kind).file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let material = args.model.material.as_deref()?.trim().to_lowercase();
    let material = material.replace(' ', "-");
    let stem = stem.replace(' ', "-");
    Some(format!("{stem}-{material}.{}", if as_json { "json" } else { "modal" }).into())
}

/// Another size or material, without a new solution.
fn change(path: &Path, args: &Args) -> Result<(ModalModel, Option<Provenance>)> {
    let shown = path.display();
    let ModelArgs { material, max_frequency, .. } = &args.model;
    let (model, provenance) = match file::load_with_provenance(path) {
        Err(_) if !has_ending(path, "modal") => {
            bail!(
                "{shown} is neither a mesh nor a model: meshes are .obj, .ply, .stl, .gltf and .glb files"
            )
        }
        found => found?,
    };
    if let Some(flag) = args.model.option_of_modal_analysis() {
        misuse!("{shown} is a model already, whose modes are not computed again; leave {flag} out");
    }
    if material.is_none() && args.size.is_none() && args.output.is_none() {
        misuse!(
            "{shown} is a model already: say --size or --material to change it, and -o where to"
        );
    }
    if args.output.is_none() {
        misuse!("{shown}: say with -o where the changed model goes");
    }
    let Some(provenance) = provenance else {
        if material.is_none() && args.size.is_none() {
            return Ok((model, None));
        }
        bail!("{shown} does not say how it was made: bake a mesh with `foley modes` first");
    };
    let material = material.as_deref().map(Material::named).transpose().or_misuse()?;
    let max_hz = max_frequency.unwrap_or(20e3);
    let (model, provenance) =
        rescale_as(&model, &provenance, args.size.unwrap_or(1.0), material, max_hz)?;
    Ok((model, Some(provenance)))
}

/// Whether the file will be JSON: when it is asked for, or when its name ends so.
fn is_json(args: &Args) -> Result<bool> {
    let Some(path) = &args.output else { return Ok(args.export_json) };
    let ending = |ending| has_ending(path, ending);
    if ending("json") || ending("modal") && !args.export_json {
        return Ok(ending("json"));
    }
    let must = if args.export_json { ".json" } else { ".modal or .json" };
    misuse!("cannot write {}: end its name with {must}", path.display())
}

/// What is worth knowing about a model.
pub(crate) fn facts(model: &ModalModel, written: Option<String>) -> serde_json::Value {
    json!({
        "name": model.name,
        "modes": model.mode_count(),
        "points": model.point_count(),
        "mass_kg": model.body.mass_kg,
        "frequencies_hz": model.frequencies_hz,
        "t60_s": model.decays.iter().map(|d| t60(*d)).collect::<Vec<_>>(),
        "written": written,
    })
}

pub(crate) fn t60(decay: f64) -> f64 {
    3.0 * 10f64.ln() / decay
}

/// The first modes as a table.
pub(crate) fn print(model: &ModalModel) -> Result<()> {
    let (modes, points, mass) = (model.mode_count(), model.point_count(), model.body.mass_kg);
    print_line!(
        "{}: {}, {}, {mass:.3} kg",
        model.name,
        counted(modes, "mode"),
        counted(points, "place")
    )?;
    print_line!("  mode        Hz    T60 s")?;
    for (n, (f, d)) in model.frequencies_hz.iter().zip(&model.decays).take(8).enumerate() {
        print_line!("  {:>4} {f:>9.1} {:>8.3}", n + 1, t60(*d))?;
    }
    if modes > 8 {
        print_line!(
            "     … {:>9.1} {:>8.3}",
            model.frequencies_hz[modes - 1],
            t60(model.decays[modes - 1])
        )?;
    }
    Ok(())
}

/// How a model was made.
pub(crate) fn print_provenance(provenance: &Provenance) -> Result<()> {
    let Provenance { method, reason, unknowns, .. } = provenance;
    print_line!("{method}, {unknowns} unknowns: {reason}")?;
    if let Some(c) = &provenance.compression {
        let (before, after) = (c.modes_before, c.modes_after);
        print_line!(
            "{before} modes merged to {after}: levels differ by {:.1} dB on average",
            c.mean_db
        )?;
    }
    Ok(())
}
