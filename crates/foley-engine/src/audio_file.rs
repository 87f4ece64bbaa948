//! Sound files: WAV and FLAC, read and written.
//!
//! A written file appears under its name only when it is complete: it is written beside the target
//! under a temporary name and renamed at the end. A failed or cancelled write leaves nothing
//! behind and keeps an older file of the same name. The same source gives the same bytes.
//!
//! ```
//! use foley_engine::audio_file::{Format, read, write};
//! use foley_engine::{Engine, Settings};
//!
//! let (_engine, mut renderer) = Engine::new(Settings::default())?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("silence.wav");
//! let written = write(&path, Format::from_path(&path)?, &mut renderer, 4_800, |progress| {
//!     eprint!("\r{:3.0} %", 100.0 * progress.fraction());
//!     true // false cancels
//! })?;
//! assert_eq!((written.peak, read(&path)?.channels[0].len()), (0.0, 4_800));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod encoder;
mod error;
#[cfg(feature = "flac")]
mod flac;
mod format;
mod quantise;
mod examine;
mod read;
mod wav;

pub use error::FileError;
pub use examine::{Examined, examine};
pub use format::{Container, Depth, Format};
pub use read::{DecodeError, Reader, Sound, read};

use std::path::Path;

use super::Source;
use encoder::Encoder;
use foley_geometry::atomic_file::AtomicFile;

/// Frames pulled from the source at a time; also FLAC's block size.
const BLOCK_FRAMES: usize = 4096;

/// How far a write has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Frames written so far.
    pub frames_done: u64,
    /// Frames asked for.
    pub frames_total: u64,
}

impl Progress {
    /// From 0 at the start to 1 at the end.
    pub fn fraction(&self) -> f64 {
        if self.frames_total == 0 {
            1.0
        } else {
            self.frames_done as f64 / self.frames_total as f64
        }
    }
}

/// What a finished file holds, and what was corrected.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Written {
    /// Frames in the file.
    pub frames: u64,
    /// Largest magnitude the source gave; above 1 it is too loud for a device.
    pub peak: f32,
    /// Samples beyond full scale that were limited to it. Float files keep them, so it stays 0.
    pub clipped: u64,
    /// Infinities and NaNs, written as silence. Anything above 0 is a fault of the source.
    pub not_finite: u64,
}

/// Writes the next `frames` frames of `source` to `path`.
///
/// `progress` is called after every block of a few thousand frames; when it returns `false` the
/// write ends with [`FileError::Cancelled`].
pub fn write(
    path: &Path,
    format: Format,
    source: &mut dyn Source,
    frames: u64,
    progress: impl FnMut(Progress) -> bool,
) -> Result<Written, FileError> {
    let (target, written) = encode(path, format, source, frames, progress)?;
    target.keep()?;
    Ok(written)
}

/// Writes the same to a file that has no name yet.
pub(crate) fn encode(
    path: &Path,
    format: Format,
    source: &mut dyn Source,
    frames: u64,
    mut progress: impl FnMut(Progress) -> bool,
) -> Result<(AtomicFile, Written), FileError> {
    format.check(path, source, frames)?;
    let target = AtomicFile::create(path)?;
    let mut encoder = Encoder::new(target.file(), format, source)
        .map_err(|error| FileError::io(path, "write", error))?;

    let channels = source.channels();
    let mut block = vec![0.0_f32; BLOCK_FRAMES * channels];
    let mut written = Written { frames: 0, peak: 0.0, clipped: 0, not_finite: 0 };
    while written.frames < frames {
        let now = (frames - written.frames).min(BLOCK_FRAMES as u64);
        let block = &mut block[..now as usize * channels];
        source.fill(block);
        mend(block, &mut written);
        encoder.write(block).map_err(|error| FileError::io(path, "write", error))?;
        written.frames += now;
        if !progress(Progress { frames_done: written.frames, frames_total: frames }) {
            return Err(FileError::Cancelled { path: path.to_owned() });
        }
    }
    written.clipped =
        encoder.finish().map_err(|error| FileError::io(path, "finish writing", error))?;
    Ok((target, written))
}

/// Silences what is not a number, so that it can never reach a file, and keeps the peak.
fn mend(block: &mut [f32], written: &mut Written) {
    for sample in block {
        if sample.is_finite() {
            written.peak = written.peak.max(sample.abs());
        } else {
            *sample = 0.0;
            written.not_finite += 1;
        }
    }
}
