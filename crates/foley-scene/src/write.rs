//! Writes tables as TOML.

use crate::diagnostics::Span;
use crate::read::value::{Data, Table, Value};
use std::fmt::Write;
use std::path::Path;

pub(crate) fn text(text: impl Into<String>) -> Data {
    Data::Text(text.into())
}

/// Converts a path; one that is not Unicode cannot come from a scene file.
pub(crate) fn path(path: &Path) -> Data {
    Data::Text(path.to_string_lossy().into_owned())
}

pub(crate) fn list(items: impl Iterator<Item = Data>, span: &Span) -> Data {
    Data::Array(items.map(|data| Value { data, span: span.clone() }).collect())
}

/// Writes a document: plain keys first, then `[tables]` and `[[lists of tables]]`.
pub(crate) fn document(table: &Table) -> String {
    let mut out = String::new();
    let is_rows = |items: &[Value]| items.iter().all(|i| matches!(i.data, Data::Table(_)));
    for entry in &table.entries {
        match &entry.value.data {
            Data::Table(_) => (),
            Data::Array(items) if is_rows(items) && !items.is_empty() => (),
            data => line(&mut out, &entry.key, data),
        }
    }
    for entry in &table.entries {
        match &entry.value.data {
            Data::Table(own) => section(&mut out, &format!("[{}]", entry.key), own),
            Data::Array(items) if is_rows(items) => {
                for item in items {
                    if let Data::Table(own) = &item.data {
                        section(&mut out, &format!("[[{}]]", entry.key), own);
                    }
                }
            }
            _ => (),
        }
    }
    out
}

fn section(out: &mut String, head: &str, table: &Table) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(head);
    out.push('\n');
    table.entries.iter().for_each(|entry| line(out, &entry.key, &entry.value.data));
}

fn line(out: &mut String, key: &str, data: &Data) {
    out.push_str(key);
    out.push_str(" = ");
    value(out, data);
    out.push('\n');
}

fn value(out: &mut String, data: &Data) {
    // Writing to a string never fails.
    match data {
        Data::Text(text) => quoted(out, text),
        Data::Integer(integer) => drop(write!(out, "{integer}")),
        // The shortest digits that read back as the same number.
        Data::Float(number) => drop(write!(out, "{number:?}")),
        Data::Boolean(boolean) => drop(write!(out, "{boolean}")),
        Data::Array(items) => separated(out, ["[", "]"], items, |out, item| value(out, &item.data)),
        Data::Table(table) => separated(out, ["{ ", " }"], &table.entries, |out, entry| {
            out.push_str(&entry.key);
            out.push_str(" = ");
            value(out, &entry.value.data);
        }),
        Data::Other(_) => out.push_str("\"\""),
    }
}

fn separated<T>(
    out: &mut String,
    [open, close]: [&str; 2],
    items: &[T],
    each: impl Fn(&mut String, &T),
) {
    out.push_str(open);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        each(out, item);
    }
    out.push_str(close);
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => drop(write!(out, "\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}
