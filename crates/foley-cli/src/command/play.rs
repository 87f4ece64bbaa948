//! `foley play`: a scene in motion, to your ears.

use anyhow::Result;
use foley::Renderer;
use foley::device::{self, Device};
use foley::mock::{Blocks, MockDevice, Pace};
use foley::scene::Scene;
use foley::scene::sonify::{LiveScene, live_settings};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::render::{load, prepare};
use crate::device_advice::{advise, render_instead};
use crate::gpu::GpuArgs;
use crate::output::print_line;
use crate::progress;

/// Pause between updates of the scene.
const UPDATE_PAUSE: Duration = Duration::from_millis(5);
/// Timeout of a GPU: shorter than the look-ahead of live playing.
const GPU_TIMEOUT: Duration = Duration::from_millis(50);
/// Of the mock device.
const MOCK_HZ: u32 = 48_000;
const MOCK_BLOCK: usize = 512;

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

/// How playing went.
struct Played {
    device: String,
    /// Blocks that came late: gaps in the sound.
    underruns: u64,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let scene = load(&args.scene)?;
    // Opened first, to fail before a long preparation.
    let device = match args.mock {
        true => None,
        false => Some(
            Device::open(args.device.as_deref(), &device::Settings::default())
                .map_err(|error| advise(error, &render_instead(&args.scene)))?,
        ),
    };
    let prepared = prepare(&scene)?;
    let hail_backend = args.gpu.hail_backend(&scene, GPU_TIMEOUT)?;
    let rate_hz = device.as_ref().map_or(MOCK_HZ, Device::sample_rate_hz);
    let settings = live_settings(&scene, &prepared, &hail_backend, rate_hz)?;
    let full_scale_pa = settings.full_scale_pa;
    let (mut live, renderer) = LiveScene::new(&scene, &prepared, settings, &hail_backend)?;
    let played = match device {
        Some(device) => on_card(device, renderer, &mut live, &args.scene)?,
        None => on_mock(renderer, &mut live, scene.seconds)?,
    };
    print_result(&played, &mut live, &scene, full_scale_pa, json)
}

fn on_card(
    device: Device,
    renderer: Renderer,
    live: &mut LiveScene,
    scene: &Path,
) -> Result<Played> {
    let name = device.name().to_owned();
    let advise = |error| advise(error, &render_instead(scene));
    let stream = device.play(renderer).map_err(advise)?;
    let bar = progress::bar("playing", 1000);
    while live.update()? {
        stream.wait(UPDATE_PAUSE).map_err(advise)?;
        bar.set_position((1000.0 * live.fraction_done()) as u64);
    }
    bar.finish_and_clear();
    let underruns = stream.stats().underruns;
    stream.stop();
    Ok(Played { device: name, underruns })
}

/// A thread of its own takes the sound, as a card would.
fn on_mock(mut renderer: Renderer, live: &mut LiveScene, seconds: f64) -> Result<Played> {
    let frames = (seconds * f64::from(MOCK_HZ)).ceil() as u64;
    let card = std::thread::spawn(move || {
        let device = MockDevice::new(Blocks::Fixed(MOCK_BLOCK));
        device
            .with_pace(Pace::WallClock)
            .with_recording(false)
            .play(&mut renderer, frames)
            .late_blocks
    });
    while !card.is_finished() {
        live.update()?;
        std::thread::sleep(UPDATE_PAUSE);
    }
    let underruns = card.join().map_err(|_| anyhow::anyhow!("the sound broke off"))?;
    Ok(Played { device: "nothing".into(), underruns })
}

fn print_result(
    Played { device, underruns }: &Played,
    live: &mut LiveScene,
    scene: &Scene,
    full_scale_pa: f64,
    json: bool,
) -> Result<()> {
    let (stats, late, bad) = (live.stats(), live.late(), live.bad_blocks());
    if json {
        let facts = json!({
            "device": device, "title": scene.title, "seconds": scene.seconds,
            "underruns": underruns, "bad_blocks": bad, "late": late,
            "dropped": live.dropped(), "heard": stats, "full_scale_pa": full_scale_pa,
            "lost": live.lost(), "hail_found_by": live.hail_backend_name(),
        });
        return print_line!("{facts}");
    }
    print_line!(
        "played {:.1} s on {device}: {} impacts, {underruns} blocks late (underruns), {late} events late",
        scene.seconds,
        stats.impacts + stats.hail.sounded
    )?;
    // Also when a GPU was lost on the way.
    if let Some(name) = live.hail_backend_name().filter(|name| name != "CPU") {
        print_line!("hail: found by {name}")?;
    }
    live.lost().iter().try_for_each(|name| print_line!("lost: \"{name}\" flew away"))
}
