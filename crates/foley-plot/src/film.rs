//! Pictures of a scene in motion: a still, and a film with its sound, by ffmpeg.

use anyhow::{Context, Result, anyhow, bail};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::{AtomicFile, Picture, SceneView};

/// Width and height of a still and of a film, pixels; frames a second.
const STILL: (usize, usize) = (1280, 720);
const FILM: (usize, usize) = (640, 360);
const RATE_HZ: u32 = 30;

/// Draws the scene at the time of its strongest impacts.
pub fn draw_still(view: &SceneView<'_>, path: &Path) -> Result<AtomicFile> {
    Picture::of_pixels(STILL, view.frame(view.busiest_s(), STILL)).draw(path)
}

/// Folders of programs where `PATH` is not set.
const DEFAULT_FOLDERS: &str = "/bin:/usr/bin";

/// Returns the path of ffmpeg, which makes the films; `None` when it is not installed.
pub fn find_ffmpeg() -> Option<PathBuf> {
    let program = format!("ffmpeg{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_FOLDERS.into());
    let files = std::env::split_paths(&folders).map(|folder| folder.join(&program));
    files.into_iter().find(|file| is_executable(file))
}

/// Returns whether a path is a file that may be executed.
fn is_executable(path: &Path) -> bool {
    #[cfg(unix)]
    let may_run = |found: &std::fs::Metadata| {
        std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0
    };
    #[cfg(not(unix))]
    let may_run = |_: &std::fs::Metadata| true;
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && may_run(&found))
}

/// Films a scene with its sound file; returns `None` when ffmpeg is not installed. `progress` gets the
/// fraction done.
///
/// Frame k shows the time k/30 s, and the sound begins with frame 0.
pub fn film(
    view: &SceneView<'_>,
    sound: &Path,
    path: &Path,
    progress: &mut dyn FnMut(f64),
) -> Result<Option<AtomicFile>> {
    let file = AtomicFile::create(path)?;
    let Some(program) = find_ffmpeg() else { return Ok(None) };
    let ffmpeg = start(&program, sound, file.temporary_path())?;
    feed(view, ffmpeg, progress).with_context(|| format!("cannot film {}", path.display()))?;
    Ok(Some(file))
}

/// Starts ffmpeg, which reads raw frames.
fn start(program: &Path, sound: &Path, film: &Path) -> Result<Child> {
    let file = |path: &Path| {
        // The prefix keeps names with colons from being protocols, and names with dashes options.
        let mut name = std::ffi::OsString::from("file:");
        name.push(path);
        name
    };
    let mut command = Command::new(program);
    command.args(["-hide_banner", "-loglevel", "error", "-y"]);
    command.args(["-f", "rawvideo", "-pixel_format", "rgb24"]);
    command.args(["-video_size", &format!("{}x{}", FILM.0, FILM.1)]);
    command.args(["-framerate", &RATE_HZ.to_string(), "-i", "pipe:0", "-i"]).arg(file(sound));
    command.args(["-map", "0:v", "-map", "1:a", "-pix_fmt", "yuv420p"]);
    command.args(["-c:a", "aac", "-b:a", "192k", "-movflags", "+faststart"]).arg(file(film));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().with_context(|| format!("{} cannot be started", program.display()))
}

/// Writes all frames to ffmpeg and waits until it ends.
fn feed(view: &SceneView<'_>, mut ffmpeg: Child, progress: &mut dyn FnMut(f64)) -> Result<()> {
    let (input, messages) = (ffmpeg.stdin.take(), ffmpeg.stderr.take());
    // Drained by a thread: a full pipe would block ffmpeg.
    let messages = std::thread::spawn(move || {
        let mut text = Vec::new();
        messages.map(|pipe| pipe.take(1 << 16).read_to_end(&mut text));
        String::from_utf8_lossy(&text).trim().replace('\n', "; ")
    });
    let fed = match input {
        Some(mut input) => frames(view, &mut input, progress),
        None => Ok(()),
    };
    // The pipe is closed by now: ffmpeg finishes.
    let status = ffmpeg.wait().context("ffmpeg is lost")?;
    let messages = messages.join().unwrap_or_default();
    if !status.success() {
        bail!("ffmpeg failed ({status}): {messages}");
    }
    // As text: callers take a broken pipe for one of their own output.
    fed.map_err(|error| anyhow!("ffmpeg stopped reading: {error}"))
}

/// Draws frames in parallel and writes them in order.
fn frames(
    view: &SceneView<'_>,
    input: &mut impl Write,
    progress: &mut dyn FnMut(f64),
) -> Result<()> {
    let count = (view.seconds() * f64::from(RATE_HZ)).ceil() as u64;
    let at_a_time = std::thread::available_parallelism().map_or(1, |n| n.get().min(8)) as u64;
    for first in (0..count).step_by(at_a_time as usize) {
        let numbers = first..count.min(first + at_a_time);
        let drawn: Vec<_> = std::thread::scope(|scope| {
            let draw =
                |k: u64| scope.spawn(move || view.frame(k as f64 / f64::from(RATE_HZ), FILM));
            let drawing: Vec<_> = numbers.map(draw).collect();
            drawing.into_iter().map(|frame| frame.join()).collect()
        });
        for frame in drawn {
            let Ok(frame) = frame else { bail!("a frame could not be drawn") };
            input.write_all(frame.as_flattened())?;
        }
        progress(first as f64 / count as f64);
    }
    Ok(())
}
