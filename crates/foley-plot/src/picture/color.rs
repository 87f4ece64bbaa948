//! Colours of the page, and maps from values to colours.
//!
//! The map is a path through OKLCH (Ottosson 2020), whose lightness is perceptually
//! uniform: lightness rises linearly, so equal steps in decibels look equal, also
//! in print and with colour blindness, while the hue goes from indigo through
//! crimson to yellow.

/// An sRGB colour with opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Color {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// Opacity, 0 to 1.
    pub alpha: f32,
}

impl Color {
    /// Makes an opaque colour.
    pub(crate) const fn new(r: u8, g: u8, b: u8) -> Self {
        Self { rgb: [r, g, b], alpha: 1.0 }
    }

    /// Returns the colour with an opacity.
    pub(crate) const fn with_alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }
}

/// Background of the page.
pub(crate) const PAGE: Color = Color::new(0x0c, 0x0e, 0x14);
/// Background of a panel.
pub(crate) const PANEL: Color = Color::new(0x13, 0x16, 0x1f);
/// Titles.
pub(crate) const TITLE: Color = Color::new(0xf4, 0xf5, 0xf8);
/// Labels and numbers.
pub(crate) const LABEL: Color = Color::new(0xb4, 0xb9, 0xc6);
/// Secondary text.
pub(crate) const FAINT: Color = Color::new(0x7d, 0x84, 0x95);
/// Major grid lines.
pub(crate) const GRID: Color = Color::new(0xff, 0xff, 0xff).with_alpha(0.10);
/// Minor grid lines.
pub(crate) const GRID_FINE: Color = Color::new(0xff, 0xff, 0xff).with_alpha(0.035);
/// The waveform.
pub(crate) const WAVE: Color = Color::new(0xc3, 0xb5, 0xf0);

/// Colours of series, distinct with colour blindness: after Okabe & Ito (2008), lighter where theirs
/// are too dark for this page.
pub const SERIES: [Color; 7] = [
    Color::new(0x56, 0xb4, 0xe9),
    Color::new(0xf0, 0x9f, 0x1e),
    Color::new(0x1f, 0xc0, 0x93),
    Color::new(0xf0, 0xe4, 0x42),
    Color::new(0xe0, 0x8f, 0xbd),
    Color::new(0xf2, 0x6b, 0x2c),
    Color::new(0xc9, 0xcd, 0xd8),
];

/// Returns the colour of level `u`: 0 is dark, 1 is light; values outside are clamped.
pub(crate) fn map(u: f64) -> Color {
    let u = if u.is_nan() { 0.0 } else { u.clamp(0.0, 1.0) };
    let lightness = 0.13 + 0.83 * u;
    let hue = (278.0 + 182.0 * u).to_radians();
    let wanted = 0.035 + 0.175 * (std::f64::consts::PI * u.powf(0.85)).sin().max(0.0);
    from_oklch(lightness, wanted, hue)
}

/// Returns the colour of a signed quantity: 0 is the most negative (blue), ½ zero (light grey), 1 the
/// most positive (red). Lightness falls equally on both sides, and blue and red are distinct with
/// every kind of colour blindness.
pub(crate) fn diverging(u: f64) -> Color {
    let u = if u.is_nan() { 0.5 } else { u.clamp(0.0, 1.0) };
    let size = (2.0 * u - 1.0).abs();
    let hue: f64 = if u < 0.5 { 255.0 } else { 32.0 };
    from_oklch(0.93 - 0.40 * size, 0.2 * size.powf(0.8), hue.to_radians())
}

/// Returns the colour of the highest chroma within the sRGB gamut, up to the given one.
fn from_oklch(lightness: f64, wanted: f64, hue: f64) -> Color {
    let (mut low, mut high) = (0.0, wanted);
    if in_gamut(linear_from_oklch(lightness, wanted, hue)) {
        low = wanted;
    } else {
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            if in_gamut(linear_from_oklch(lightness, middle, hue)) {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
    let [r, g, b] = linear_from_oklch(lightness, low, hue).map(srgb_from_linear);
    Color::new(r, g, b)
}

/// Returns the map at 256 levels, for images.
pub(crate) fn table() -> [[u8; 3]; 256] {
    std::array::from_fn(|i| map(i as f64 / 255.0).rgb)
}

fn linear_from_oklch(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

fn in_gamut(linear: [f64; 3]) -> bool {
    linear.iter().all(|c| (-1e-9..=1.0 + 1e-9).contains(c))
}

/// Decodes an sRGB component to linear light, 0 to 1.
pub(crate) fn linear_from_srgb(c: u8) -> f64 {
    let c = f64::from(c) / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Encodes linear light, 0 to 1, as an sRGB component.
pub(crate) fn srgb_from_linear(c: f64) -> u8 {
    let c = c.clamp(0.0, 1.0);
    let encoded = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    (255.0 * encoded).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the CIE lightness of an sRGB colour, an independent measure of uniformity.
    fn lightness([r, g, b]: [u8; 3]) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let y = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    #[test]
    fn louder_is_always_lighter() {
        let steps: Vec<f64> = (0..=16).map(|i| lightness(map(f64::from(i) / 16.0).rgb)).collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0] + 2.0), "{steps:?}");
        assert!(steps[0] < 8.0 && steps[16] > 90.0, "{steps:?}");
    }

    #[test]
    fn levels_outside_the_map_are_clamped() {
        assert_eq!(map(-3.0), map(0.0));
        assert_eq!(map(9.0), map(1.0));
        assert_eq!(map(f64::NAN), map(0.0));
    }

    #[test]
    fn white_and_black_are_where_they_should_be() {
        assert!(linear_from_oklch(1.0, 0.0, 0.0).iter().all(|c| (c - 1.0).abs() < 1e-6));
        assert!(linear_from_oklch(0.0, 0.0, 0.0).iter().all(|c| c.abs() < 1e-9));
    }

    /// The two signs as seen with colour blindness (matrices of Machado, Oliveira and
    /// Fernandes 2009, full strength): still two hues, of one lightness.
    #[test]
    fn both_signs_are_told_apart_by_every_eye() {
        let protan = [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]];
        let deutan = [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]];
        let tritan = [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]];
        for size in [0.15, 0.3, 0.5] {
            let [low, high] = [0.5 - size, 0.5 + size].map(|u| diverging(u).rgb);
            assert!((lightness(low) - lightness(high)).abs() < 8.0, "{low:?} {high:?}");
            for eye in [protan, deutan, tritan] {
                let sees = |rgb: [u8; 3]| {
                    let light = rgb.map(linear_from_srgb);
                    eye.map(|row: [f64; 3]| {
                        let c = row[0] * light[0] + row[1] * light[1] + row[2] * light[2];
                        f64::from(srgb_from_linear(c))
                    })
                };
                let (a, b) = (sees(low), sees(high));
                let apart = (0..3).map(|c| (a[c] - b[c]).abs()).fold(0.0, f64::max);
                assert!(apart > 40.0, "{size}: {a:?} {b:?}");
            }
        }
        assert!(lightness(diverging(0.5).rgb) > 88.0);
    }
}
