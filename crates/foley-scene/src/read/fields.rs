//! Takes the keys of a table one by one and checks their values.
//!
//! Whatever is wrong goes to the [`Diagnostics`], and reading goes on with something harmless: so all
//! problems of a file are told at once.

use super::value::{Data, Table, Value};
use crate::diagnostics::{Diagnostics, Span, known, short};
use crate::schema::Key;
use std::ops::RangeInclusive;

/// No list is longer.
pub(crate) const MAX_LIST: usize = 100_000;

/// A table that is being read.
pub(crate) struct Fields<'a> {
    pub(crate) log: &'a Diagnostics,
    /// `object "bell"`.
    pub(crate) inside: String,
    pub(crate) span: Span,
    entries: Vec<(&'a str, &'a Span, &'a Value, bool)>,
    asked: Vec<&'static str>,
}

/// A number as people write it.
fn shown(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e6).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

impl<'a> Fields<'a> {
    pub(crate) fn new(log: &'a Diagnostics, table: &'a Table, inside: impl Into<String>) -> Self {
        let entry = |e: &'a super::value::Entry| (&*e.key, &e.key_span, &e.value, false);
        Self {
            log,
            inside: inside.into(),
            span: table.span.clone(),
            entries: table.entries.iter().map(entry).collect(),
            asked: Vec::new(),
        }
    }

    /// A problem with the value of a key, or with the table when the key is not there.
    pub(crate) fn wrong(&self, key: &Key, what: impl AsRef<str>) {
        let key = key.name;
        let span = self.entries.iter().find(|e| e.0 == key).map_or(&self.span, |e| &e.2.span);
        self.log.add(span, &self.inside, Some(key), format!("`{key}`: {}", what.as_ref()));
    }

    pub(crate) fn has(&self, key: &Key) -> bool {
        self.entries.iter().any(|e| e.0 == key.name)
    }

    /// The value of a key; from now on the key is known.
    pub(crate) fn take(&mut self, key: &Key) -> Option<&'a Value> {
        let key = key.name;
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        let entry = self.entries.iter_mut().find(|e| e.0 == key)?;
        entry.3 = true;
        Some(entry.2)
    }

    fn not(&self, key: &Key, value: &Value, wanted: &str) {
        let (key, kind) = (key.name, value.data.kind());
        self.log.add(
            &value.span,
            &self.inside,
            Some(key),
            format!("`{key}` must be {wanted}; this is {kind}"),
        );
    }

    fn check(&self, key: &Key, value: &Value, range: &RangeInclusive<f64>) -> Option<f64> {
        let (low, high) = (shown(*range.start()), shown(*range.end()));
        let number = match value.data {
            Data::Integer(whole) => whole as f64,
            Data::Float(real) => real,
            _ => {
                self.not(key, value, &format!("a number from {low} to {high}"));
                return None;
            }
        };
        if range.contains(&number) {
            return Some(number);
        }
        let key = key.name;
        let what = format!("`{key}` is {}; it must be from {low} to {high}", shown(number));
        self.log.add(&value.span, &self.inside, Some(key), what);
        None
    }

    pub(crate) fn number(&mut self, key: &Key) -> Option<f64> {
        let value = self.take(key)?;
        self.check(key, value, &key.range())
    }

    /// A whole number.
    pub(crate) fn integer(&mut self, key: &Key) -> Option<u64> {
        let value = self.take(key)?;
        let range = key.integer_range();
        let (low, high) = range.clone().into_inner();
        match value.data {
            Data::Integer(whole) => match u64::try_from(whole).ok().filter(|w| range.contains(w)) {
                Some(whole) => return Some(whole),
                None => {
                    let key = key.name;
                    let what = format!("`{key}` is {whole}; it must be from {low} to {high}");
                    self.log.add(&value.span, &self.inside, Some(key), what);
                }
            },
            _ => self.not(key, value, &format!("a whole number from {low} to {high}")),
        }
        None
    }

    pub(crate) fn boolean(&mut self, key: &Key) -> Option<bool> {
        let value = self.take(key)?;
        match value.data {
            Data::Boolean(truth) => Some(truth),
            // Blender has no boxes to tick in older assets: 0 and 1.
            Data::Integer(whole @ 0..=1) => Some(whole == 1),
            _ => {
                self.not(key, value, "true or false");
                None
            }
        }
    }

    pub(crate) fn text(&mut self, key: &Key) -> Option<&'a str> {
        let value = self.take(key)?;
        match &value.data {
            Data::Text(text) if text.trim().is_empty() => {
                self.wrong(key, "is empty; leave it out or say something");
                None
            }
            Data::Text(text) if text.len() > 4096 => {
                self.wrong(key, "is longer than 4096 bytes");
                None
            }
            Data::Text(text) => Some(text),
            _ => {
                self.not(key, value, "a text");
                None
            }
        }
    }

    /// One of some words.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &Key,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(key)?;
        let wanted = text.trim();
        let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        if found.is_none() {
            let hint = known(wanted, choices.iter().map(|c| c.0));
            self.wrong(key, format!("there is no `{}`{hint}", short(wanted)));
        }
        found.map(|(_, value)| *value)
    }

    /// Some numbers in a list.
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
            self.not(key, value, &format!("a list of {N} numbers"));
            return None;
        };
        if items.len() != N {
            let key = key.name;
            let what = format!("`{key}` has {} numbers where {N} are needed", items.len());
            self.log.add(&value.span, &self.inside, Some(key), what);
            return None;
        }
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(items) {
            *number = self.check(key, item, &range)?;
        }
        Some(numbers)
    }

    /// The items of a list; of none when the key is not there.
    pub(crate) fn list(&mut self, key: &Key) -> &'a [Value] {
        let Some(value) = self.take(key) else { return &[] };
        match &value.data {
            Data::Array(items) if items.len() > MAX_LIST => {
                self.wrong(key, format!("{} items; at most {MAX_LIST} are read", items.len()));
                &[]
            }
            Data::Array(items) => items,
            _ => {
                self.not(key, value, "a list");
                &[]
            }
        }
    }

    /// A table below a key.
    pub(crate) fn table(&mut self, key: &Key, inside: String) -> Option<Fields<'a>> {
        let value = self.take(key)?;
        self.table_of(key, value, inside)
    }

    pub(crate) fn table_of(
        &self,
        key: &Key,
        value: &'a Value,
        inside: String,
    ) -> Option<Fields<'a>> {
        match &value.data {
            Data::Table(table) => Some(Fields::new(self.log, table, inside)),
            _ => {
                self.not(key, value, "a table");
                None
            }
        }
    }

    /// The tables of a list, `[[key]]`.
    pub(crate) fn tables(
        &mut self,
        key: &Key,
        inside: impl Fn(usize) -> String,
    ) -> Vec<Fields<'a>> {
        let items = self.list(key).iter().enumerate();
        items.filter_map(|(i, item)| self.table_of(key, item, inside(i))).collect()
    }

    /// Whatever was not asked for is not known.
    pub(crate) fn finish(self) {
        for (key, span, _, _) in self.entries.iter().filter(|e| !e.3) {
            if self.log.is_full() {
                self.log.add(span, &self.inside, None, String::new());
                continue;
            }
            let hint = known(key, self.asked.iter().copied());
            let what = format!("unknown key `{}`{hint}", short(key));
            self.log.add(span, &self.inside, Some(&short(key)), what);
        }
    }
}
