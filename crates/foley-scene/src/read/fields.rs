//! Takes the keys of a table one by one and checks their values against the schema.
//!
//! A problem is added to the [`Diagnostics`] and reading continues with the default, so that one
//! pass reports all problems of a file.

use super::value::{Data, Entry, Table, Value};
use crate::diagnostics::{Diagnostics, Span, suggestion, truncated};
use crate::schema::Key;
use foley_geometry::number_format::format_number;
use std::ops::RangeInclusive;

/// Largest number of items in a list.
pub(crate) const MAX_LIST: usize = 100_000;
/// Largest length of a text, bytes.
const MAX_TEXT: usize = 4096;

/// A table that is being read.
pub(crate) struct Fields<'a> {
    pub(crate) log: &'a Diagnostics,
    /// The table in messages, such as `object "bell"`.
    pub(crate) context: String,
    pub(crate) span: Span,
    /// Entries, and whether each was taken.
    entries: Vec<(&'a Entry, bool)>,
    /// Keys that were asked for.
    known_keys: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(log: &'a Diagnostics, table: &'a Table, context: impl Into<String>) -> Self {
        Self {
            log,
            context: context.into(),
            span: table.span.clone(),
            entries: table.entries.iter().map(|entry| (entry, false)).collect(),
            known_keys: Vec::new(),
        }
    }

    /// Reports a problem with the value of a key, or with the table if the key is absent.
    pub(crate) fn report(&self, key: &Key, problem: impl AsRef<str>) {
        let found = self.entries.iter().find(|(entry, _)| entry.key == key.name);
        let span = found.map_or(&self.span, |(entry, _)| &entry.value.span);
        self.report_at(span, key, format!("`{}`: {}", key.name, problem.as_ref()));
    }

    /// Reports `key` if `other` is present as well.
    pub(crate) fn exclude(&self, key: &Key, other: &Key) {
        if self.has(key) && self.has(other) {
            let problem = format!("cannot be combined with `{}`; remove one of them", other.name);
            self.report(key, problem);
        }
    }

    fn report_at(&self, span: &Span, key: &Key, message: String) {
        self.log.add(span, &self.context, Some(key.name), message);
    }

    fn report_kind(&self, key: &Key, value: &Value, expected: &str) {
        let (name, kind) = (key.name, value.data.kind());
        self.report_at(&value.span, key, format!("`{name}` must be {expected}; this is {kind}"));
    }

    pub(crate) fn has(&self, key: &Key) -> bool {
        self.entries.iter().any(|(entry, _)| entry.key == key.name)
    }

    /// Returns the value of a key and marks the key as known.
    pub(crate) fn take(&mut self, key: &Key) -> Option<&'a Value> {
        if !self.known_keys.contains(&key.name) {
            self.known_keys.push(key.name);
        }
        let (entry, taken) = self.entries.iter_mut().find(|(entry, _)| entry.key == key.name)?;
        *taken = true;
        Some(&entry.value)
    }

    fn check(&self, key: &Key, value: &Value, range: &RangeInclusive<f64>) -> Option<f64> {
        let (low, high) = (format_number(*range.start()), format_number(*range.end()));
        let number = match value.data {
            Data::Integer(integer) => integer as f64,
            Data::Float(number) => number,
            _ => {
                self.report_kind(key, value, &format!("a number from {low} to {high}"));
                return None;
            }
        };
        if range.contains(&number) {
            return Some(number);
        }
        let found = format!("`{}` is {}", key.name, format_number(number));
        self.report_at(&value.span, key, format!("{found}; it must be from {low} to {high}"));
        None
    }

    pub(crate) fn number(&mut self, key: &Key) -> Option<f64> {
        let value = self.take(key)?;
        self.check(key, value, &key.range())
    }

    /// Takes a number that must be present.
    pub(crate) fn required_number(&mut self, key: &Key) -> Option<f64> {
        let (low, high) = key.range().into_inner();
        let value = self.number(key);
        if !self.has(key) {
            self.report(key, format!("is missing: write a number from {low} to {high}"));
        }
        value
    }

    pub(crate) fn integer(&mut self, key: &Key) -> Option<u64> {
        let value = self.take(key)?;
        let range = key.integer_range();
        let (low, high) = range.clone().into_inner();
        match value.data {
            Data::Integer(found) => match u64::try_from(found).ok().filter(|n| range.contains(n)) {
                Some(integer) => return Some(integer),
                None => {
                    let limits = format!("it must be from {low} to {high}");
                    self.report_at(
                        &value.span,
                        key,
                        format!("`{}` is {found}; {limits}", key.name),
                    );
                }
            },
            _ => self.report_kind(key, value, &format!("a whole number from {low} to {high}")),
        }
        None
    }

    pub(crate) fn boolean(&mut self, key: &Key) -> Option<bool> {
        let value = self.take(key)?;
        match value.data {
            Data::Boolean(boolean) => Some(boolean),
            // Older versions of Blender have no boolean custom properties: 0 and 1.
            Data::Integer(integer @ 0..=1) => Some(integer == 1),
            _ => {
                self.report_kind(key, value, "true or false");
                None
            }
        }
    }

    pub(crate) fn text(&mut self, key: &Key) -> Option<&'a str> {
        let value = self.take(key)?;
        match &value.data {
            Data::Text(text) if text.trim().is_empty() => {
                self.report(key, "is empty; write a text or leave the key out");
                None
            }
            Data::Text(text) if text.len() > MAX_TEXT => {
                self.report(key, format!("is longer than {MAX_TEXT} bytes"));
                None
            }
            Data::Text(text) => Some(text),
            _ => {
                self.report_kind(key, value, "a text");
                None
            }
        }
    }

    /// Takes one of some words.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &Key,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let word = self.text(key)?.trim();
        let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        if found.is_none() {
            let hint = suggestion(word, choices.iter().map(|c| c.0));
            self.report(key, format!("there is no `{}`{hint}", truncated(word)));
        }
        found.map(|(_, value)| *value)
    }

    /// Takes a list of N numbers.
    pub(crate) fn numbers<const N: usize>(&mut self, key: &Key) -> Option<[f64; N]> {
        let value = self.take(key)?;
        self.numbers_of(key, value, key.list_range())
    }

    pub(crate) fn numbers_of<const N: usize>(
        &self,
        key: &Key,
        value: &Value,
        range: RangeInclusive<f64>,
    ) -> Option<[f64; N]> {
        let Data::Array(items) = &value.data else {
            self.report_kind(key, value, &format!("a list of {N} numbers"));
            return None;
        };
        if items.len() != N {
            let found = format!("`{}` has {} numbers", key.name, items.len());
            self.report_at(&value.span, key, format!("{found} where {N} are needed"));
            return None;
        }
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(items) {
            *number = self.check(key, item, &range)?;
        }
        Some(numbers)
    }

    /// Returns the items of a list; none if the key is absent.
    pub(crate) fn list(&mut self, key: &Key) -> &'a [Value] {
        let Some(value) = self.take(key) else { return &[] };
        match &value.data {
            Data::Array(items) if items.len() > MAX_LIST => {
                self.report(key, format!("has {} items; the limit is {MAX_LIST}", items.len()));
                &[]
            }
            Data::Array(items) => items,
            _ => {
                self.report_kind(key, value, "a list");
                &[]
            }
        }
    }

    /// Takes a table.
    pub(crate) fn table(&mut self, key: &Key, context: String) -> Option<Fields<'a>> {
        let value = self.take(key)?;
        self.table_of(key, value, context)
    }

    pub(crate) fn table_of(
        &self,
        key: &Key,
        value: &'a Value,
        context: String,
    ) -> Option<Fields<'a>> {
        match &value.data {
            Data::Table(table) => Some(Fields::new(self.log, table, context)),
            _ => {
                self.report_kind(key, value, "a table");
                None
            }
        }
    }

    /// Takes a list of tables, `[[key]]`.
    pub(crate) fn tables(
        &mut self,
        key: &Key,
        context: impl Fn(usize) -> String,
    ) -> Vec<Fields<'a>> {
        let items = self.list(key).iter().enumerate();
        items.filter_map(|(i, item)| self.table_of(key, item, context(i))).collect()
    }

    /// Reports every key that was not taken as unknown.
    pub(crate) fn finish(self) {
        for (entry, _) in self.entries.iter().filter(|(_, taken)| !taken) {
            if self.log.is_full() {
                self.log.add(&entry.key_span, &self.context, None, String::new());
                continue;
            }
            let hint = suggestion(&entry.key, self.known_keys.iter().copied());
            let key = truncated(&entry.key);
            let message = format!("unknown key `{key}`{hint}");
            self.log.add(&entry.key_span, &self.context, Some(&key), message);
        }
    }
}
