//! FLAC through `flacenc`, block by block, so that memory does not grow with length.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, Stream, StreamInfo};
use flacenc::config;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Context, Fill, FrameBuf};

use super::quantise::Quantiser;
use super::{BLOCK_FRAMES, Depth};

/// Streams samples into a FLAC file.
pub(super) struct FlacEncoder<'f> {
    writer: BufWriter<&'f File>,
    config: Verified<config::Encoder>,
    info: StreamInfo,
    block: FrameBuf,
    /// Counts the blocks and keeps the checksum of all samples.
    context: Context,
    quantiser: Quantiser,
    integers: Vec<i32>,
    bits: ByteSink,
}

impl<'f> FlacEncoder<'f> {
    pub(super) fn new(
        file: &'f File,
        depth: Depth,
        rate_hz: u32,
        channels: usize,
    ) -> io::Result<Self> {
        let bits = usize::from(depth.bits());
        let config =
            config::Encoder::default().into_verified().map_err(|(_, error)| into_io(error))?;
        let mut encoder = Self {
            writer: BufWriter::new(file),
            config,
            info: StreamInfo::new(rate_hz as usize, channels, bits).map_err(into_io)?,
            block: FrameBuf::with_size(channels, BLOCK_FRAMES).map_err(into_io)?,
            context: Context::new(bits, channels),
            quantiser: Quantiser::new(depth.bits()),
            integers: Vec::with_capacity(BLOCK_FRAMES * channels),
            bits: ByteSink::new(),
        };
        // Room for the header, which can only be known at the end.
        encoder.write_header()?;
        Ok(encoder)
    }

    pub(super) fn write(&mut self, interleaved: &[f32]) -> io::Result<()> {
        self.integers.clear();
        self.integers.extend(interleaved.iter().map(|&x| self.quantiser.quantise(x)));
        self.block.fill_interleaved(&self.integers).map_err(into_io)?;
        self.context.fill_interleaved(&self.integers).map_err(into_io)?;
        let number = self.context.current_frame_number().unwrap_or(0);
        let frame = flacenc::encode_fixed_size_frame(&self.config, &self.block, number, &self.info)
            .map_err(into_io)?;
        self.info.update_frame_info(&frame);
        self.write_bits(&frame)
    }

    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.info.set_md5_digest(&self.context.md5_digest());
        self.writer.seek(SeekFrom::Start(0))?;
        self.write_header()?;
        self.writer.flush()?;
        Ok(self.quantiser.clipped())
    }

    /// Writes the marker and the stream information where the file stands.
    fn write_header(&mut self) -> io::Result<()> {
        let mut info = self.info.clone();
        // The last block may be shorter without counting as the smallest.
        info.set_block_sizes(BLOCK_FRAMES, BLOCK_FRAMES).map_err(into_io)?;
        if self.context.total_samples() == 0 {
            info.set_frame_sizes(0, 0).map_err(into_io)?;
        }
        self.write_bits(&Stream::with_stream_info(info))
    }

    fn write_bits(&mut self, component: &impl BitRepr) -> io::Result<()> {
        self.bits.clear();
        component.write(&mut self.bits).map_err(into_io)?;
        self.writer.write_all(self.bits.as_slice())
    }
}

/// The encoder's errors may not cross threads, so only their text is kept.
fn into_io(error: impl std::error::Error) -> io::Error {
    io::Error::other(error.to_string())
}
