//! Colours of materials, and flashes of struck objects.

use foley_physics::Event;
use foley_scene::sonify::SceneEvent;

use crate::picture::color::Color;

/// Colours with the words of material names; the first four and the last are not materials.
const COLORS: [(&[&str], Color); 17] = [
    (&[], Color::new(0x2b, 0x30, 0x3c)),
    (&[], Color::new(0x35, 0x3b, 0x49)),
    (&[], Color::new(0x17, 0x1a, 0x22)),
    (&[], Color::new(0x9a, 0xa3, 0xb5)),
    (&["steel", "iron", "titanium"], Color::new(0xa9, 0xb4, 0xc4)),
    (
        &["aluminium", "aluminum", "magnesium", "tin", "silver", "lead", "zinc"],
        Color::new(0xd2, 0xd8, 0xe0),
    ),
    (&["brass", "gold"], Color::new(0xe3, 0xba, 0x4b)),
    (&["bronze", "copper"], Color::new(0xcf, 0x85, 0x4a)),
    (&["glass", "crystal", "ice"], Color::new(0x8f, 0xd3, 0xe8)),
    (
        &["wood", "oak", "spruce", "maple", "beech", "pine", "board", "mdf", "bamboo", "cork"],
        Color::new(0xb5, 0x7b, 0x45),
    ),
    (&["rosewood", "ebony", "mahogany"], Color::new(0x8a, 0x45, 0x33)),
    (&["stone", "concrete", "marble", "granite", "brick", "gypsum"], Color::new(0x8b, 0x8d, 0x92)),
    (
        &["ceramic", "porcelain", "stoneware", "earthenware", "clay", "bone"],
        Color::new(0xee, 0xe6, 0xd6),
    ),
    (&["plastic", "acrylic", "nylon", "pvc", "pmma", "abs", "poly"], Color::new(0x5f, 0xa8, 0x6b)),
    (&["rubber", "leather"], Color::new(0x5a, 0x4a, 0x66)),
    (&["skin", "felt", "paper", "cloth"], Color::new(0xd9, 0xb8, 0x9a)),
    (&[], Color::new(0xee, 0xf5, 0xff)),
];

/// Tiles of the ground, light and dark, and a shadow on it.
pub(crate) const TILES: [usize; 2] = [0, 1];
pub(crate) const SHADOW: usize = 2;
/// A hailstone.
pub(crate) const ICE: usize = COLORS.len() - 1;
const UNKNOWN: usize = 3;

/// Returns the colour index of a material: that of the longest word in its name.
pub(crate) fn color_index(material: &str) -> usize {
    let name = material.to_lowercase();
    let fit = |paint: &usize| {
        let words = COLORS[*paint].0.iter().filter(|word| name.contains(**word));
        words.map(|word| word.len()).max().unwrap_or(0)
    };
    let best = (0..COLORS.len()).max_by_key(fit).unwrap_or(UNKNOWN);
    if fit(&best) > 0 { best } else { UNKNOWN }
}

/// Encodes a colour index and a flash of 0 … 1 as a value.
pub(crate) fn value(paint: usize, lit: f64) -> f32 {
    ((paint as f64 + 0.03 + 0.94 * lit.clamp(0.0, 1.0)) / COLORS.len() as f64) as f32
}

/// Decodes a value to its colour.
pub(crate) fn color(value: f64) -> Color {
    let place = value.clamp(0.0, 0.999_999) * COLORS.len() as f64;
    let (base, lit) = (COLORS[place as usize].1, place.fract());
    const BRIGHT: [f64; 3] = [255.0, 236.0, 170.0];
    let mixed = [0, 1, 2].map(|k| {
        let own = f64::from(base.rgb[k]);
        (own + 0.8 * lit * (BRIGHT[k] - own)) as u8
    });
    Color::new(mixed[0], mixed[1], mixed[2])
}

/// Flashes of objects at their impacts.
#[derive(Debug)]
pub(crate) struct Flashes {
    /// Time and brightness of the flashes of each object, in order of time.
    hits: Vec<Vec<(f64, f64)>>,
}

/// Time constant of a flash, s; it ends after twelve of them.
const FADES_S: f64 = 0.07;
/// Range of impulses that flash, in decades below the largest.
const DECADES: f64 = 2.5;

impl Flashes {
    pub(crate) fn new(objects: usize, events: &[SceneEvent], strikes: &[(usize, f64)]) -> Self {
        let impacts = || {
            events.iter().filter_map(|one| match one {
                SceneEvent::Physics(Event::Impact(impact)) => Some(impact),
                _ => None,
            })
        };
        let hardest = impacts().map(|impact| impact.impulse_ns).fold(0.0, f64::max);
        let mut hits = vec![Vec::new(); objects];
        for impact in impacts() {
            let bright = 1.0 + (impact.impulse_ns / hardest).log10() / DECADES;
            for body in impact.bodies {
                if bright > 0.0 && (body as usize) < objects {
                    hits[body as usize].push((impact.at_s, bright));
                }
            }
        }
        for &(object, at_s) in strikes {
            if let Some(own) = hits.get_mut(object) {
                own.push((at_s, 1.0));
            }
        }
        hits.iter_mut().for_each(|own| own.sort_by(|a, b| a.0.total_cmp(&b.0)));
        Self { hits }
    }

    /// Returns whether an object ever flashes.
    pub(crate) fn is_any(&self, object: usize) -> bool {
        !self.hits[object].is_empty()
    }

    /// Returns the brightness of an object's flash, 0 … 1.
    pub(crate) fn at(&self, object: usize, at_s: f64) -> f64 {
        let hits = &self.hits[object];
        let end = hits.partition_point(|hit| hit.0 <= at_s);
        let recent = hits[..end].iter().rev().take_while(|hit| at_s - hit.0 < 12.0 * FADES_S);
        let each = recent.map(|(hit_s, bright)| bright * (-(at_s - hit_s) / FADES_S).exp());
        each.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_have_their_colours() {
        let of = |name| COLORS[color_index(name)].0.first().copied().unwrap_or("");
        assert_eq!([of("steel"), of("hardwood"), of("rosewood")], ["steel", "wood", "rosewood"]);
        assert_eq!(of("unobtainium"), "");
        for (paint, (_, own)) in COLORS.iter().enumerate() {
            let [dark, lit] = [0.0, 1.0].map(|lit| color(f64::from(value(paint, lit))).rgb);
            assert!(lit[0] > 0xc0 && lit[0] >= dark[0], "{dark:?} {lit:?}");
            let own = own.rgb;
            assert!(dark.iter().zip(own).all(|(a, b)| a.abs_diff(b) < 10), "{dark:?} {own:?}");
        }
    }

    #[test]
    fn what_is_struck_lights_up_at_that_moment() {
        let flashes = Flashes::new(2, &[], &[(1, 0.5)]);
        assert_eq!([flashes.at(0, 0.5), flashes.at(1, 0.499)], [0.0, 0.0]);
        assert_eq!(flashes.at(1, 0.5), 1.0);
        assert!(flashes.at(1, 0.6) < 0.3);
    }
}
