//! `foley strike`: one impact.

use anyhow::{Context, Result, bail};
use foley::backend::device::{self, Device};
use foley::backend::file::{Format, write};
use foley::{Engine, Offline, Place, Settings};
use foley_dsp::contact::{HertzPair, Striker};
use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputSettings;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

use crate::command::modes::t60;
use crate::listen::{Sound, render};
use crate::target::{self, Making};
use crate::{plot, progress};

/// One impact, to a sound file or to your ears.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .modal file, or a shape such as bar:300x30x8mm (then with --material).
    target: String,
    #[command(flatten)]
    making: Making,
    /// What strikes: steel ball, wooden mallet, rubber eraser, …
    #[arg(long, default_value = "wooden mallet")]
    with: String,
    /// Where: coordinates in metres, e.g. 0.1,0,0 (the nearest surface point), or #7 for
    /// the model's own point 7.
    #[arg(long, default_value = "0.37x", value_name = "X,Y,Z")]
    at: String,
    /// How fast, m/s.
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// The sound file, .wav or .flac.
    #[arg(long, short, default_value = "strike.wav")]
    output: PathBuf,
    /// Play it on the sound card instead of writing a file.
    #[arg(long)]
    play: bool,
    /// The sound card to play on (default: the system's).
    #[arg(long, requires = "play")]
    device: Option<String>,
    /// Length in seconds (default: until it has rung out).
    #[arg(long)]
    seconds: Option<f64>,
    /// Loudness of the file, LUFS.
    #[arg(long, default_value_t = -16.0, allow_negative_numbers = true)]
    loudness: f64,
    /// Keep physical levels instead: full scale is 1 Pa at 1 m, nothing is limited.
    #[arg(long)]
    physical: bool,
    /// Also draw a spectrogram, .png or .svg.
    #[arg(long)]
    picture: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let model = target::model(&args.target, &args.making)?;
    let striker = Striker::named(&args.with)?;
    let place = place(&args.at, &model)?;
    let seconds = args.seconds.unwrap_or_else(|| ringing(&model));
    if !(0.01..=600.0).contains(&seconds) {
        bail!("--seconds {seconds}: choose between 0.01 and 600");
    }
    if !(args.speed >= 0.0 && args.speed <= 1000.0) {
        bail!("--speed {}: choose between 0 and 1000 m/s", args.speed);
    }
    if args.play {
        return play(args, json, model, &striker, place, seconds);
    }
    let format = Format::from_path(&args.output)?;
    let contact = HertzPair::new(&striker, &model.body)?.contact_time_s(args.speed.max(1e-9));
    let unlimited = OutputSettings { limiter: None };
    let (mut engine, renderer) =
        Engine::new(Settings { output: unlimited, ..Settings::default() })?;
    let object = engine.add(model)?;
    engine.strike(object, place, &striker, args.speed, 0.0)?;
    let bar = progress::bar("rendering", 100);
    let mut scene = Offline::new(engine, renderer);
    let mut sound = render(&mut scene, seconds, |f| bar.set_position((100.0 * f) as u64));
    bar.finish_and_clear();
    let physical_db = sound.peak_dbfs() + 94.0;
    if !args.physical {
        sound.level(args.loudness)?;
    }
    finish(args, json, sound, format, contact, physical_db)
}

