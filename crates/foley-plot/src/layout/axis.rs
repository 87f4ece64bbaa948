//! Axes: scales from quantities to positions, and their ticks.

use foley_dsp::perception::{bark_from_hz, hz_from_bark};

/// The scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scale {
    /// Linear, from the first to the second value.
    Linear(f64, f64),
    /// Logarithmic; both ends positive.
    Log(f64, f64),
    /// Frequencies in Hz on the Bark scale; both ends positive.
    Bark(f64, f64),
}

/// A tick on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// Its value.
    pub value: f64,
    /// Its label; none for a minor tick.
    pub label: Option<String>,
}

impl Scale {
    /// Returns a log scale that contains all `values` between `limits`, with a margin, and
    /// spans at least the ratio `span`; all of `limits` when no value is inside.
    pub(crate) fn log_around(
        values: impl Iterator<Item = f64>,
        limits: (f64, f64),
        span: f64,
    ) -> Self {
        const ROOM: f64 = 1.3;
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for v in values.filter(|v| (limits.0..=limits.1).contains(v)) {
            (low, high) = (low.min(v), high.max(v));
        }
        if low > high {
            return Self::Log(limits.0, limits.1);
        }
        (low, high) = (low / ROOM, high * ROOM);
        let missing = (span * low / high).max(1.0).sqrt();
        (low, high) = ((low / missing).max(limits.0), (high * missing).min(limits.1));
        // The part cut off by one limit is added at the other end.
        (low, high) = (low.min(high / span).max(limits.0), high.max(low * span).min(limits.1));
        Self::Log(low, high)
    }

    /// Returns first and last value.
    pub(crate) fn ends(self) -> (f64, f64) {
        match self {
            Self::Linear(low, high) | Self::Log(low, high) | Self::Bark(low, high) => (low, high),
        }
    }

    /// Returns the position of a value: 0 at the first end, 1 at the last.
    pub(crate) fn position(self, value: f64) -> f64 {
        match self {
            Self::Linear(low, high) => (value - low) / (high - low),
            Self::Log(low, high) => (value / low).ln() / (high / low).ln(),
            Self::Bark(low, high) => {
                let low = bark_from_hz(low);
                (bark_from_hz(value) - low) / (bark_from_hz(high) - low)
            }
        }
    }

    /// Returns the value at a position: the inverse of [`Scale::position`].
    pub(crate) fn value(self, position: f64) -> f64 {
        match self {
            Self::Linear(low, high) => low + position * (high - low),
            Self::Log(low, high) => low * (high / low).powf(position),
            Self::Bark(low, high) => {
                let (low, high) = (bark_from_hz(low), bark_from_hz(high));
                hz_from_bark(low + position * (high - low))
            }
        }
    }

    /// Returns ticks at round values, about `count` of them labelled.
    pub(crate) fn ticks(self, count: usize, label: fn(f64) -> String) -> Vec<Tick> {
        match self {
            Self::Linear(low, high) => linear_ticks(low, high, count, label),
            Self::Log(low, high) => log_ticks(low, high, count, label),
            Self::Bark(low, high) => {
                let mut ticks = log_ticks(low, high, count, label);
                self.space_labels(&mut ticks, 0.36 / count.max(1) as f64);
                ticks
            }
        }
    }

    /// Removes labels that follow another at less than `room`, as a fraction of the axis.
    fn space_labels(self, ticks: &mut [Tick], room: f64) {
        let mut last = f64::NEG_INFINITY;
        for tick in ticks.iter_mut().filter(|t| t.label.is_some()) {
            let u = self.position(tick.value);
            if u - last < room {
                tick.label = None;
            } else {
                last = u;
            }
        }
    }
}

fn linear_ticks(low: f64, high: f64, count: usize, label: fn(f64) -> String) -> Vec<Tick> {
    let rough = (high - low).abs() / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|s| *s >= rough * 0.999)
        .unwrap_or(power);
    if !(step.is_finite() && step > 0.0) {
        return Vec::new();
    }
    let (low, high) = (low.min(high), low.max(high));
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last)
        .map(|i| i as f64 * step)
        .map(|value| Tick { value, label: Some(label(value)) })
        .collect()
}

fn log_ticks(low: f64, high: f64, count: usize, label: fn(f64) -> String) -> Vec<Tick> {
    let decades = (low.log10() - 1e-9).floor() as i32..=(high.log10() + 1e-9).floor() as i32;
    let inside = |v: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(v);
    let all: Vec<(u8, i32)> =
        decades.flat_map(|power| (1..10).map(move |digit| (digit, power))).collect();
    let value = |(digit, power): (u8, i32)| f64::from(digit) * 10f64.powi(power);
    // The densest set of labels that do not overlap.
    let every_digit: &[u8] = &[1, 2, 3, 4, 5, 6, 7, 8, 9];
    let sets: [&[u8]; 4] = [every_digit, &[1, 2, 3, 5, 7], &[1, 2, 5], &[1]];
    let held =
        |set: &[u8]| all.iter().filter(|t| set.contains(&t.0) && inside(&value(**t))).count();
    let set = sets.into_iter().find(|set| held(set) <= count).unwrap_or(&[1]);
    // Over very many decades not every power of ten fits.
    let stride = held(set).div_ceil(count.max(1)).max(1) as i32;
    all.iter()
        .map(|&(digit, power)| {
            let labelled = set.contains(&digit) && power.rem_euclid(stride) == 0;
            let value = value((digit, power));
            Tick { value, label: labelled.then(|| label(value)) }
        })
        .filter(|tick| inside(&tick.value) && (stride == 1 || tick.label.is_some()))
        .collect()
}

