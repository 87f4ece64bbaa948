//! Spectrogram of a sound under its waveform; of a stereo sound two channels, one
//! above the other.

use std::path::Path;

use anyhow::{Context, Result, bail};
use foley_engine::audio_file;

use crate::data::stft;
use crate::layout::axis::{Scale, digits, short_number};
use crate::layout::panel::{NUMBERS, Panel, color_bar, heading};
use crate::layout::waveform;
use crate::picture::color;
use crate::picture::{Anchor, Picture, Shape};

const LEFT: f32 = 120.0;
const WIDTH: f32 = 1330.0;
const TOP: f32 = 130.0;
const WAVE_HEIGHT: f32 = 96.0;
/// Range of levels below the loudest, dB.
const RANGE_DB: f64 = 80.0;

/// Draws a sound given channel by channel (full scale ±1); more than two channels are averaged.
pub fn spectrogram_picture(
    channels: &[Vec<f32>],
    sample_rate: u32,
    title: &str,
) -> Result<Picture> {
    let slices: Vec<&[f32]> = channels.iter().map(Vec::as_slice).collect();
    let frames = check(&slices, sample_rate)?;
    let mixed;
    let shown = if channels.len() > 2 {
        mixed = mix(channels, frames);
        vec![&mixed[..]]
    } else if channels.len() == 2 && channels[0] == channels[1] {
        vec![slices[0]]
    } else {
        slices
    };
    let kind = kind(channels.len(), shown.len());
    panels(&shown, ["Left", "Right"], sample_rate, title, &kind)
}

/// Draws two sounds of equal length, each with its name, one above the other on the same scales.
pub fn spectrogram_pair_picture(
    sounds: [(&str, &[f32]); 2],
    sample_rate: u32,
    title: &str,
) -> Result<Picture> {
    let shown = sounds.map(|sound| sound.1);
    check(&shown, sample_rate)?;
    let names = sounds.map(|sound| sound.0);
    panels(&shown, names, sample_rate, title, &names.join(" and "))
}

/// Draws the spectrogram of a sound file; of one longer than an hour (or 2²⁸ samples) only the
/// beginning, which the title states.
pub fn file_spectrogram_picture(path: &Path) -> Result<Picture> {
    let sound = audio_file::read(path)?;
    let mut title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(full_s) = sound.cut_from_s {
        let read_s = sound.channels[0].len() as f64 / f64::from(sound.sample_rate_hz);
        title += &format!(" (the first {:.0} of {:.0} min)", read_s / 60.0, full_s / 60.0);
    }
    spectrogram_picture(&sound.channels, sound.sample_rate_hz, &title)
        .with_context(|| format!("cannot draw {}", path.display()))
}

/// Draws one panel for each sound, with its name when there are two.
fn panels(
    shown: &[&[f32]],
    names: [&str; 2],
    sample_rate: u32,
    title: &str,
    kind: &str,
) -> Result<Picture> {
    let frames = shown[0].len();
    let peak = shown.iter().copied().flatten().fold(0.0f32, |peak, y| peak.max(y.abs()));
    let seconds = frames as f64 / f64::from(sample_rate);
    let layout = Layout::new(shown.len(), sample_rate, seconds);
    let mut picture = Picture::new(1600, layout.page_height());

    let rows = layout.height as usize;
    let analyses = shown
        .iter()
        .map(|y| stft::analyse(y, sample_rate, layout.frequency, WIDTH as usize, rows))
        .collect::<Result<Vec<_>>>()?;
    let loudest = analyses.iter().flat_map(|a| &a.db).fold(f32::MIN, |a, b| a.max(*b));
    let top_db = if loudest > stft::SILENCE_DB + 20.0 {
        (f64::from(loudest) / 5.0).ceil() * 5.0
    } else {
        0.0
    };
    let levels = Scale::Linear(top_db - RANGE_DB, top_db);
    for (i, analysis) in analyses.iter().enumerate() {
        let panel = layout.panel(i);
        let [left, top, width, _] = panel.frame;
        let strip = [left, top - WAVE_HEIGHT - 10.0, width, WAVE_HEIGHT];
        waveform::draw(&mut picture, strip, shown[i], peak);
        picture.add(Shape::Image((left, top), analysis.columns, colors(&analysis.db, levels)));
        label(&mut picture, &panel, i + 1 == shown.len());
        if shown.len() == 2 {
            let at = (left - 12.0, strip[1] + 0.5 * WAVE_HEIGHT + 0.36 * NUMBERS);
            picture.text(at, NUMBERS, Anchor::End, color::LABEL, names[i]);
        }
        let bar = [left + width + 24.0, top, 22.0, layout.height];
        color_bar(&mut picture, bar, levels, color::map, "dBFS");
    }
    let facts = facts(kind, sample_rate, seconds, peak);
    heading(&mut picture, LEFT, title, &facts)?;
    Ok(picture)
}

