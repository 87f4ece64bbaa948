//! A score: notes and their times.

/// A note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// MIDI number (69 is a′).
    pub number: u8,
    /// Start time in sixteenths.
    pub begins: u32,
}

const REST: u8 = 0;

/// The opening of *The Entertainer* (Scott Joplin, 1902): introduction and first phrase, as the
/// right hand plays it: chords and durations in sixteenths, a bar (2/4) in a line.
#[rustfmt::skip]
const ENTERTAINER: [(&[u8], u32); 50] = [
    (&[86], 1), (&[88], 1), (&[84], 1), (&[81], 2), (&[83], 1), (&[79], 2),
    (&[74], 1), (&[76], 1), (&[72], 1), (&[69], 2), (&[71], 1), (&[67], 2),
    (&[62], 1), (&[64], 1), (&[60], 1), (&[57], 2), (&[59], 1), (&[57], 1), (&[56], 1),
    (&[55], 2), (&[REST], 2), (&[67, 71, 74, 79], 2), (&[74], 1), (&[75], 1),
    (&[76], 1), (&[84], 2), (&[76], 1), (&[84], 2), (&[76], 1), (&[84], 1),
    (&[REST], 5), (&[76, 84], 1), (&[77, 86], 1), (&[78, 87], 1),
    (&[79, 88], 1), (&[76, 84], 1), (&[77, 86], 1), (&[79, 88], 2), (&[74, 83], 1), (&[77, 86], 2),
    (&[76, 84], 5), (&[REST], 1), (&[74], 1), (&[75], 1),
    (&[76], 1), (&[84], 2), (&[76], 1), (&[84], 2), (&[76], 1), (&[84], 1),
];

/// Returns the notes of *The Entertainer* in order of time.
pub fn entertainer() -> Vec<Note> {
    let mut begins = 0;
    let mut notes = Vec::new();
    for (chord, sixteenths) in ENTERTAINER {
        let sounding = chord.iter().filter(|number| **number != REST);
        notes.extend(sounding.map(|number| Note { number: *number, begins }));
        begins += sixteenths;
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_whole_bars_within_three_octaves() {
        let notes = entertainer();
        let (low, high) = notes
            .iter()
            .fold((u8::MAX, 0), |(l, h), note| (l.min(note.number), h.max(note.number)));
        assert!(low >= 55 && high <= 55 + 36);
        let total: u32 = ENTERTAINER.iter().map(|(_, sixteenths)| sixteenths).sum();
        assert_eq!(total, 9 * 8);
    }
}
