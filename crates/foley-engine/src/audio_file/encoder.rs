//! Encoder interface of all containers.

use std::fs::File;
use std::io;

#[cfg(feature = "flac")]
use super::flac::FlacEncoder;
use super::wav::WavEncoder;
use super::{Container, Format, Source};

/// Turns blocks of finite samples into the bytes of a file.
pub(super) enum Encoder<'f> {
    Wav(WavEncoder<'f>),
    #[cfg(feature = "flac")]
    Flac(Box<FlacEncoder<'f>>),
}

impl<'f> Encoder<'f> {
    pub(super) fn new(file: &'f File, format: Format, source: &dyn Source) -> io::Result<Self> {
        let (rate_hz, channels) = (source.sample_rate_hz(), source.channels());
        Ok(match format.container {
            Container::Wav => Self::Wav(WavEncoder::new(file, format.depth, rate_hz, channels)?),
            #[cfg(feature = "flac")]
            Container::Flac => {
                Self::Flac(Box::new(FlacEncoder::new(file, format.depth, rate_hz, channels)?))
            }
            #[cfg(not(feature = "flac"))]
            Container::Flac => return Err(io::ErrorKind::Unsupported.into()),
        })
    }

    /// Appends a block. All blocks but the last have `BLOCK_FRAMES` frames.
    pub(super) fn write(&mut self, interleaved: &[f32]) -> io::Result<()> {
        match self {
            Self::Wav(wav) => wav.write(interleaved),
            #[cfg(feature = "flac")]
            Self::Flac(flac) => flac.write(interleaved),
        }
    }

    /// Completes the file and returns how many samples were clipped.
    pub(super) fn finish(self) -> io::Result<u64> {
        match self {
            Self::Wav(wav) => wav.finish(),
            #[cfg(feature = "flac")]
            Self::Flac(flac) => flac.finish(),
        }
    }
}
