//! Values that remember where they stood.

use crate::problem::Spot;

/// A value and its place.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) data: Data,
    pub(crate) spot: Spot,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(crate) enum Data {
    Text(String),
    Whole(i64),
    Real(f64),
    Truth(bool),
    List(Vec<Value>),
    Table(Table),
    /// A date, or nothing: no key wants it.
    Other(&'static str),
}

impl Data {
    /// What it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Whole(_) => "a whole number",
            Self::Real(_) => "a number",
            Self::Truth(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}

/// Keys and their values, in the order of the file.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    pub(crate) spot: Spot,
}

/// One key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_spot: Spot,
    pub(crate) value: Value,
}

impl Table {
    pub(crate) fn new(spot: Spot) -> Self {
        Self { entries: Vec::new(), spot }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at))
    }

    /// Puts a value made by us, at the place of the table.
    pub(crate) fn put(&mut self, key: &str, data: Data) {
        self.remove(key);
        let (key_spot, spot) = (self.spot.clone(), self.spot.clone());
        self.entries.push(Entry { key: key.to_owned(), key_spot, value: Value { data, spot } });
    }

    pub(crate) fn put_numbers(&mut self, key: &str, numbers: &[f64]) {
        let item = |x: &f64| Value { data: Data::Real(*x), spot: self.spot.clone() };
        self.put(key, Data::List(numbers.iter().map(item).collect()));
    }

    /// Takes over every key of `other`; where both have one, the other's counts.
    pub(crate) fn override_by(&mut self, other: Table) {
        for entry in other.entries {
            self.remove(&entry.key);
            self.entries.push(entry);
        }
        self.spot = other.spot;
    }
}
