//! `foley play`: a scene in motion, to your ears.

use anyhow::Result;
use foley::device::StreamStats;
use foley::scene::Scene;
use foley::{Error, Output, PlayReport, PlaySettings, Player};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::render::{load, prepare};
use crate::device_advice::{advise, render_instead};
use crate::gpu::GpuArgs;
use crate::output::{counted, print_line};
use crate::progress;
use foley::signals::EndSignals;

/// How often signals are looked at.
const GLANCE: Duration = Duration::from_millis(5);
/// Timeout of a GPU: shorter than the look-ahead of live playing.
const GPU_TIMEOUT: Duration = Duration::from_millis(50);
/// Look-ahead of the simulation, s: nothing edits the scene, and dense scenes take up to a second longer at times
/// than they last.
const LOOK_AHEAD_S: f64 = 2.0;

/// A scene in motion, to your ears. Ctrl-C stops it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A scene: .toml, .gltf or .glb
    scene: PathBuf,
    /// The sound card to play on [default: the system's]
    #[arg(long)]
    device: Option<String>,
    /// Play without a sound card, in real time, and tell how well it went
    #[arg(long, conflicts_with = "device")]
    mock: bool,
    #[command(flatten)]
    gpu: GpuArgs,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let (scene, _) = load(&args.scene)?;
    let output = match (args.mock, &args.device) {
        (true, _) => Output::Null,
        (false, Some(name)) => Output::Named(name.clone()),
        (false, None) => Output::Default,
    };
    let advise = |error| advise_error(error, &args.scene);
    // Opened first, to fail before a long preparation.
    let output = output.open().map_err(advise)?;
    let prepared = prepare(&scene)?;
    let hail_backend = args.gpu.hail_backend(&scene, GPU_TIMEOUT)?;
    let settings =
        PlaySettings::default().with_hail_backend(hail_backend).with_look_ahead_s(LOOK_AHEAD_S);
    let signals = EndSignals::listen();
    let mut player = Player::start(output, &scene, &prepared, &settings).map_err(advise)?;
    let bar = progress::bar("playing", 1000);
    while signals.caught().is_none() && player.run_for(GLANCE).map_err(advise)? {
        bar.set_position((1000.0 * player.heard_s() / scene.seconds) as u64);
    }
    bar.finish_and_clear();
    print_report(&player.stop(), &scene, signals.caught(), json)?;
    signals.exit_if_caught();
    Ok(())
}

fn advise_error(error: Error, scene: &Path) -> anyhow::Error {
    match error {
        Error::Device(error) => advise(error, &render_instead(scene)),
        other => other.into(),
    }
}

fn print_report(
    report: &PlayReport,
    scene: &Scene,
    signal: Option<&str>,
    json: bool,
) -> Result<()> {
    let PlayReport { device, heard_s, stream, sonified, .. } = report;
    if json {
        let facts = json!({
            "device": device, "title": scene.title, "seconds": scene.seconds, "heard_s": heard_s,
            "gaps": stream.gaps, "longest_gap_s": stream.longest_gap.as_secs_f64(),
            "silent_s": stream.silent.as_secs_f64(), "reopened": stream.reopened,
            "bad_blocks": report.bad_blocks, "not_finite": stream.not_finite,
            "late": report.late_events, "dropped": report.dropped_events,
            "most_modes_left_out": report.most_modes_left_out, "stopped_by": signal,
            "heard": sonified, "full_scale_pa": report.full_scale_pa,
            "lost": report.lost, "hail_found_by": report.hail_backend_name,
        });
        return print_line!("{facts}");
    }
    let by = signal.map(|signal| format!(" until {signal}")).unwrap_or_default();
    let impacts = counted((sonified.impacts + sonified.hail.sounded) as usize, "impact");
    print_line!("played {heard_s:.1} s{by} on {device}: {impacts}; {}", gaps(stream))?;
    let left_out = [
        (report.late_events, "events came too late for their time"),
        (report.dropped_events, "events were dropped: the queue to the audio thread was full"),
        (report.most_modes_left_out, "modes at a time were left out: no time to compute them"),
        (stream.not_finite, "samples were silenced: not finite"),
    ];
    for (count, what) in left_out.iter().filter(|(count, _)| *count > 0) {
        print_line!("left out: {count} {what}")?;
    }
    sonified.left_out().iter().try_for_each(|what| print_line!("left out: {what}"))?;
    // Also when a GPU was lost on the way.
    if let Some(name) = report.hail_backend_name.as_ref().filter(|name| *name != "CPU") {
        print_line!("hail: found by {name}")?;
    }
    report.lost.iter().try_for_each(|name| print_line!("lost: \"{name}\" flew away"))
}

/// Returns the gaps of a stream in words.
pub(crate) fn gaps(stream: &StreamStats) -> String {
    let gaps = match (stream.gaps, stream.longest_gap.as_secs_f64()) {
        (0, _) => "no gaps".to_owned(),
        // Of the mock device.
        (gaps, 0.0) => counted(gaps as usize, "gap"),
        (gaps, longest_s) => {
            format!("{}, the longest {:.0} ms", counted(gaps as usize, "gap"), 1e3 * longest_s)
        }
    };
    match stream.reopened {
        0 => gaps,
        times => format!("{gaps}; the device was opened again {}", counted(times as usize, "time")),
    }
}
