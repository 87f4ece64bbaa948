//! What a scene looks like: a still, and a film beside the sound.

use anyhow::{Context, Result, anyhow, bail};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::Made;
use crate::progress;
use foley_plot as plot;
use foley_plot::AtomicFile;
use foley_plot::SceneView;

/// Width and height of a still, and of a film; frames in a second.
const STILL: (usize, usize) = (1280, 720);
const FILM: (usize, usize) = (640, 360);
const RATE_HZ: u32 = 30;

/// The scene when most is happening.
pub(crate) fn still(made: &Made<'_>, path: &Path) -> Result<AtomicFile> {
    let show = SceneView::new(made.scene, made.prepared, &made.rendered.events);
    plot::draw_pixels(STILL, show.frame(show.busiest_s(made.scene.seconds), STILL), path)
}

/// Films the scene with the sound that was written; false when ffmpeg is not installed.
///
/// Frame k shows the time k/30 s, and the sound begins with frame 0.
pub(crate) fn film(made: &Made<'_>, sound: &Path, path: &Path) -> Result<bool> {
    let mut is_there = true;
    let whole = AtomicFile::written_by(path, |temporary| {
        let Some(ffmpeg) = start(sound, temporary)? else {
            is_there = false;
            return Ok(());
        };
        feed(made, ffmpeg).with_context(|| format!("cannot film {}", path.display()))
    })?;
    if is_there {
        whole.keep()?;
    }
    Ok(is_there)
}

/// ffmpeg, waiting for raw frames.
fn start(sound: &Path, film: &Path) -> Result<Option<Child>> {
    let file = |path: &Path| {
        // Names with colons are no protocols, names with dashes no options.
        let mut name = std::ffi::OsString::from("file:");
        name.push(path);
        name
    };
    let mut command = Command::new("ffmpeg");
    command.args(["-hide_banner", "-loglevel", "error", "-y"]);
    command.args(["-f", "rawvideo", "-pixel_format", "rgb24"]);
    command.args(["-video_size", &format!("{}x{}", FILM.0, FILM.1)]);
    command.args(["-framerate", &RATE_HZ.to_string(), "-i", "pipe:0", "-i"]).arg(file(sound));
    command.args(["-map", "0:v", "-map", "1:a", "-pix_fmt", "yuv420p"]);
    command.args(["-c:a", "aac", "-b:a", "192k", "-movflags", "+faststart"]).arg(file(film));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    match command.spawn() {
        Ok(ffmpeg) => Ok(Some(ffmpeg)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("ffmpeg cannot be started"),
    }
}

/// Gives ffmpeg all frames and waits until it has written the film.
fn feed(made: &Made<'_>, mut ffmpeg: Child) -> Result<()> {
    let (input, complaints) = (ffmpeg.stdin.take(), ffmpeg.stderr.take());
    // It may complain at length before it reads on.
    let complaints = std::thread::spawn(move || {
        let mut text = Vec::new();
        complaints.map(|pipe| pipe.take(1 << 16).read_to_end(&mut text));
        String::from_utf8_lossy(&text).trim().replace('\n', "; ")
    });
    let fed = match input {
        Some(mut input) => frames(made, &mut input),
        None => Ok(()),
    };
    // The pipe is closed by now: ffmpeg finishes.
    let status = ffmpeg.wait().context("ffmpeg is lost")?;
    let complaints = complaints.join().unwrap_or_default();
    if !status.success() {
        bail!("ffmpeg failed ({status}): {complaints}");
    }
    // In words: a pipe that breaks here is not a reader of ours who has gone away.
    fed.map_err(|error| anyhow!("ffmpeg stopped reading: {error}"))
}

/// Draws as many frames at a time as there are processors.
fn frames(made: &Made<'_>, input: &mut impl Write) -> Result<()> {
    let show = SceneView::new(made.scene, made.prepared, &made.rendered.events);
    let count = (made.scene.seconds * f64::from(RATE_HZ)).ceil() as u64;
    let at_a_time = std::thread::available_parallelism().map_or(1, |n| n.get().min(8)) as u64;
    let bar = progress::bar("film", count);
    for first in (0..count).step_by(at_a_time as usize) {
        let numbers = first..count.min(first + at_a_time);
        let drawn: Vec<_> = std::thread::scope(|scope| {
            let show = &show;
            let draw =
                |k: u64| scope.spawn(move || show.frame(k as f64 / f64::from(RATE_HZ), FILM));
            let drawing: Vec<_> = numbers.map(draw).collect();
            drawing.into_iter().map(|frame| frame.join()).collect()
        });
        for frame in drawn {
            let Ok(frame) = frame else { bail!("a frame could not be drawn") };
            input.write_all(frame.as_flattened())?;
        }
        bar.set_position(first);
    }
    bar.finish_and_clear();
    Ok(())
}
