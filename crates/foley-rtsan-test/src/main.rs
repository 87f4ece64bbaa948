//! The audio thread of live playing under the real-time sanitizer: `make rtsan`.
//!
//! A scene is played with the settings of `foley play` through the callback that a sound card calls,
//! while another thread runs the scene, edits it and sends commands of every kind. Without the sanitizer
//! it only renders. With it, the first allocation, lock, wait or other system call on the audio thread
//! ends the program with a stack trace. The argument `plant` allocates in a force on the audio thread,
//! to show that the sanitizer watches.

mod commands;

use foley::device::{FromSample, SizedSample, callback};
use foley::scene::Scene;
use foley::scene::prepare::{ModelCache, Prepared};
use foley::scene::sonify::{ImpactBackend, LiveScene, live_settings};
use foley::{Budget, Renderer, Settings};
use rtsan_standalone::nonblocking;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use commands::{AllocatingForce, Commands};

type Error = Box<dyn std::error::Error>;

/// Hail on more bars than there are emitters, so that bars share them; rings that fall, roll and
/// collide; a scrape; a listener that walks past.
const SCENE: &str = r#"
    seconds = 2
    ground = "concrete"
    [listener]
    path = [{ at_s = 0, position = [-6, -3, 1] }, { at_s = 2, position = [6, -2, 1] }]
    [hail]
    per_second = 1000
    from_s = -3
    cloud = { position = [0, 0, 6], size = [8, 8] }
    [[object]]
    name = "bar"
    shape = "bar:900x80x8mm"
    material = "steel"
    motion = "fixed"
    position = [-3.5, -3.5, 0.5]
    grid = [9, 9, 1]
    spacing = [0.9, 0.9, 0]
    [[object]]
    name = "ring"
    shape = "ring:80x8mm"
    material = "bronze"
    position = [0, -3, 1]
    velocity = [1, 0, 0]
    spin = [0, 400, 90]
    copies = 6
    step = [0.1, 0.05, 0.2]
    [[object]]
    name = "plate"
    shape = "plate:300x200x2mm"
    material = "steel"
    motion = "fixed"
    position = [0, -4.5, 1]
    surface = { kind = "fractal" }
    [[scrape]]
    object = "plate"
    along = [[-0.1, 0, 0], [0.1, 0, 0]]
    back_and_forth = true
    speed_m_s = 0.3
    seconds = 2
"#;

const RATE_HZ: u32 = 48_000;

/// A fortieth of the time that a block lasts: with less, much is left out.
const SCARCE_US: f64 = 67.0;

/// Frames of the blocks that a device asks for, repeated.
const BLOCKS: [usize; 6] = [512, 512, 480, 1, 77, 2048];

#[nonblocking]
fn call<T>(callback: &mut impl FnMut(&mut [T]), block: &mut [T]) {
    callback(block);
}

/// A scene with its modes.
struct Stage {
    scene: Arc<Scene>,
    prepared: Prepared,
    backend: ImpactBackend,
}

/// Plays the scene once on a device with this number of outputs and samples of type `T`, and checks
/// that it sounded.
fn play<T: SizedSample + FromSample<f32>>(
    stage: &Stage,
    name: &str,
    outputs: usize,
    settings: Settings,
    plant: bool,
) -> Result<(), Error>
where
    f32: FromSample<T>,
{
    let Stage { scene, prepared, backend } = stage;
    let (mut live, renderer) = LiveScene::new(scene, prepared, settings, backend)?;
    let mut commands = Commands::new(live.engine())?;
    let is_scarce = live.engine().settings().budget.is_some_and(|budget| budget.micros < SCARCE_US);
    if plant {
        commands.attach(live.engine(), AllocatingForce)?;
    }
    // One block is rendered while the commands after the one before are sent.
    let (blocks, requests) = sync_channel(0);
    let audio = std::thread::spawn(move || render::<T>(renderer, outputs, &requests));
    for round in 0.. {
        let frames = BLOCKS[round % BLOCKS.len()];
        if !live.update()? || blocks.send(frames).is_err() {
            break;
        }
        commands.send(&mut live, round)?;
    }
    drop(blocks);
    let loudest = audio.join().map_err(|_| "the audio thread panicked")?;
    let report = live.engine().report();
    println!("{name}: {}, loudest sample {loudest:.3}", commands.summary(&report));
    commands.check(&report, is_scarce)?;
    let (bad, dropped) = (live.bad_blocks(), live.dropped());
    if !(0.01..=1.0).contains(&loudest) || bad + dropped > 0 {
        return Err(format!("{name}: {bad} bad blocks, {dropped} events dropped").into());
    }
    Ok(())
}

/// The audio thread: renders the blocks that are asked for; returns the loudest sample, full scale 1.
fn render<T: SizedSample + FromSample<f32>>(
    renderer: Renderer,
    outputs: usize,
    requests: &std::sync::mpsc::Receiver<usize>,
) -> f32
where
    f32: FromSample<T>,
{
    let mut callback = callback::<T>(renderer, outputs);
    let longest = BLOCKS.into_iter().max().unwrap_or(1);
    let mut block = vec![T::EQUILIBRIUM; longest * outputs];
    let mut loudest = 0.0f32;
    for frames in requests {
        let part = &mut block[..frames * outputs];
        call(&mut callback, part);
        loudest = part.iter().fold(loudest, |most, y| most.max(f32::from_sample_(*y).abs()));
    }
    loudest
}

fn main() -> Result<(), Error> {
    let plant = std::env::args().any(|argument| argument == "plant");
    let scene = Arc::new(Scene::parse(SCENE)?);
    let prepared = scene.prepare(&ModelCache::none(), &mut |_| true)?;
    let stage = Stage { scene, prepared, backend: ImpactBackend::default() };
    let settings = live_settings(&stage.scene, &stage.prepared, &stage.backend, RATE_HZ)?;
    play::<f32>(&stage, "stereo, as played", 2, settings.clone(), plant)?;
    // A program that draws the sound reads both while it plays.
    let watched = settings.with_telemetry(true).with_tap_s(0.1);
    play::<i16>(&stage, "mono, watched", 1, watched.clone(), false)?;
    let scarce = watched.with_budget(Budget::live(0.9 * SCARCE_US));
    play::<i32>(&stage, "six outputs, too little time", 6, scarce, false)
}
