//! A map that impacts write to.

use super::Atlas;
use crate::Impact;

/// What an impact leaves in its texel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The stone's number.
    pub stone: u64,
    /// The collider's number.
    pub collider: u32,
    /// When.
    pub at_s: f64,
    /// How fast.
    pub speed_m_s: f64,
}

/// The impacts of a frame, one for each texel: the earliest.
#[derive(Clone, Debug)]
pub struct ImpactMap {
    atlas: Atlas,
    texels: Vec<Option<Mark>>,
    /// The texels that have a mark.
    marked: Vec<u32>,
    lost: u64,
}

impl ImpactMap {
    /// An empty map.
    pub fn new(atlas: Atlas) -> Self {
        let [width, height] = atlas.size();
        let texels = vec![None; width as usize * height as usize];
        Self { atlas, texels, marked: Vec::new(), lost: 0 }
    }

    /// Marks impacts, in any order. The earlier of two in one texel stays, the other is lost.
    pub fn mark(&mut self, impacts: &[Impact]) {
        for impact in impacts {
            let Some([x, y]) = self.atlas.texel(impact) else { continue };
            let place = y * self.atlas.size()[0] + x;
            let mark = Mark {
                stone: impact.stone,
                collider: impact.collider,
                at_s: impact.at_s,
                speed_m_s: impact.speed_m_s(),
            };
            match &mut self.texels[place as usize] {
                Some(known) => {
                    self.lost += 1;
                    if (mark.at_s, mark.stone) < (known.at_s, known.stone) {
                        *known = mark;
                    }
                }
                empty => {
                    *empty = Some(mark);
                    self.marked.push(place);
                }
            }
        }
    }

    /// Wipes the map for the next frame.
    pub fn clear(&mut self) {
        for place in self.marked.drain(..) {
            self.texels[place as usize] = None;
        }
        self.lost = 0;
    }

    /// How many impacts were lost since the map was wiped, because another had their texel.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// All marks, in no order.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.marked.iter().filter_map(|place| self.texels[*place as usize].as_ref())
    }

    /// The mark of a texel.
    pub fn at(&self, [x, y]: [u32; 2]) -> Option<&Mark> {
        let [width, height] = self.atlas.size();
        if x >= width || y >= height {
            return None;
        }
        self.texels[y as usize * width as usize + x as usize].as_ref()
    }

    /// Which texels belong to which collider.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }
}
