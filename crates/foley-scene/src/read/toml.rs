//! TOML to values. The parser bounds the depth of nesting.

use super::value::{Data, Entry, Table, Value};
use crate::problem::{Log, Source, Spot};
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeInteger, DeTable, DeValue};

/// The whole document, or `None` when it is no TOML.
pub(crate) fn parse(path: &Path, text: &str, log: &Log) -> Option<Table> {
    let source = Arc::new(Source { path: path.to_owned(), text: text.to_owned() });
    let spot = |at| Spot { source: source.clone(), at: Some(at) };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let message = error.message().trim().replace('\n', ", ");
        let at = spot(error.span().map_or(0, |span| span.start));
        log.add(&at, "", None, format!("this is not TOML: {message}"));
    }
    errors.is_empty().then(|| into_table(table.into_inner(), spot(0)))
}

/// Another place in the same file.
fn at(spot: &Spot, at: usize) -> Spot {
    Spot { source: spot.source.clone(), at: Some(at) }
}

fn into_table(table: DeTable<'_>, spot: Spot) -> Table {
    let mut entries: Vec<(usize, Entry)> = Vec::with_capacity(table.len());
    for (key, value) in table {
        let begin = key.span().start;
        let value_spot = at(&spot, value.span().start);
        let data = into_data(value.into_inner(), &value_spot);
        let value = Value { data, spot: value_spot };
        let key_spot = at(&spot, begin);
        entries.push((begin, Entry { key: key.into_inner().into_owned(), key_spot, value }));
    }
    // The parser sorts by name; people read from the top.
    entries.sort_by_key(|(begin, _)| *begin);
    Table { entries: entries.into_iter().map(|(_, entry)| entry).collect(), spot }
}

fn into_data(value: DeValue<'_>, spot: &Spot) -> Data {
    match value {
        DeValue::String(text) => Data::Text(text.into_owned()),
        DeValue::Integer(number) => whole(&number),
        DeValue::Float(number) => number.as_str().parse().map_or(Data::Real(f64::NAN), Data::Real),
        DeValue::Boolean(truth) => Data::Truth(truth),
        DeValue::Datetime(_) => Data::Other("a date"),
        DeValue::Array(items) => Data::List(
            items
                .into_iter()
                .map(|item| {
                    let spot = at(spot, item.span().start);
                    Value { data: into_data(item.into_inner(), &spot), spot }
                })
                .collect(),
        ),
        DeValue::Table(table) => Data::Table(into_table(table, spot.clone())),
    }
}

/// A whole number that is too large for one is still a number.
fn whole(number: &DeInteger<'_>) -> Data {
    match i64::from_str_radix(number.as_str(), number.radix()) {
        Ok(whole) => Data::Whole(whole),
        Err(_) if number.radix() == 10 => {
            number.as_str().parse().map_or(Data::Real(f64::NAN), Data::Real)
        }
        Err(_) => Data::Real(f64::INFINITY),
    }
}
