//! `foley fit`: modes from recorded strikes, a surface from recorded scraping.

mod inputs;
mod outputs;
mod report;
mod surface;

use anyhow::{Context, Result};
use foley::SurfacePoint;
use foley::modal::Material;
use foley::modal::fit::{Options, fit_with_progress};
use std::path::PathBuf;

use crate::output::{OrMisuse, misuse};
use crate::progress;
use crate::values::{count, hertz, within};
use outputs::Outputs;

/// Modes from recorded strikes at one or several places, or a surface from scraping.
#[derive(Debug, clap::Args)]
#[command(after_help = MEANING)]
pub(crate) struct Args {
    /// Recorded strikes, .wav or .flac, one for each place, all at one sample rate; of several
    /// channels the loudest is used
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// The recording is of steady scraping: find the surface instead of modes
    #[arg(long, conflicts_with_all = STRIKES_ONLY)]
    surface: bool,
    /// The speed at which it was scraped, m/s [default: 1]
    #[arg(long, requires = "surface", conflicts_with_all = STRIKES_ONLY, value_parser = within([1e-4, 100.0], " m/s"), allow_hyphen_values = true, value_name = "M/S")]
    speed: Option<f64>,
    /// Where a recording was struck, in metres, e.g. 0.1,0,0; once for each recording, in
    /// the same order [default: all at the origin]
    #[arg(long, value_parser = metres, allow_hyphen_values = true, value_name = "X,Y,Z")]
    at: Vec<[f64; 3]>,
    /// The model, .modal, or the surface, .toml [default: named after the first recording]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where to write the modes alone, .wav or .flac; numbered -1, -2, … for several
    /// recordings [default: beside the model, such as bell-resynthesis.wav]
    #[arg(long, value_name = "FILE")]
    resynthesis: Option<PathBuf>,
    /// Also write what the modes leave over of the recording, .wav or .flac; numbered too
    #[arg(long, value_name = "FILE")]
    residual: Option<PathBuf>,
    /// Also draw the spectrograms of recording and resynthesis, .png or .svg; numbered too
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Modes above this are not looked for, e.g. 8kHz or 8000 [default: 20kHz]
    #[arg(long, value_parser = hertz, allow_hyphen_values = true, value_name = "HZ")]
    max_frequency: Option<f64>,
    /// At most this many modes, the clearest [default: 512]
    #[arg(long, value_parser = count, allow_hyphen_values = true, value_name = "COUNT")]
    max_modes: Option<usize>,
    /// The pressure at 1 m that full scale stands for, Pa
    #[arg(long, default_value_t = 1.0, value_parser = level, allow_hyphen_values = true, value_name = "PA")]
    full_scale: f64,
    /// The impulse of every recorded strike, N·s
    #[arg(long, default_value_t = 1.0, value_parser = level, allow_hyphen_values = true, value_name = "NS")]
    impulse: f64,
    /// The mass of the object, kg, for strikers to bounce off
    #[arg(long, default_value_t = 1.0, value_parser = level, allow_hyphen_values = true, value_name = "KG")]
    mass: f64,
    /// What the object is made of, for strikers to bounce off
    #[arg(long, short, default_value = "glass")]
    material: String,
}

/// What says nothing about a surface.
const STRIKES_ONLY: [&str; 10] = [
    "at",
    "resynthesis",
    "residual",
    "picture",
    "max_frequency",
    "max_modes",
    "full_scale",
    "impulse",
    "mass",
    "material",
];

const MEANING: &str = "\
Places: frequencies and decays are shared by all recordings, and every recording gives the gains of
its place (#0, #1, …). Its resynthesis is as long as itself and in step with it.

Levels: a model's gains are pascals at 1 m per N·s, and a recording tells neither. Unless
--full-scale and --impulse say otherwise, full scale is taken for 1 Pa at 1 m (as `foley strike
--physical` writes it) and every strike for 1 N·s: then only levels relative to each other are
right. The colour of the recorded striker stays in the gains.

Surfaces: --surface fits noise of the power spectrum f^beta with a peak (a reson) to steady scraping.
The peak's wavelength is the speed over its frequency, so --speed matters. The table it writes can
stand in a scene file.";

fn metres(text: &str) -> Result<[f64; 3], String> {
    match text.parse() {
        Ok(SurfacePoint::At(at)) => Ok(at),
        _ => Err("write metres as 0.1,0,0".into()),
    }
}

fn level(text: &str) -> Result<f64, String> {
    within([1e-9, 1e9], "")(text)
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    if args.surface {
        return surface::run(args, json);
    }
    if !args.at.is_empty() && args.at.len() != args.recordings.len() {
        misuse!(
            "--at is given {} times for {} recordings; give it once for each, or never",
            args.at.len(),
            args.recordings.len()
        );
    }
    let outputs = Outputs::new(args)?;
    let options = options(args)?;
    let heard = inputs::read(&args.recordings)?;
    let bar = progress::bar("fitting", 100);
    let fitted = fit_with_progress(&heard.recordings, &options, &mut |f| {
        bar.set_position((100.0 * f) as u64)
    });
    bar.finish_and_clear();
    let fitted = fitted.map_err(|error| match error.recording() {
        Some(k) => {
            let file = args.recordings[k].display();
            anyhow::Error::new(error).context(format!("cannot fit {file}"))
        }
        None => anyhow::Error::new(error).context(format!("cannot fit {}", all(args))),
    })?;
    outputs.write(&heard.recordings, &fitted)?;
    match json {
        true => report::facts(args, &outputs, &fitted, &heard.channels),
        false => report::print(args, &outputs, &fitted, &heard, options.max_modes),
    }
}

fn options(args: &Args) -> Result<Options> {
    let all = Options::default();
    let material = Material::named(&args.material).or_misuse()?;
    let name = args.recordings[0].file_stem().context("the first recording has no name")?;
    let body = foley::modal::ContactBody {
        mass_kg: args.mass,
        young_pa: material.young_pa,
        poisson: material.poisson,
        ..all.body
    };
    let (max_hz, max_modes) = (all.max_hz, all.max_modes);
    Ok(all
        .with_name(name.to_string_lossy().into_owned())
        .with_places(args.at.clone())
        .with_max_hz(args.max_frequency.unwrap_or(max_hz))
        .with_max_modes(args.max_modes.unwrap_or(max_modes))
        .with_full_scale_pa(args.full_scale)
        .with_impulse_ns(args.impulse)
        .with_body(body))
}

fn all(args: &Args) -> String {
    let names: Vec<String> = args.recordings.iter().map(|p| p.display().to_string()).collect();
    names.join(", ")
}
