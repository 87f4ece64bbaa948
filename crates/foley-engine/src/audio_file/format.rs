//! Which file formats there are, and what each can hold.

use std::path::Path;

use super::{FileError, Source};

/// The kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// RIFF WAVE, uncompressed.
    Wav,
    /// Free Lossless Audio Codec.
    Flac,
}

/// How one sample is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// 16-bit integers with dither.
    Int16,
    /// 24-bit integers with dither.
    Int24,
    /// 32-bit floats, exactly as the source gave them; WAV only.
    Float32,
}

impl Depth {
    /// Bits in one stored sample.
    pub fn bits(self) -> u16 {
        match self {
            Self::Int16 => 16,
            Self::Int24 => 24,
            Self::Float32 => 32,
        }
    }
}

/// A container and the depth of the samples in it.
///
/// ```
/// use foley_engine::audio_file::{Depth, Format};
/// use std::path::Path;
///
/// assert_eq!(Format::from_path(Path::new("a.wav"))?.depth, Depth::Float32);
/// assert_eq!(Format::from_path(Path::new("a.FLAC"))?.depth, Depth::Int24);
/// let error = Format::from_path(Path::new("a.mp3")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "cannot write a.mp3: the format .mp3 is not known; use .wav or .flac"
/// );
/// # Ok::<(), foley_engine::audio_file::FileError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The kind of file.
    pub container: Container,
    /// How samples are stored in it.
    pub depth: Depth,
}

impl Format {
    /// By the extension, at the best depth the container has: float WAV, 24-bit FLAC.
    pub fn from_path(path: &Path) -> Result<Self, FileError> {
        let extension = path.extension().map(|e| e.to_string_lossy().into_owned());
        match extension.as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("wav") => Ok(Self { container: Container::Wav, depth: Depth::Float32 }),
            Some("flac") => Ok(Self { container: Container::Flac, depth: Depth::Int24 }),
            _ => Err(FileError::UnknownExtension { path: path.to_owned(), extension }),
        }
    }

    /// The same container with another depth.
    pub fn with_depth(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    /// Refuses what the container cannot hold before anything is rendered.
    pub(super) fn check(
        self,
        path: &Path,
        source: &dyn Source,
        frames: u64,
    ) -> Result<(), FileError> {
        let unsupported =
            |reason: String| Err(FileError::Unsupported { path: path.to_owned(), reason });
        let (rate_hz, channels) = (source.sample_rate_hz(), source.channels());
        if rate_hz == 0 || channels == 0 {
            return unsupported(format!("the source has {channels} channels at {rate_hz} Hz"));
        }
        match self.container {
            Container::Flac if !cfg!(feature = "flac") => {
                unsupported("this build has no FLAC; use .wav".to_owned())
            }
            Container::Flac if self.depth == Depth::Float32 => {
                Err(FileError::FloatFlac { path: path.to_owned() })
            }
            Container::Flac if channels > 8 => {
                unsupported(format!("FLAC holds 8 channels, not {channels}; use .wav"))
            }
            Container::Flac if rate_hz > FLAC_MAX_RATE_HZ => unsupported(format!(
                "FLAC is written up to {FLAC_MAX_RATE_HZ} Hz, not {rate_hz} Hz; use .wav"
            )),
            Container::Flac if frames >= FLAC_MAX_FRAMES => {
                unsupported(format!("{frames} frames are too many; write several files"))
            }
            Container::Wav if channels > usize::from(u16::MAX) => {
                unsupported(format!("WAV cannot hold {channels} channels"))
            }
            Container::Wav if self.wav_bytes(channels, frames) > WAV_MAX_BYTES => unsupported(
                format!("{frames} frames exceed WAV's 4 GiB; use .flac or write several files"),
            ),
            _ => Ok(()),
        }
    }

    fn wav_bytes(self, channels: usize, frames: u64) -> u64 {
        frames.saturating_mul(channels as u64).saturating_mul(u64::from(self.depth.bits() / 8))
    }
}

/// The most the encoder accepts.
const FLAC_MAX_RATE_HZ: u32 = 96_000;
/// Frame numbers have 31 bits and blocks 4096 frames, but the length field has only 36 bits.
const FLAC_MAX_FRAMES: u64 = 1 << 36;
/// Chunk lengths have 32 bits; headers take some of them.
const WAV_MAX_BYTES: u64 = u32::MAX as u64 - 1024;
