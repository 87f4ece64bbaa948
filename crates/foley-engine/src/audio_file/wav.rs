//! WAV through `hound`.

use std::fs::File;
use std::io::{self, BufWriter};

use super::Depth;
use super::quantise::Quantiser;

/// Streams samples into a WAV file.
pub(super) struct WavEncoder<'f> {
    writer: hound::WavWriter<BufWriter<&'f File>>,
    /// None for float files.
    quantiser: Option<Quantiser>,
}

impl<'f> WavEncoder<'f> {
    pub(super) fn new(
        file: &'f File,
        depth: Depth,
        rate_hz: u32,
        channels: usize,
    ) -> io::Result<Self> {
        let spec = hound::WavSpec {
            channels: u16::try_from(channels).map_err(io::Error::other)?,
            sample_rate: rate_hz,
            bits_per_sample: depth.bits(),
            sample_format: match depth {
                Depth::Float32 => hound::SampleFormat::Float,
                Depth::Int16 | Depth::Int24 => hound::SampleFormat::Int,
            },
        };
        let quantiser = (depth != Depth::Float32).then(|| Quantiser::new(depth.bits()));
        let writer = hound::WavWriter::new(BufWriter::new(file), spec).map_err(into_io)?;
        Ok(Self { writer, quantiser })
    }

    pub(super) fn write(&mut self, interleaved: &[f32]) -> io::Result<()> {
        for &sample in interleaved {
            match &mut self.quantiser {
                Some(quantiser) => self.writer.write_sample(quantiser.quantise(sample)),
                None => self.writer.write_sample(sample),
            }
            .map_err(into_io)?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<u64> {
        self.writer.finalize().map_err(into_io)?;
        Ok(self.quantiser.map_or(0, |quantiser| quantiser.clipped()))
    }
}

fn into_io(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other),
    }
}
