//! Choosing rate, channels, sample format and block size from what a device offers.

use cpal::{SampleFormat, SupportedBufferSize, SupportedStreamConfigRange};

use super::Settings;

/// Formats that can be played, best first.
const FORMATS: [SampleFormat; 5] =
    [SampleFormat::F32, SampleFormat::I32, SampleFormat::I24, SampleFormat::I16, SampleFormat::U16];

/// What was agreed with a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Picked {
    pub(super) sample_rate_hz: u32,
    pub(super) channels: u16,
    pub(super) format: SampleFormat,
    pub(super) block_frames: u32,
}

impl Picked {
    /// The offer nearest to `settings`: the rate counts most, then the channels, then the format.
    pub(super) fn best(ranges: &[SupportedStreamConfigRange], settings: &Settings) -> Option<Self> {
        let usable = ranges.iter().filter_map(|range| {
            let format_rank = FORMATS.iter().position(|&f| f == range.sample_format())?;
            let (low_hz, high_hz) = (range.min_sample_rate(), range.max_sample_rate());
            if range.channels() == 0 || high_hz == 0 || low_hz > high_hz {
                return None;
            }
            let picked = Self {
                sample_rate_hz: settings.sample_rate_hz.clamp(low_hz.max(1), high_hz),
                channels: range.channels(),
                format: range.sample_format(),
                block_frames: within(settings.block_frames, range.buffer_size()),
            };
            let off_hz = picked.sample_rate_hz.abs_diff(settings.sample_rate_hz);
            // Silent outputs are better than missing ones.
            let missing = settings.channels.saturating_sub(picked.channels);
            let spare = picked.channels.saturating_sub(settings.channels);
            Some(((off_hz, missing, spare, format_rank), picked))
        });
        usable.min_by_key(|(cost, _)| *cost).map(|(_, picked)| picked)
    }
}

fn within(block_frames: u32, range: &SupportedBufferSize) -> u32 {
    match *range {
        SupportedBufferSize::Range { min, max } if min <= max => block_frames.clamp(min, max),
        _ => block_frames,
    }
    .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(
        channels: u16,
        rates_hz: std::ops::RangeInclusive<u32>,
        format: SampleFormat,
    ) -> SupportedStreamConfigRange {
        let buffer = SupportedBufferSize::Range { min: 64, max: 256 };
        SupportedStreamConfigRange::new(
            channels,
            *rates_hz.start(),
            *rates_hz.end(),
            buffer,
            format,
        )
    }

    fn best(ranges: &[SupportedStreamConfigRange]) -> Option<(u32, u16, SampleFormat)> {
        let picked = Picked::best(ranges, &Settings::default())?;
        assert_eq!(picked.block_frames, 256);
        Some((picked.sample_rate_hz, picked.channels, picked.format))
    }

    #[test]
    fn stereo_floats_at_48_khz_win() {
        let offers = [
            offer(1, 8_000..=192_000, SampleFormat::F32),
            offer(8, 8_000..=192_000, SampleFormat::F32),
            offer(2, 44_100..=44_100, SampleFormat::F32),
            offer(2, 8_000..=192_000, SampleFormat::I16),
            offer(2, 8_000..=192_000, SampleFormat::F32),
        ];
        assert_eq!(best(&offers), Some((48_000, 2, SampleFormat::F32)));
    }

    #[test]
    fn the_nearest_is_taken_when_the_wish_cannot_be_met() {
        let cd = [offer(2, 44_100..=44_100, SampleFormat::I16)];
        assert_eq!(best(&cd), Some((44_100, 2, SampleFormat::I16)));
        let studio = [offer(10, 88_200..=192_000, SampleFormat::I32)];
        assert_eq!(best(&studio), Some((88_200, 10, SampleFormat::I32)));
        let spare = [
            offer(1, 48_000..=48_000, SampleFormat::F32),
            offer(6, 48_000..=48_000, SampleFormat::U16),
        ];
        assert_eq!(best(&spare), Some((48_000, 6, SampleFormat::U16)));
    }

    #[test]
    fn unusable_offers_are_refused() {
        assert_eq!(best(&[]), None);
        assert_eq!(best(&[offer(2, 48_000..=48_000, SampleFormat::DsdU8)]), None);
        assert_eq!(best(&[offer(0, 48_000..=48_000, SampleFormat::F32)]), None);
        assert_eq!(best(&[offer(2, 0..=0, SampleFormat::F32)]), None);
    }
}
