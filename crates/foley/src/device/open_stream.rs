//! One stream of a sound system, from building to closing.

use std::sync::Arc;
use std::thread;

use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{BufferSize, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig};

use super::counters::Counters;
use super::feeder::Feeder;
use super::link::Link;
use super::pick::Picked;
use super::{Device, DeviceError, PATIENCE, deadline};

/// A stream that a device has accepted.
pub(super) struct OpenStream {
    inner: cpal::Stream,
    pub(super) link: Arc<Link>,
}

impl OpenStream {
    /// Ends the stream, within a few seconds.
    pub(super) fn close(self) {
        // Closing waits for the sound system's threads, which may wait for a dead server.
        deadline::within(PATIENCE, move || drop(self.inner));
    }

    /// Ends the stream on a thread that nothing waits for.
    pub(super) fn abandon(self) {
        let close = thread::Builder::new().name("foley-close".to_owned());
        // Without a thread it stays open, and silent.
        let _ = close.spawn(move || drop(self.inner));
    }
}

/// Builds and starts a stream that plays what is in the link's slot; gives up after some seconds.
pub(super) fn start(
    device: Device,
    link: Arc<Link>,
    counters: &Arc<Counters>,
) -> Result<OpenStream, DeviceError> {
    let (name, counters, shared) = (device.name.clone(), Arc::clone(counters), Arc::clone(&link));
    let build = move || build(&device.device, device.picked, &shared, &counters);
    let built = deadline::within(2 * PATIENCE, build);
    let stalled = || DeviceError::Stalled { device: name.clone(), seconds: PATIENCE.as_secs() };
    let inner = built.ok_or_else(stalled)?.map_err(|error| DeviceError::refused(&name, &error))?;
    Ok(OpenStream { inner, link })
}

fn build(
    device: &cpal::Device,
    picked: Picked,
    link: &Arc<Link>,
    counters: &Arc<Counters>,
) -> Result<cpal::Stream, cpal::Error> {
    let attempt = |buffer_size| {
        let feeder = Feeder::new(link.clone(), usize::from(picked.channels), counters.clone());
        let config = StreamConfig {
            channels: picked.channels,
            sample_rate: picked.sample_rate_hz,
            buffer_size,
        };
        open(device, config, picked.format, feeder, counters)
    };
    let stream = match attempt(BufferSize::Fixed(picked.block_frames)) {
        // Some drivers offer block sizes they then refuse.
        Err(error) if error.kind() == ErrorKind::UnsupportedConfig => {
            link.revive();
            attempt(BufferSize::Default)
        }
        result => result,
    }?;
    stream.play()?;
    Ok(stream)
}

fn open(
    device: &cpal::Device,
    config: StreamConfig,
    format: SampleFormat,
    feeder: Feeder,
    counters: &Arc<Counters>,
) -> Result<cpal::Stream, cpal::Error> {
    match format {
        SampleFormat::F32 => open_as::<f32>(device, config, feeder, counters),
        SampleFormat::I32 => open_as::<i32>(device, config, feeder, counters),
        SampleFormat::I24 => open_as::<cpal::I24>(device, config, feeder, counters),
        SampleFormat::I16 => open_as::<i16>(device, config, feeder, counters),
        SampleFormat::U16 => open_as::<u16>(device, config, feeder, counters),
        _ => Err(ErrorKind::UnsupportedConfig.into()),
    }
}

fn open_as<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    mut feeder: Feeder,
    counters: &Arc<Counters>,
) -> Result<cpal::Stream, cpal::Error> {
    let (counters, link) = (counters.clone(), feeder.link());
    let fault = move |error: cpal::Error| {
        if counters.fault(&error) {
            link.lose();
        }
    };
    device.build_output_stream(
        config,
        move |block: &mut [T], _| feeder.call(block),
        fault,
        Some(PATIENCE),
    )
}
