//! The impact map as an image, as in \[CS\] figure 5.

use super::{ImpactMap, Mark};

/// The quantity that the brightness of a mark encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// Speed: faster is brighter.
    Speed,
    /// Time: later is brighter.
    Time,
}

impl ImpactMap {
    /// Returns RGBA bytes row by row. The hue encodes the target; texels without an impact are dim, texels
    /// without a target are black.
    pub fn to_rgba(&self, shade: Shade) -> Vec<u8> {
        let [width, height] = self.atlas().size();
        let mut image = [0, 0, 0, 255].repeat(width as usize * height as usize);
        let value = |mark: &Mark| match shade {
            Shade::Speed => mark.speed_m_s,
            Shade::Time => mark.at_s,
        };
        let least = self.marks().map(value).fold(f64::INFINITY, f64::min);
        let most = self.marks().map(value).fold(f64::NEG_INFINITY, f64::max);
        for (number, patch) in self.atlas().patches().iter().enumerate() {
            for y in patch.at[1]..patch.at[1] + patch.size[1] {
                for x in patch.at[0]..patch.at[0] + patch.size[0] {
                    let light = match self.at([x, y]) {
                        None => DIM,
                        Some(mark) if most > least => {
                            FAINT + (1.0 - FAINT) * (value(mark) - least) / (most - least)
                        }
                        Some(_) => 1.0,
                    };
                    let offset = 4 * (y as usize * width as usize + x as usize);
                    image[offset..offset + 3].copy_from_slice(&colour(number, light));
                }
            }
        }
        image
    }
}

/// The brightness of a texel without a mark, and of the faintest mark.
const DIM: f64 = 0.12;
const FAINT: f64 = 0.4;

/// Spaces hues by the golden ratio, so that neighbouring indices differ and a few dozen remain distinct.
fn colour(number: usize, light: f64) -> [u8; 3] {
    let hue = (number as f64 * 0.618_033_988_749_895).fract();
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| {
        let distance = ((hue - shift).rem_euclid(1.0) - 0.5).abs();
        // Neither fully grey nor fully saturated.
        let channel = 0.25 + 0.75 * ((distance - 1.0 / 6.0) * 6.0).clamp(0.0, 1.0);
        (channel * light * 255.0).round() as u8
    })
}
