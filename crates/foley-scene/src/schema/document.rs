//! The schema as a reference page and as JSON schema.

use super::keys::TABLES;
use super::{Default, Key, Kind, Quantity, Table};
use foley_geometry::number_format::format_number;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Returns all tables, that of the scene first.
pub fn tables() -> &'static [&'static Table] {
    TABLES
}

/// Returns the reference page of scene files, in Markdown.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Scene files\n\n\
         A scene is a TOML file, or a glTF file whose custom properties `foley_…` are keys of \
         the same tables. This page and `scene.schema.json` are generated from the schema that \
         the reader uses. Lengths are in metres, times in seconds, angles in degrees; z is up.\n\n\
         ```toml\nground = \"concrete\"\n\n[[object]]\nshape = \"bar:300x30x8mm\"\n\
         material = \"steel\"\nposition = [0, 0, 1]\n```\n",
    );
    for table in TABLES {
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## `{}`\n\n{}\n\n", table.name, table.about);
        page.push_str("| key | value | default | example | meaning |\n|---|---|---|---|---|\n");
        for key in table.keys {
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | `{}` | {} |",
                key.name,
                kind(&key.kind),
                default(&key.default),
                key.example,
                key.about
            );
        }
    }
    page
}

fn quantity(q: &Quantity) -> String {
    let unit = if q.unit.is_empty() { String::new() } else { format!(", {}", q.unit) };
    format!("{} … {}{unit}", format_number(q.min), format_number(q.max))
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Number(q) => format!("number, {}", quantity(q)),
        Kind::Integer([min, max]) => format!("whole number, {min} … {max}"),
        Kind::Boolean => "`true` or `false`".into(),
        Kind::Text => "text".into(),
        Kind::File => "file".into(),
        Kind::Choice(words) => {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        Kind::Numbers(count, q) => format!("{count} numbers, {}", quantity(q)),
        Kind::Points(q) => format!("points of 3 numbers, {}", quantity(q)),
        Kind::Curve(q) => format!("number or `[[s, number], …]`, {}", quantity(q)),
        Kind::Spectrum(q, most) => {
            format!("number or up to {most} pairs `[[Hz, number], …]`, {}", quantity(q))
        }
        Kind::Table(table) => format!("table `{}`", table.name),
        Kind::Tables(table) => format!("list of tables `{}`", table.name),
        Kind::OneOf(kinds) => kinds.iter().map(self::kind).collect::<Vec<_>>().join("; or "),
    }
}

fn default(default: &Default) -> String {
    match default {
        Default::Required => "required".into(),
        Default::RequiredIf(condition) => format!("required if {condition}"),
        Default::None => "–".into(),
        Default::Number(number) => format_number(*number),
        Default::Numbers(numbers) => format!("{numbers:?}"),
        Default::Word(word) => format!("`{word}`"),
        Default::Boolean(boolean) => boolean.to_string(),
        Default::Derived(words) => (*words).into(),
    }
}

/// Returns the JSON schema of scene files (draft 2020-12), for editors that check TOML.
pub fn json_schema() -> Value {
    let mut definitions = Map::new();
    for table in &TABLES[1..] {
        definitions.insert(table.id.into(), properties(table));
    }
    let mut schema = properties(TABLES[0]);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Foley scene");
    schema["$defs"] = Value::Object(definitions);
    schema
}

fn properties(table: &Table) -> Value {
    let mut properties = Map::new();
    for key in table.keys {
        properties.insert(key.name.into(), property(key));
    }
    let is_required = |key: &&Key| matches!(key.default, Default::Required);
    let required: Vec<&str> = table.keys.iter().filter(is_required).map(|key| key.name).collect();
    json!({
        "type": "object",
        "description": table.about,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(key: &Key) -> Value {
    let mut schema = value(&key.kind);
    schema["description"] = json!(key.about);
    match key.default {
        Default::Number(number) => schema["default"] = json!(number),
        Default::Numbers(numbers) => schema["default"] = json!(numbers),
        Default::Word(word) => schema["default"] = json!(word),
        Default::Boolean(boolean) => schema["default"] = json!(boolean),
        Default::Required | Default::RequiredIf(_) | Default::None | Default::Derived(_) => (),
    }
    schema
}

fn value(kind: &Kind) -> Value {
    let number = |q: &Quantity| json!({ "type": "number", "minimum": q.min, "maximum": q.max });
    let list = |count: usize, q: &Quantity| json!({ "type": "array", "items": number(q), "minItems": count, "maxItems": count });
    let reference = |table: &Table| json!({ "$ref": format!("#/$defs/{}", table.id) });
    match kind {
        Kind::Number(q) => number(q),
        Kind::Integer([min, max]) => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Text | Kind::File => json!({ "type": "string", "minLength": 1 }),
        Kind::Choice(words) => json!({ "type": "string", "enum": words }),
        Kind::Numbers(count, q) => list(*count, q),
        Kind::Points(q) => json!({ "type": "array", "items": list(3, q), "minItems": 2 }),
        Kind::Curve(q) => {
            let pair = list(2, &Quantity::new("", -1e9, 1e9));
            json!({ "anyOf": [number(q), { "type": "array", "items": pair, "minItems": 1 }] })
        }
        Kind::Spectrum(q, most) => {
            let pair = list(2, &Quantity::new("", 0.0, 1e6));
            let pairs = json!({ "type": "array", "items": pair, "minItems": 1, "maxItems": most });
            json!({ "anyOf": [number(q), pairs] })
        }
        Kind::Table(table) => reference(table),
        Kind::Tables(table) => json!({ "type": "array", "items": reference(table) }),
        Kind::OneOf(kinds) => json!({ "anyOf": kinds.iter().map(value).collect::<Vec<_>>() }),
    }
}
