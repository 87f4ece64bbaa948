//! `foley strike`: one impact.

use anyhow::{Context, Result, bail};
use clap::builder::NonEmptyStringValueParser;
use foley::audio_file::{Container, Format};
use foley::device::{self, Device};
use foley::dsp::excitation::{HertzPair, Striker};
use foley::dsp::model::ModalModel;
use foley::geometry::file_plan::FilePlan;
use foley::modal::energy::{ContactPoint, KnownDecays};
use foley::modal::source::{Loaded, ModelSource};
use foley::modal::{EnergyBalance, Held, HeldBody};
use foley::{Engine, Listening, MetresPerSecond, Offline, Settings, SurfacePoint};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

use super::play::gaps;
use crate::device_advice::advise;
use crate::model_args::ModelArgs;
use crate::output::{OrMisuse, finite, print_line};
use crate::values::within;
use crate::{progress, surface_point};
use foley::AudioBuffer;
use foley::plot;
use foley::signals::EndSignals;

/// Most gain reduction by the limiter, dB: beyond this, a short knock gets worse and not louder.
const MOST_LIMITING_DB: f64 = 12.0;

/// Options of the sound file, which exclude playing.
const FILE_ONLY: [&str; 4] = ["output", "picture", "physical", "loudness"];

/// One impact, to a sound file or to your ears.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("hearing").args(["audible", "play"]).multiple(true))]
pub(crate) struct Args {
    /// A .modal file; or, with --material, a shape such as bar:300x30x8mm, a mesh file or a
    /// built-in mesh such as bell
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    target: String,
    #[command(flatten)]
    model: ModelArgs,
    /// What strikes: steel ball, wooden mallet, rubber eraser, …
    #[arg(long, default_value = "wooden mallet", value_name = "STRIKER")]
    with: String,
    /// Where: metres from the middle, e.g. 0.1,0,0 (the nearest surface point), or #7 for
    /// the model's own point 7 [default: 37 % of the way from the middle to a corner, or #0
    /// of a model from recordings]
    #[arg(long, allow_hyphen_values = true, value_name = "X,Y,Z")]
    at: Option<SurfacePoint>,
    /// Which way, e.g. 0,0,-1 [default: along the surface's normal]
    #[arg(long, allow_hyphen_values = true, value_parser = surface_point::direction, value_name = "X,Y,Z")]
    direction: Option<[f64; 3]>,
    /// How fast, m/s
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true, value_parser = within([0.0, 1000.0], " m/s"))]
    speed: f64,
    /// How it is held: free, hung (by a thread), resting (on a wooden table), hand (in three
    /// fingers) or mounted (a pane in its frame); what touches it takes sound out of it
    #[arg(long, default_value_t = Held::Free, value_name = "HOW")]
    held: Held,
    /// The sound file, .wav or .flac
    #[arg(long, short, default_value = "strike.wav", value_name = "FILE")]
    output: PathBuf,
    /// Play it on the sound card instead of writing a file
    #[arg(long, conflicts_with_all = FILE_ONLY)]
    play: bool,
    /// The sound card to play on [default: the system's]
    #[arg(long, requires = "play", conflicts_with_all = FILE_ONLY)]
    device: Option<String>,
    /// Length in seconds [default: until it has rung out, at most 12]
    #[arg(long, allow_hyphen_values = true, value_parser = within([0.01, 600.0], " seconds"))]
    seconds: Option<f64>,
    /// Loudness of the file, LUFS
    #[arg(long, default_value_t = -16.0, allow_hyphen_values = true, value_parser = within([-60.0, -6.0], " LUFS"))]
    loudness: f64,
    /// Keep physical levels instead: full scale is 1 Pa at 1 m, nothing is limited
    #[arg(long, conflicts_with = "loudness")]
    physical: bool,
    /// Compute only what can be heard, as --play does: few partials for many modes
    #[arg(long)]
    audible: bool,
    /// How loud a sine of full scale is at your ears, dB SPL: what is too soft to be heard, and
    /// so left out by --audible and --play, depends on it
    #[arg(long, default_value_t = foley::DEFAULT_PLAYBACK_DB, allow_hyphen_values = true, value_parser = within([0.0, 140.0], " dB SPL"))]
    #[arg(requires = "hearing", conflicts_with = "physical")]
    playback_db: f64,
    /// Leave out the click of striker and object, which the blow accelerates as a whole
    #[arg(long)]
    no_acceleration_noise: bool,
    /// Also list where the energy of the striker went
    #[arg(long, conflicts_with = "play")]
    energy: bool,
    /// Also draw a spectrogram, .png or .svg
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

