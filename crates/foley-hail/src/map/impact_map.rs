//! The impact map: one impact per texel, the earliest.

use super::Atlas;
use crate::Impact;

/// The record of an impact in its texel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The index of the stone.
    pub stone: u64,
    /// The index of the target.
    pub target: u32,
    /// The time.
    pub at_s: f64,
    /// The speed.
    pub speed_m_s: f64,
}

/// The impact map of a frame: the earliest impact of each texel.
#[derive(Clone, Debug)]
pub struct ImpactMap {
    atlas: Atlas,
    texels: Vec<Option<Mark>>,
    /// The indices of the texels with a mark.
    marked: Vec<u32>,
    lost: u64,
}

impl ImpactMap {
    /// Returns an empty map.
    pub fn new(atlas: Atlas) -> Self {
        let [width, height] = atlas.size();
        let texels = vec![None; width as usize * height as usize];
        Self { atlas, texels, marked: Vec::new(), lost: 0 }
    }

    /// Marks impacts in any order. The earlier of two in one texel is kept, the other is lost.
    pub fn mark(&mut self, impacts: &[Impact]) {
        for impact in impacts {
            let Some([x, y]) = self.atlas.texel(impact) else { continue };
            let index = y * self.atlas.size()[0] + x;
            let mark = Mark {
                stone: impact.stone,
                target: impact.target,
                at_s: impact.at_s,
                speed_m_s: impact.speed_m_s(),
            };
            match &mut self.texels[index as usize] {
                Some(known) => {
                    self.lost += 1;
                    if (mark.at_s, mark.stone) < (known.at_s, known.stone) {
                        *known = mark;
                    }
                }
                empty => {
                    *empty = Some(mark);
                    self.marked.push(index);
                }
            }
        }
    }

    /// Clears the map for the next frame.
    pub fn clear(&mut self) {
        for index in self.marked.drain(..) {
            self.texels[index as usize] = None;
        }
        self.lost = 0;
    }

    /// Returns how many impacts were lost to an earlier one in the same texel since the last clear.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Returns all marks in unspecified order.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.marked.iter().filter_map(|index| self.texels[*index as usize].as_ref())
    }

    /// Returns the mark of a texel.
    pub fn at(&self, [x, y]: [u32; 2]) -> Option<&Mark> {
        let [width, height] = self.atlas.size();
        if x >= width || y >= height {
            return None;
        }
        self.texels[y as usize * width as usize + x as usize].as_ref()
    }

    /// Returns the atlas.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }
}
