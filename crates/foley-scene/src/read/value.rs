//! Values of a scene file with their positions.

use crate::diagnostics::Span;
use crate::schema::Key;

/// A value and its position in the file.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) data: Data,
    pub(crate) span: Span,
}

/// The data of a value.
#[derive(Debug, Clone)]
pub(crate) enum Data {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Array(Vec<Value>),
    Table(Table),
    /// A date or null, which no key accepts.
    Other(&'static str),
}

impl Data {
    /// Returns the kind of the value, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Boolean(_) => "true or false",
            Self::Array(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}

/// Keys and values, in the order of the file.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    pub(crate) span: Span,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Value,
}

impl Table {
    pub(crate) fn new(span: Span) -> Self {
        Self { entries: Vec::new(), span }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at))
    }

    /// Sets a key, with the span of the table.
    pub(crate) fn put(&mut self, key: &str, data: Data) {
        self.remove(key);
        let (key_span, span) = (self.span.clone(), self.span.clone());
        self.entries.push(Entry { key: key.to_owned(), key_span, value: Value { data, span } });
    }

    pub(crate) fn put_some(&mut self, key: &str, data: Option<Data>) {
        if let Some(data) = data {
            self.put(key, data);
        }
    }

    /// Puts a number, unless it is the default.
    pub(crate) fn put_unless(&mut self, key: &Key, value: f64, default: f64) {
        if value != default {
            self.put(key.name, Data::Float(value));
        }
    }

    /// Puts the name of a choice, unless it is the default.
    pub(crate) fn put_choice<T: PartialEq>(
        &mut self,
        key: &str,
        names: &[(&str, T)],
        [value, default]: [T; 2],
    ) {
        let named = names.iter().find(|(_, choice)| *choice == value && value != default);
        self.put_some(key, named.map(|(name, _)| Data::Text((*name).to_owned())));
    }

    pub(crate) fn put_numbers(&mut self, key: &str, numbers: &[f64]) {
        let item = |x: &f64| Value { data: Data::Float(*x), span: self.span.clone() };
        self.put(key, Data::Array(numbers.iter().map(item).collect()));
    }

    /// Sets every key of `other`, replacing those that exist.
    pub(crate) fn override_by(&mut self, other: Table) {
        for entry in other.entries {
            self.remove(&entry.key);
            self.entries.push(entry);
        }
        self.span = other.span;
    }
}