impl Args {
    /// Returns the files that are read and written.
    fn plan(&self, source: &ModelSource) -> FilePlan {
        let mut plan = FilePlan::default();
        source.files().into_iter().for_each(|file| plan.read("the target", file));
        plan.write("--output", &self.output);
        self.picture.iter().for_each(|path| plan.write("--picture", path));
        plan
    }
}

/// Results of a strike.
struct StrikeSummary {
    /// `None` when nothing touches.
    contact_s: Option<f64>,
    /// Peak at 1 m; `None` for silence.
    peak_db_spl: Option<f64>,
    /// Where the energy of the striker went, if that is asked for.
    energy: Option<EnergyBalance>,
    /// What was changed or left out.
    notes: Vec<String>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let format = Format::from_path(&args.output).or_misuse()?;
    if let Some(picture) = &args.picture {
        plot::check_extension(picture).or_misuse()?;
    }
    let striker = Striker::named(&args.with).or_misuse()?;
    let source = ModelSource::parse(&args.target).or_misuse()?;
    if !args.play {
        args.plan(&source).check()?;
    }
    let Loaded { model, provenance, viscosity_decays, notes, .. } = args.model.load(&source)?;
    let body = HeldBody::new(&model)
        .with_loss_factor(args.model.loss_factor(provenance.as_ref()))
        .with_shape(source.shape());
    let support = args.held.decays(&body).with_context(|| args.target.clone())?;
    let model = match args.held {
        Held::Free => model,
        _ => {
            let decays = model.decays.iter().zip(&support).map(|(d, more)| d + more);
            model.with_decays(decays.collect()).with_context(|| args.target.clone())?
        }
    };
    let point = surface_point::on(&model, args.at, args.direction)?;
    let gains = point.gains(&model)?;
    let seconds = args.seconds.unwrap_or_else(|| model.ring_time_s(&gains));
    if args.play {
        return play(args, json, model, &striker, point, seconds);
    }
    let energy = match args.energy {
        true => {
            let known = KnownDecays { viscosity: &viscosity_decays, support: &support };
            let direction = point.direction(&model)?.to_array();
            let place = ContactPoint { gains: &gains, direction, speed_m_s: args.speed };
            EnergyBalance::of_strike(&model, known, &striker, place)
                .with_context(|| format!("--energy: {}", args.target))?
        }
        false => None,
    };
    let contact_s = HertzPair::new(&striker, &model.body)?.contact_time_s(args.speed);
    let settings = match args.audible {
        true => audible(
            args,
            Offline::full_scale_of_strike_pa(&model, point, &striker, MetresPerSecond(args.speed))?,
        ),
        false => Settings::default(),
    };
    let settings = settings.with_acceleration_noise(!args.no_acceleration_noise);
    let mut scene =
        Offline::of_strike(model, point, &striker, MetresPerSecond(args.speed), settings)?;
    let bar = progress::bar("rendering", 100);
    let mut sound =
        AudioBuffer::render(&mut scene, seconds, |f| bar.set_position((100.0 * f) as u64));
    bar.finish_and_clear();
    let summary = StrikeSummary {
        contact_s: finite(contact_s),
        // 1 Pa is 94 dB above the 20 µPa that are just heard.
        peak_db_spl: finite(sound.peak_dbfs() - 20.0 * 20e-6f64.log10()),
        energy,
        notes,
    };
    if !args.physical {
        sound.fade_out(f64::min(0.01, seconds / 4.0));
        sound.level(args.loudness, MOST_LIMITING_DB)?;
    } else if format.container == Container::Flac && sound.peak_dbfs() > 0.0 {
        bail!(
            "cannot write {}: the peak is {:.1} dB above full scale, which FLAC cannot hold; \
             use .wav, or leave --physical out",
            args.output.display(),
            sound.peak_dbfs()
        );
    }
    finish(args, json, &sound, format, &summary)
}