/// Formats a number in few characters: `0.05`, `1.5`, `440`, `12k`; a real minus sign.
pub(crate) fn short_number(v: f64) -> String {
    short_number_with(v, 3)
}

/// Formats as [`short_number`], with a number of significant digits.
pub(crate) fn short_number_with(v: f64, significant: i32) -> String {
    let (v, unit) = if v.abs() >= 1e12 {
        (v, "")
    } else if v.abs() >= 1e6 {
        (v / 1e6, "M")
    } else if v.abs() >= 1e3 {
        (v / 1e3, "k")
    } else {
        (v, "")
    };
    digits(v, significant) + unit
}

/// Formats a number with `digits` significant digits, without trailing zeros.
pub(crate) fn digits(v: f64, significant: i32) -> String {
    if v == 0.0 || !v.is_finite() {
        return if v == 0.0 { "0".into() } else { "∞".into() };
    }
    let magnitude = v.abs().log10().floor() as i32;
    if !(-5..9).contains(&magnitude) {
        return format!("{v:.1e}").replace('-', "−");
    }
    let places = (significant - 1 - magnitude).clamp(0, 12) as usize;
    let text = format!("{v:.places$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_axis_gives_every_octave_the_same_room() {
        let axis = Scale::Log(20.0, 20_480.0);
        for octave in 0..=10 {
            let u = axis.position(20.0 * 2f64.powi(octave));
            assert!((u - f64::from(octave) / 10.0).abs() < 1e-12);
        }
        for axis in [axis, Scale::Linear(-60.0, 0.0), Scale::Bark(20.0, 20e3)] {
            for u in [0.0, 0.3, 1.0] {
                assert!((axis.position(axis.value(u)) - u).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn hearing_is_marked_in_ones_twos_and_fives() {
        let labels: Vec<String> = Scale::Log(20.0, 20_000.0)
            .ticks(12, short_number)
            .into_iter()
            .filter_map(|t| t.label)
            .collect();
        assert_eq!(labels, ["20", "50", "100", "200", "500", "1k", "2k", "5k", "10k", "20k"]);
    }

    /// The lowest critical bands are 100 Hz wide: 50 does not fit beside 20.
    #[test]
    fn a_bark_axis_gives_critical_bands_the_same_room() {
        let axis = Scale::Bark(20.0, 20_000.0);
        let labels: Vec<String> =
            axis.ticks(12, short_number).into_iter().filter_map(|t| t.label).collect();
        assert_eq!(labels, ["20", "100", "200", "500", "1k", "2k", "5k", "10k", "20k"]);
        let band = |low, high| axis.position(high) - axis.position(low);
        assert!((band(400.0, 510.0) / band(3150.0, 3700.0) - 1.0).abs() < 0.1);
    }

    #[test]
    fn an_axis_holds_its_data_and_never_collapses() {
        let limits = (20.0, 20_000.0);
        let (low, high) = Scale::log_around([300.0, 900.0].into_iter(), limits, 10.0).ends();
        assert!(low < 300.0 && high > 900.0 && high / low >= 9.999);
        let (low, high) = Scale::log_around([19_999.0].into_iter(), limits, 10.0).ends();
        assert!(low < 19_999.0 && high == 20_000.0 && high / low >= 9.999);
        let (low, high) = Scale::log_around([1.0, f64::NAN].into_iter(), limits, 10.0).ends();
        assert_eq!((low, high), limits);
    }

    #[test]
    fn ticks_stay_few_on_absurd_axes() {
        for axis in [Scale::Log(1e-300, 1e6), Scale::Log(999.0, 1001.0), Scale::Linear(0.0, 2e-5)] {
            let ticks = axis.ticks(8, short_number);
            assert!(ticks.iter().filter(|t| t.label.is_some()).count() <= 9, "{axis:?}");
        }
        assert!(Scale::Linear(1.0, 1.0).ticks(5, short_number).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        let said: Vec<String> =
            [0.0, 0.05, 1.5, 440.0, 12_000.0, -20.0, 1e6, 1e99].map(short_number).to_vec();
        assert_eq!(said, ["0", "0.05", "1.5", "440", "12k", "−20", "1M", "1.0e99"]);
    }
}
