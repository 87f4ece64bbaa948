//! The map as a picture, like \[CS\] figure 5.

use super::{ImpactMap, Mark};

/// What the brightness of a mark shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// The faster, the brighter.
    Speed,
    /// The later, the brighter.
    Age,
}

impl ImpactMap {
    /// Four bytes a texel (red, green, blue, opaque), row by row: the colour is the collider, dim where
    /// nothing struck; black is no collider.
    pub fn to_rgba(&self, shade: Shade) -> Vec<u8> {
        let [width, height] = self.atlas().size();
        let mut picture = [0, 0, 0, 255].repeat(width as usize * height as usize);
        let of = |mark: &Mark| match shade {
            Shade::Speed => mark.speed_m_s,
            Shade::Age => mark.at_s,
        };
        let least = self.marks().map(of).fold(f64::INFINITY, f64::min);
        let most = self.marks().map(of).fold(f64::NEG_INFINITY, f64::max);
        for (number, patch) in self.atlas().patches().iter().enumerate() {
            for y in patch.at[1]..patch.at[1] + patch.size[1] {
                for x in patch.at[0]..patch.at[0] + patch.size[0] {
                    let light = match self.at([x, y]) {
                        None => DIM,
                        Some(mark) if most > least => {
                            FAINT + (1.0 - FAINT) * (of(mark) - least) / (most - least)
                        }
                        Some(_) => 1.0,
                    };
                    let place = 4 * (y as usize * width as usize + x as usize);
                    picture[place..place + 3].copy_from_slice(&colour(number, light));
                }
            }
        }
        picture
    }
}

/// Of a texel without a mark, and of the faintest mark.
const DIM: f64 = 0.12;
const FAINT: f64 = 0.4;

/// Hues by the golden section: neighbours differ, and no two of a few dozen are alike.
fn colour(number: usize, light: f64) -> [u8; 3] {
    let hue = (number as f64 * 0.618_033_988_749_895).fract();
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| {
        let distance = ((hue - shift).rem_euclid(1.0) - 0.5).abs();
        // Never quite grey, never quite one lamp alone.
        let lamp = 0.25 + 0.75 * ((distance - 1.0 / 6.0) * 6.0).clamp(0.0, 1.0);
        (lamp * light * 255.0).round() as u8
    })
}