/// Writes sound and picture: both or none.
fn finish(
    args: &Args,
    json: bool,
    sound: &AudioBuffer,
    format: Format,
    summary: &StrikeSummary,
) -> Result<()> {
    let title = format!("{} struck with {}", args.target, args.with);
    let draw = |path| plot::draw_spectrogram(sound, &title, path);
    let picture = args.picture.as_deref().map(draw).transpose()?;
    let (loudness, peak) = (finite(sound.loudness_lufs()?), finite(sound.peak_dbfs()));
    let seconds = sound.seconds();
    sound.write(&args.output, format)?.keep()?;
    picture.map_or(Ok(()), |p| p.keep())?;
    if json {
        let facts = json!({
            "written": args.output.display().to_string(),
            "picture": args.picture.as_ref().map(|p| p.display().to_string()),
            "seconds": seconds,
            "contact_ms": summary.contact_s.map(|t| t * 1e3),
            "peak_db_spl_at_1m": summary.peak_db_spl,
            "loudness_lufs": loudness,
            "peak_dbfs": peak,
            "energy": summary.energy,
            "notes": summary.notes,
        });
        return print_line!("{facts}");
    }
    match (summary.contact_s, summary.peak_db_spl) {
        (Some(t), Some(db)) => {
            print_line!("contact {:.3} ms, {db:.0} dB SPL peak at 1 m", t * 1e3)?
        }
        (Some(t), None) => print_line!("contact {:.3} ms, and nothing is heard", t * 1e3)?,
        (None, _) => print_line!("nothing moves, nothing is heard; try --speed 1")?,
    }
    summary.energy.iter().try_for_each(print_energy)?;
    summary.notes.iter().try_for_each(|note| print_line!("note: {note}"))?;
    let short = !args.physical && loudness.is_some_and(|l| l < args.loudness - 0.5);
    let short = if short { "; too short to be louder" } else { "" };
    let levels = levels(loudness, peak);
    print_line!("written: {} ({seconds:.2} s{levels}{short})", args.output.display())?;
    args.picture.iter().try_for_each(|p| print_line!("written: {}", p.display()))
}

/// Prints where the energy of the striker went.
fn print_energy(balance: &EnergyBalance) -> Result<()> {
    print_line!("energy of the striker: {:.3e} J, of which", balance.striker_before_j)?;
    balance.parts_j().into_iter().try_for_each(|(name, part_j)| {
        print_line!("  {name:<22}{:>8.3} %", 100.0 * part_j / balance.striker_before_j)
    })
}

fn levels(loudness: Option<f64>, peak: Option<f64>) -> String {
    let loudness = loudness.map(|l| format!(", {l:.1} LUFS")).unwrap_or_default();
    loudness + &peak.map(|p| format!(", peak {p:.1} dBFS")).unwrap_or_default()
}

/// Only what can be heard when full scale, which is 1 Pa until the sound is brought to its
/// level, becomes `full_scale_pa`; physical levels are heard as they are.
fn audible(args: &Args, full_scale_pa: f64) -> Settings {
    let playback_db = match args.physical {
        true => Listening::default().pascal_db,
        false => args.playback_db - 20.0 * full_scale_pa.log10(),
    };
    Settings::default().audible().with_playback_db(playback_db)
}

/// Plays live: the same engine, on the audio thread.
fn play(
    args: &Args,
    json: bool,
    model: ModalModel,
    striker: &Striker,
    point: SurfacePoint,
    seconds: f64,
) -> Result<()> {
    let advise = |error| advise(error, "leave --play out");
    let device = Device::open(args.device.as_deref(), &device::Settings::default());
    let device = device.map_err(advise)?;
    let mut settings = Settings::live(device.sample_rate_hz());
    settings.full_scale_pa =
        Offline::full_scale_of_strike_pa(&model, point, striker, MetresPerSecond(args.speed))?;
    settings.playback_db = args.playback_db;
    settings.acceleration_noise = !args.no_acceleration_noise;
    let (mut engine, renderer) = Engine::new(settings)?;
    let object = engine.add(model)?;
    engine.strike(object, point, striker, MetresPerSecond(args.speed), 0.05)?;
    let signals = EndSignals::listen();
    let stream = device.play(renderer).map_err(advise)?;
    let bar = progress::bar("playing", 100);
    let frames = (seconds * f64::from(stream.sample_rate_hz())).ceil().max(1.0);
    while signals.caught().is_none() && (stream.heard_frames() as f64) < frames {
        stream.wait(Duration::from_millis(5)).map_err(advise)?;
        engine.update();
        bar.set_position((100.0 * stream.heard_frames() as f64 / frames) as u64);
    }
    bar.finish_and_clear();
    let (name, heard_s) =
        (stream.device(), seconds * (stream.heard_frames() as f64 / frames).min(1.0));
    let stats = stream.stop();
    if json {
        let facts = json!({
            "device": name, "seconds": seconds, "heard_s": heard_s,
            "gaps": stats.gaps, "longest_gap_s": stats.longest_gap.as_secs_f64(),
            "silent_s": stats.silent.as_secs_f64(), "reopened": stats.reopened,
            "not_finite": stats.not_finite, "stopped_by": signals.caught(),
        });
        print_line!("{facts}")?;
    } else {
        print_line!("played {heard_s:.1} s on {name}; {}", gaps(&stats))?;
    }
    signals.exit_if_caught();
    Ok(())
}
