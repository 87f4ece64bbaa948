//! Real-time playing through a real sound server.
//!
//! Each test starts a PulseAudio of its own with a sink that goes nowhere, plays a known sound
//! through `Device` in a child process, and compares what the sink heard with what was meant.
//! Where the server's programs are missing the tests say so and are skipped; with
//! `FOLEY_REQUIRE_AUDIO_SERVER=1`, as under `make test`, that is a failure.

#![cfg(target_os = "linux")]

#[path = "live_pulse/child.rs"]
mod child;
#[path = "live_pulse/compare.rs"]
mod compare;
#[allow(dead_code, reason = "the tests of foley-cli use the rest")]
#[path = "live_pulse/recorder.rs"]
mod recorder;
#[path = "live_pulse/reference.rs"]
mod reference;
#[allow(dead_code, reason = "the tests of foley-cli use the rest")]
#[path = "live_pulse/server.rs"]
mod server;

use std::io::Write;
use std::sync::Mutex;
use std::time::Duration;

use child::{Child, Task};
use recorder::Recorder;
use reference::Reference;
use server::Server;

/// Real time and two cores: one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Frames per block. A busy machine may interrupt the sound, which then gets a longer buffer; it
/// must get through whole once.
const ATTEMPTS: [u32; 3] = [512, 2048, 8192];

/// A line that the test harness does not swallow.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Whether to go on; missing programs are a failure only where they are required.
fn ready(test: &str, missing: &[&str]) -> bool {
    if missing.is_empty() {
        return true;
    }
    let what = format!("{test}: missing {}; scripts/setup test installs them", missing.join(", "));
    let required = std::env::var("FOLEY_REQUIRE_AUDIO_SERVER").is_ok_and(|value| value == "1");
    assert!(!required, "{what}");
    say(&format!("SKIPPED {what}"));
    false
}

/// Plays the reference once and compares; the error says what was wrong.
fn attempt(server: &Server, task: &Task, block_frames: u32) -> Result<String, String> {
    let recorder = Recorder::start(server)?;
    let child = Child::start_with(task, block_frames)?.finish(Duration::from_secs(30))?;
    // The monitor trails the sink a little.
    std::thread::sleep(Duration::from_millis(500));
    let heard = recorder.finish();
    let meant = Reference::new(reference::RATE_HZ).frames();
    let faithful = compare::compare(&meant, &heard)?;
    foley_measured::check!("live.correlation", faithful.correlation);
    foley_measured::check!("live.dropouts", faithful.dropouts as f64);
    Ok(format!("{}, {}", faithful.summary, child.stdout_line("stats:")?))
}

fn plays_faithfully(test: &str, task: impl Fn(&Server) -> Task) {
    let server = Server::start().unwrap();
    let task = task(&server);
    for block_frames in ATTEMPTS {
        match attempt(&server, &task, block_frames) {
            Ok(verdict) => return say(&format!("{test}: {verdict}, blocks of {block_frames}")),
            Err(reason) => say(&format!("{test}: blocks of {block_frames} failed: {reason}")),
        }
    }
    panic!("{test}: the sound never arrived whole");
}

#[test]
fn plays_through_the_sound_server() {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if ready("plays_through_the_sound_server", &server::missing()) {
        plays_faithfully("plays_through_the_sound_server", Task::play_native);
    }
}

#[test]
fn plays_through_alsa() {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let missing = [server::missing(), server::missing_alsa_plugin()].concat();
    if ready("plays_through_alsa", &missing) {
        plays_faithfully("plays_through_alsa", Task::play_alsa);
    }
}

#[test]
fn a_server_that_freezes_or_dies_is_an_error_not_a_hang() {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !ready("a_server_that_freezes_or_dies_is_an_error_not_a_hang", &server::missing()) {
        return;
    }
    // Three children at a time: all of them only wait.
    let begun = ["STOP", "KILL"].map(|signal| {
        let server = Server::start().unwrap();
        let child = Child::start(&Task::play_native(&server)).unwrap();
        child.wait_for_line("playing", Duration::from_secs(15)).unwrap();
        server.signal(signal).unwrap();
        (signal, server, child)
    });
    // Frozen before anything connects.
    let server = Server::start().unwrap();
    server.signal("STOP").unwrap();
    let child = Child::start(&Task::play_native(&server)).unwrap();
    let error = child.finish(Duration::from_secs(20)).unwrap().stdout_line("error:").unwrap();
    assert!(error.starts_with("error: no sound device: "), "{error}");
    for (signal, _server, child) in begun {
        let output = child.finish(Duration::from_secs(30)).unwrap();
        let error = output.stdout_line("error:").unwrap();
        assert!(error.contains("stalled") || error.contains("disconnected"), "{signal}: {error}");
    }
}

#[test]
fn devices_are_listed_and_found_by_name() {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !ready("devices_are_listed_and_found_by_name", &server::missing()) {
        return;
    }
    let server = Server::start().unwrap();
    let output = Child::start(&Task::list(&server)).unwrap().finish(Duration::from_secs(15));
    let listed = output.unwrap().stdout_line("device:").unwrap();
    assert_eq!(listed, format!("device: pulseaudio:{} default 48000 Hz 2 ch", server::SINK));
}

#[test]
fn no_device_is_one_clear_line() {
    let output = Child::start(&Task::without_any_device()).unwrap();
    let output = output.finish(Duration::from_secs(15)).unwrap();
    let error = output.stdout_line("error:").unwrap();
    assert!(error.starts_with("error: no sound device: ALSA: "), "{error}");
    assert!(error.ends_with("; render to a file instead"), "{error}");
    assert_eq!(output.stderr(), "", "sound libraries must not write to the terminal");
}

/// Not a test: what the tests above run in a process with an environment of its own.
#[test]
#[ignore = "run by the other tests"]
fn child_process() {
    child::run();
}