fn finish(
    args: &Args,
    json: bool,
    sound: Sound,
    format: Format,
    contact: f64,
    physical_db: f64,
) -> Result<()> {
    if let Some(picture) = &args.picture {
        let title = format!("{} struck with {}", args.target, args.with);
        plot::plot_audio(&sound.planar(), sound.sample_rate_hz, &title, picture)?;
    }
    let (loudness, peak) = (sound.loudness_lufs()?, sound.peak_dbfs());
    let mut source = sound.into_source();
    let frames = source.frames();
    write(&args.output, format, &mut source, frames, |_| true)?;
    if json {
        let facts = json!({
            "written": args.output,
            "picture": args.picture,
            "seconds": frames as f64 / 48_000.0,
            "contact_ms": contact * 1e3,
            "peak_db_spl_at_1m": physical_db,
            "loudness_lufs": finite(loudness),
            "peak_dbfs": finite(peak),
        });
        println!("{facts}");
    } else {
        println!(
            "contact {:.3} ms, {physical_db:.0} dB SPL peak at 1 m; file at {loudness:.1} LUFS, \
             peak {peak:.1} dBFS",
            contact * 1e3
        );
        println!("written: {}", args.output.display());
    }
    Ok(())
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// Plays live: the same engine, on the audio thread.
fn play(
    args: &Args,
    json: bool,
    model: ModalModel,
    striker: &Striker,
    place: Place,
    seconds: f64,
) -> Result<()> {
    let device = Device::open(args.device.as_deref(), &device::Settings::default())?;
    let name = device.name().to_owned();
    let mut settings = Settings::live(device.sample_rate_hz());
    settings.full_scale_pa = comfortable_pa(&model, striker, place, args.speed)?;
    let (mut engine, renderer) = Engine::new(settings)?;
    let object = engine.add(model)?;
    engine.strike(object, place, striker, args.speed, 0.05)?;
    let stream = device.play(renderer)?;
    let bar = progress::bar("playing", 100);
    let steps = (seconds * 20.0).ceil().max(1.0);
    for step in 1..=steps as u64 {
        stream.wait(Duration::from_millis(50))?;
        engine.update();
        bar.set_position((100.0 * step as f64 / steps) as u64);
    }
    bar.finish_and_clear();
    let underruns = stream.stats().underruns;
    stream.stop();
    if json {
        println!("{}", json!({ "device": name, "seconds": seconds, "underruns": underruns }));
    } else {
        println!("played {seconds:.1} s on {name}, {underruns} underruns");
    }
    Ok(())
}

/// The pressure that full scale should mean so that this strike peaks at −6 dBFS.
fn comfortable_pa(model: &ModalModel, striker: &Striker, place: Place, speed: f64) -> Result<f64> {
    let unlimited = OutputSettings { limiter: None };
    let (mut engine, renderer) =
        Engine::new(Settings { output: unlimited, ..Settings::default() })?;
    let object = engine.add(model.clone())?;
    engine.strike(object, place, striker, speed, 0.0)?;
    let sound = render(&mut Offline::new(engine, renderer), 0.3, |_| ());
    let peak = sound.samples.iter().fold(0.0f32, |p, s| p.max(s.abs()));
    Ok((f64::from(peak) * 2.0).clamp(1e-9, 1e9))
}

/// Until everything within 60 dB of the loudest mode has fallen by 60 dB.
fn ringing(model: &ModalModel) -> f64 {
    let longest = model.decays.iter().fold(0.0f64, |t, d| t.max(t60(*d)));
    longest.clamp(0.5, 12.0)
}

fn place(text: &str, model: &ModalModel) -> Result<Place> {
    if text == "0.37x" {
        return Ok(default_place(model));
    }
    if let Some(index) = text.strip_prefix('#') {
        let index: usize = index.parse().with_context(|| format!("--at {text}: not a point"))?;
        if index >= model.point_count() {
            bail!("--at {text}: the model has points 0 to {}", model.point_count() - 1);
        }
        return Ok(Place::Point(index));
    }
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>().ok().filter(|v| v.is_finite()))
        .collect::<Option<_>>()
        .with_context(|| format!("--at {text}: write metres as 0.1,0,0 or a point as #7"))?;
    match numbers[..] {
        [x, y, z] => Ok(Place::At([x, y, z])),
        [x, y] => Ok(Place::At([x, y, 0.0])),
        [x] => Ok(Place::At([x, 0.0, 0.0])),
        _ => bail!("--at {text}: write one to three numbers, e.g. 0.1,0,0"),
    }
}

/// Off every centre line: 37 % of the way out from the middle, where all modes answer.
pub(crate) fn default_place(model: &ModalModel) -> Place {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for p in &model.points {
        for i in 0..3 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    }
    let part = [0.685, 0.635, 0.5];
    Place::At(std::array::from_fn(|i| low[i] + part[i] * (high[i] - low[i])))
}