fn check(channels: &[&[f32]], sample_rate: u32) -> Result<usize> {
    let frames = channels.first().map_or(0, |channel| channel.len());
    if frames == 0 {
        bail!("the sound is empty; there is nothing to draw");
    }
    if !(100..=10_000_000).contains(&sample_rate) {
        bail!("a sample rate of {sample_rate} Hz is not between 100 Hz and 10 MHz");
    }
    for (i, channel) in channels.iter().enumerate() {
        if channel.len() != frames {
            bail!("channel {i} has {} samples where channel 0 has {frames}", channel.len());
        }
        // Beyond ±1e9 the power overflows a float.
        if let Some(at) = channel.iter().position(|y| y.is_nan() || y.abs() > 1e9) {
            bail!("sample {at} of channel {i} is {}, which is not a sound", channel[at]);
        }
    }
    Ok(frames)
}

fn mix(channels: &[Vec<f32>], frames: usize) -> Vec<f32> {
    let part = 1.0 / channels.len() as f32;
    (0..frames).map(|i| channels.iter().map(|c| part * c[i]).sum()).collect()
}

fn kind(channels: usize, shown: usize) -> String {
    match (channels, shown) {
        (1, _) => "mono".into(),
        (2, 1) => "two equal channels".into(),
        (2, _) => "stereo".into(),
        (n, _) => format!("mean of {n} channels"),
    }
}

fn facts(kind: &str, sample_rate: u32, seconds: f64, peak: f32) -> String {
    let peak = if peak > 0.0 {
        format!("peak {} dBFS", digits(20.0 * f64::from(peak).log10(), 3))
    } else {
        "silent".into()
    };
    let rate = digits(f64::from(sample_rate) / 1e3, 4);
    format!("{} s  ·  {rate} kHz  ·  {kind}  ·  {peak}", digits(seconds, 3))
}

/// Layout of the panels of a picture.
struct Layout {
    count: usize,
    height: f32,
    frequency: Scale,
    time: Scale,
}

impl Layout {
    fn new(count: usize, sample_rate: u32, seconds: f64) -> Self {
        let height = if count == 1 { 680.0 } else { 430.0 };
        let highest = (0.5 * f64::from(sample_rate)).min(20_000.0);
        Self {
            count,
            height,
            frequency: Scale::Log(20.0, highest),
            time: Scale::Linear(0.0, seconds),
        }
    }

    fn step(&self) -> f32 {
        WAVE_HEIGHT + 10.0 + self.height + 40.0
    }

    fn page_height(&self) -> u32 {
        (TOP + self.count as f32 * self.step() + 56.0) as u32
    }

    fn panel(&self, i: usize) -> Panel {
        let top = TOP + i as f32 * self.step() + WAVE_HEIGHT + 10.0;
        Panel { frame: [LEFT, top, WIDTH, self.height], x: self.time, y: self.frequency }
    }
}

fn colors(db: &[f32], levels: Scale) -> Vec<[u8; 3]> {
    let table = color::table();
    db.iter().map(|v| table[(255.0 * levels.position(f64::from(*v))) as u8 as usize]).collect()
}

fn label(picture: &mut Picture, panel: &Panel, with_time: bool) {
    let x_ticks = panel.x.ticks(12, |v| digits(v, 6));
    let y_ticks = panel.y.ticks(12, short_number);
    let labelled: Vec<_> = y_ticks.iter().filter(|t| t.label.is_some()).cloned().collect();
    panel.grid(picture, &[], &labelled);
    panel.name_y(picture, &y_ticks, "Frequency (Hz)");
    if with_time {
        panel.name_x(picture, &x_ticks, "Time (s)");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_in_words() {
        let says = |channels: &[Vec<f32>], rate, words: &str| {
            let error = spectrogram_picture(channels, rate, "x").unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        says(&[], 48_000, "empty");
        says(&[vec![]], 48_000, "empty");
        says(&[vec![0.0, f32::NAN]], 48_000, "sample 1 of channel 0 is NaN");
        says(&[vec![f32::INFINITY]], 48_000, "is inf");
        says(&[vec![0.0], vec![]], 48_000, "channel 1 has 0 samples");
        says(&[vec![0.0]], 0, "sample rate");
    }

    #[test]
    fn short_silent_and_many_channelled_sounds_are_drawn() {
        for channels in [vec![vec![0.3]], vec![vec![0.0; 5000]], vec![vec![0.1, -0.1, 0.2]; 7]] {
            assert!(spectrogram_picture(&channels, 48_000, "x").is_ok());
        }
        assert!(spectrogram_picture(&[vec![0.1; 100], vec![0.2; 100]], 8_000, "x").is_ok());
    }

    #[test]
    fn loud_is_light_and_silence_dark() {
        let table = color::table();
        let found = colors(&[-300.0, 0.0, 7.0], Scale::Linear(-90.0, 0.0));
        assert_eq!(found, [table[0], table[255], table[255]]);
    }
}
