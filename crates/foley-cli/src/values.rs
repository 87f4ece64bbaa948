//! Values of flags, and checks of file names.

use anyhow::Result;
use foley::dsp::model::MAX_MODES;
use foley::geometry::mesh::Units;
use foley::modal::ShapeOptions;
use std::path::Path;

/// Returns a parser of numbers in a range.
pub(crate) fn within(
    [min, max]: [f64; 2],
    unit: &'static str,
) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.trim().parse().ok().filter(|x| (min..=max).contains(x));
        number.ok_or_else(|| format!("choose between {min} and {max}{unit}"))
    }
}

pub(crate) fn hertz(text: &str) -> Result<f64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let (number, factor) = match lower.strip_suffix("khz") {
        Some(number) => (number, 1e3),
        None => (lower.strip_suffix("hz").unwrap_or(&lower), 1.0),
    };
    let value = number.trim().parse::<f64>().ok().map(|value| value * factor);
    value
        .filter(|f| *f > ShapeOptions::default().min_hz && *f <= 1e6)
        .ok_or_else(|| "write a frequency above 20 Hz and up to 1000kHz, e.g. 8kHz or 8000".into())
}

pub(crate) fn count(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=MAX_MODES).contains(n));
    number.ok_or_else(|| format!("choose between 1 and {MAX_MODES}"))
}

pub(crate) fn metres(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let unit = if unit.is_empty() { "m" } else { &unit };
    let metres = unit.parse::<Units>().ok().map(Units::metres);
    let value = digits.trim().parse::<f64>().ok().zip(metres).map(|(x, unit)| x * unit);
    value
        .filter(|x| (1e-9..=1e6).contains(x))
        .ok_or_else(|| "write a positive length with its unit, e.g. 2mm or 0.1in".into())
}

/// Returns whether a file name has this ending, ignoring case.
pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

/// Returns whether a file name has the ending of a sound file that can be read.
pub(crate) fn is_sound_file(path: &Path) -> bool {
    ["wav", "flac"].iter().any(|ending| has_ending(path, ending))
}
