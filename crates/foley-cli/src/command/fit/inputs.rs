//! Recordings from files.

use anyhow::{Context, Result, bail};
use foley::modal::fit::{MOST_SAMPLES, Recording};
use std::path::{Path, PathBuf};

use foley::audio_file::{self, Reader};

/// What the files hold.
pub(super) struct Heard {
    pub(super) recordings: Vec<Recording>,
    /// Which channel of each file was used, counted from 0.
    pub(super) channels: Vec<usize>,
    /// How many channels each file has.
    channel_counts: Vec<usize>,
}

impl Heard {
    /// Returns a note of the channels of a file that were left out.
    pub(super) fn channel_note(&self, file: usize, path: &Path) -> Option<String> {
        let (used, count) = (self.channels[file] + 1, self.channel_counts[file]);
        let path = path.display();
        (count > 1).then(|| format!("{path}: channel {used} of {count} was used, the loudest"))
    }
}

/// Reads all recordings, after the lengths they claim have been found small enough.
pub(super) fn read(paths: &[PathBuf]) -> Result<Heard> {
    let mut total = 0;
    for path in paths {
        let reader = Reader::open(path)?;
        let frames = reader.frames.unwrap_or(0);
        total += frames;
        if total > MOST_SAMPLES as u64 {
            let seconds = frames as f64 / f64::from(reader.sample_rate_hz);
            bail!(
                "{}: with its {seconds:.0} s there are {total} samples, and no more than \
                 {MOST_SAMPLES} can be fitted; cut the recordings to the strikes",
                path.display()
            );
        }
    }
    let (recordings, channels, channel_counts) = Default::default();
    let mut heard = Heard { recordings, channels, channel_counts };
    for path in paths {
        let (recording, [channel, count]) = read_one(path)?;
        heard.channel_counts.push(count);
        heard.recordings.push(recording);
        heard.channels.push(channel);
    }
    Ok(heard)
}

/// The loudest channel: a mean of channels would comb what reaches them at different times,
/// and hide that one of them is clipped.
fn read_one(path: &Path) -> Result<(Recording, [usize; 2])> {
    let mut sound = audio_file::read(path)?;
    if let Some(seconds) = sound.cut_from_s {
        let (file, channels) = (path.display(), sound.channels.len());
        bail!("{file}: {seconds:.0} s of {channels} channels are too much; cut it to the strike");
    }
    let loudest = sound
        .loudest_channel()
        .with_context(|| format!("{}: it has no channels", path.display()))?;
    let count = sound.channels.len();
    let samples = sound.channels.swap_remove(loudest);
    let recording = Recording { samples, sample_rate_hz: f64::from(sound.sample_rate_hz) };
    Ok((recording, [loudest, count]))
}
