//! From TOML to values. The parser limits the depth of nesting.

use super::value::{Data, Entry, Table, Value};
use crate::diagnostics::{Diagnostics, Source, Span};
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeInteger, DeTable, DeValue};

/// Parses a document; `None` if it is not TOML.
pub(crate) fn parse(path: &Path, text: &str, log: &Diagnostics) -> Option<Table> {
    let source = Arc::new(Source { path: path.to_owned(), text: text.to_owned() });
    let span = |byte| Span { source: source.clone(), byte: Some(byte) };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let message = error.message().trim().replace('\n', ", ");
        let at = span(error.span().map_or(0, |span| span.start));
        log.add(&at, "", None, format!("this is not TOML: {message}"));
    }
    errors.is_empty().then(|| into_table(table.into_inner(), span(0)))
}

/// Returns the span of another byte of the same file.
fn at(span: &Span, byte: usize) -> Span {
    Span { source: span.source.clone(), byte: Some(byte) }
}

fn into_table(table: DeTable<'_>, span: Span) -> Table {
    let mut entries: Vec<(usize, Entry)> = Vec::with_capacity(table.len());
    for (key, value) in table {
        let begin = key.span().start;
        let value_span = at(&span, value.span().start);
        let data = into_data(value.into_inner(), &value_span);
        let value = Value { data, span: value_span };
        let key_span = at(&span, begin);
        entries.push((begin, Entry { key: key.into_inner().into_owned(), key_span, value }));
    }
    // The parser sorts by name; instances and messages need the order of the file.
    entries.sort_by_key(|(begin, _)| *begin);
    Table { entries: entries.into_iter().map(|(_, entry)| entry).collect(), span }
}

fn into_data(value: DeValue<'_>, span: &Span) -> Data {
    match value {
        DeValue::String(text) => Data::Text(text.into_owned()),
        DeValue::Integer(number) => integer(&number),
        DeValue::Float(number) => {
            number.as_str().parse().map_or(Data::Float(f64::NAN), Data::Float)
        }
        DeValue::Boolean(boolean) => Data::Boolean(boolean),
        DeValue::Datetime(_) => Data::Other("a date"),
        DeValue::Array(items) => Data::Array(
            items
                .into_iter()
                .map(|item| {
                    let span = at(span, item.span().start);
                    Value { data: into_data(item.into_inner(), &span), span }
                })
                .collect(),
        ),
        DeValue::Table(table) => Data::Table(into_table(table, span.clone())),
    }
}

/// Converts an integer; one beyond 64 bits becomes a float.
fn integer(number: &DeInteger<'_>) -> Data {
    match i64::from_str_radix(number.as_str(), number.radix()) {
        Ok(integer) => Data::Integer(integer),
        Err(_) if number.radix() == 10 => {
            number.as_str().parse().map_or(Data::Float(f64::NAN), Data::Float)
        }
        Err(_) => Data::Float(f64::INFINITY),
    }
}
