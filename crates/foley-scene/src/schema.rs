//! The scene schema: every key of a scene file once, with kind, unit, range, default and example.
//!
//! The reader ([`crate::Scene::load`]) takes kinds, ranges and defaults of the keys from here, the
//! writer ([`crate::Scene::to_toml`]) their names, and [`reference_page`] and [`json_schema`]
//! describe the same tables to people and to editors. A key that is deleted here does not compile
//! in the reader and is missing from both documents.

mod document;
pub(crate) mod keys;

pub use document::{json_schema, reference_page, tables};

use std::ops::RangeInclusive;

/// One key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The key as written in a file.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// Its value where the file has none.
    pub default: Default,
    /// An example, a TOML value.
    pub example: &'static str,
    /// The other keys of its table that the example needs, as lines of TOML; empty for those
    /// of the table's own example.
    pub beside: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A number.
    Number(Quantity),
    /// A whole number in a range.
    Integer([u64; 2]),
    /// `true` or `false`; 0 and 1 are accepted too.
    Boolean,
    /// A text.
    Text,
    /// A path relative to the folder of the scene file.
    File,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A list of this many numbers.
    Numbers(usize, Quantity),
    /// A list of points.
    Points(Quantity),
    /// A number, or pairs of a time in seconds and a number.
    Curve(Quantity),
    /// A number, or pairs of a frequency in Hz and a number, at most this many.
    Spectrum(Quantity, usize),
    /// A table.
    Table(&'static Table),
    /// A list of tables.
    Tables(&'static Table),
    /// Any of these.
    OneOf(&'static [Kind]),
}

/// A number with a unit between two limits.
#[derive(Debug, Clone, Copy)]
pub struct Quantity {
    /// The unit; empty for pure numbers.
    pub unit: &'static str,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
}

/// The value of a key that a file leaves out.
#[derive(Debug, Clone, Copy)]
pub enum Default {
    /// The key must be there.
    Required,
    /// The key must be there under this condition.
    RequiredIf(&'static str),
    /// Nothing.
    None,
    /// This number.
    Number(f64),
    /// These numbers.
    Numbers(&'static [f64]),
    /// This word.
    Word(&'static str),
    /// This truth value.
    Boolean(bool),
    /// A value that follows from others, in words.
    Derived(&'static str),
}

/// The keys of one table.
#[derive(Debug)]
pub struct Table {
    /// Its identifier in the JSON schema.
    pub id: &'static str,
    /// Its name as written in a file, such as `[[object]]`.
    pub name: &'static str,
    /// What it describes.
    pub about: &'static str,
    /// The smallest valid table, as lines of TOML.
    pub example: &'static str,
    /// Its keys, in the order of the reference page.
    pub keys: &'static [Key],
}

impl Quantity {
    pub(crate) const fn new(unit: &'static str, min: f64, max: f64) -> Self {
        Self { unit, min, max }
    }
}

impl Key {
    /// The range of its numbers: of the first kind that has one.
    pub(crate) fn range(&self) -> RangeInclusive<f64> {
        fn of(kind: &Kind) -> Option<RangeInclusive<f64>> {
            match kind {
                Kind::Number(q)
                | Kind::Numbers(_, q)
                | Kind::Points(q)
                | Kind::Curve(q)
                | Kind::Spectrum(q, _) => Some(q.min..=q.max),
                Kind::OneOf(kinds) => kinds.iter().find_map(of),
                _ => None,
            }
        }
        of(&self.kind).unwrap_or(f64::MIN..=f64::MAX)
    }

    /// The range of its list of numbers, where a single number is accepted as well.
    pub(crate) fn list_range(&self) -> RangeInclusive<f64> {
        let list = |kind: &Kind| match kind {
            Kind::Numbers(_, q) => Some(q.min..=q.max),
            _ => None,
        };
        match self.kind {
            Kind::OneOf(kinds) => kinds.iter().find_map(list).unwrap_or(self.range()),
            _ => self.range(),
        }
    }

    /// The range of its whole numbers.
    pub(crate) fn integer_range(&self) -> RangeInclusive<u64> {
        let of = |kind: &Kind| match kind {
            Kind::Integer([min, max]) => Some(*min..=*max),
            _ => None,
        };
        match self.kind {
            Kind::OneOf(kinds) => kinds.iter().find_map(of),
            kind => of(&kind),
        }
        .unwrap_or(0..=u64::MAX)
    }

    /// The default, a number. Used in constants: a key without one does not compile.
    pub(crate) const fn default_number(&self) -> f64 {
        match self.default {
            Default::Number(number) => number,
            _ => panic!("the key has no default number"),
        }
    }

    /// The default, a word. Used in constants: a key without one does not compile.
    pub(crate) const fn default_word(&self) -> &'static str {
        match self.default {
            Default::Word(word) => word,
            _ => panic!("the key has no default word"),
        }
    }

    /// The default, a list of numbers. Used in constants: a key without one does not compile.
    pub(crate) const fn default_numbers<const N: usize>(&self) -> [f64; N] {
        let Default::Numbers(numbers) = self.default else {
            panic!("the key has no default numbers")
        };
        let mut list = [0.0; N];
        let mut i = 0;
        while i < N {
            list[i] = numbers[i];
            i += 1;
        }
        list
    }
}
