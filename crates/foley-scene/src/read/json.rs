//! From JSON, the `extras` of glTF, to values. All of them have the same span.

use super::value::{Data, Table, Value};
use crate::diagnostics::Span;
use serde_json::Value as Json;

/// Converts a JSON value.
pub(crate) fn data(json: &Json, span: &Span) -> Data {
    match json {
        Json::Null => Data::Other("nothing"),
        Json::Bool(boolean) => Data::Boolean(*boolean),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Data::Integer(integer),
            None => Data::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Data::Text(text.clone()),
        Json::Array(items) => Data::Array(
            items.iter().map(|item| Value { data: data(item, span), span: span.clone() }).collect(),
        ),
        Json::Object(entries) => {
            let mut table = Table::new(span.clone());
            entries.iter().for_each(|(key, value)| table.put(key, data(value, span)));
            Data::Table(table)
        }
    }
}

/// Returns the properties for Foley: keys with the prefix `foley_`, and those of an object `foley`.
pub(crate) fn foley_properties(extras: &Json, span: &Span) -> Table {
    let mut table = Table::new(span.clone());
    let Json::Object(entries) = extras else { return table };
    if let Some(Json::Object(own)) = entries.get("foley") {
        own.iter().for_each(|(key, value)| table.put(key, data(value, span)));
    }
    for (key, value) in entries {
        if let Some(key) = key.strip_prefix("foley_") {
            table.put(key, data(value, span));
        }
    }
    table
}
