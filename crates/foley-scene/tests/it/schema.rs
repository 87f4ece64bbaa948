//! The scene schema, the reader, the reference page and the JSON schema agree.

use foley_scene::Scene;
use foley_scene::schema::{Key, Kind, Table, json_schema, reference_page, tables};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// A folder with the files that the examples name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[]}]}"#;
    for (name, text) in [
        ("room.gltf", gltf),
        ("bell.obj", ""),
        ("bell.modal", ""),
        ("profile.wav", ""),
        ("contacts.csv", ""),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const BAR: &str = "[[object]]\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n";

/// A scene whose table `table` has these lines.
fn scene_with(table: &Table, lines: &str) -> String {
    let inline = lines.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ");
    match table.id {
        "scene" if lines.starts_with("object = ") => lines.into(),
        "scene" => format!("{lines}\n{BAR}"),
        "object" => format!("[[object]]\n{lines}"),
        "keyframe" => format!("{BAR}motion = [{{ {inline} }}]"),
        "jitter" => format!("{BAR}jitter = {{ {inline} }}"),
        "surface" => format!("{BAR}surface = {{ {inline} }}"),
        "striker" => format!("{BAR}[[strike]]\nobject = \"bar 1\"\nwith = {{ {inline} }}"),
        "listener_keyframe" => format!("{BAR}[listener]\npath = [{{ {inline} }}]"),
        "cloud" => format!("{BAR}[hail]\ncloud = {{ {inline} }}"),
        "listener" | "air" | "hail" => format!("{BAR}[{}]\n{lines}", table.id),
        _ => format!("{BAR}[[{}]]\n{lines}", table.id),
    }
}

/// The lines of a table with a value of a key and whatever the key needs beside it.
fn lines(table: &Table, key: &Key, value: &str) -> String {
    let line = format!("{} = {value}\n", key.name);
    let beside = match key.beside {
        "#" => "",
        "" if table.id == "scene" => "",
        "" => table.example,
        beside => beside,
    };
    let others: Vec<&str> =
        beside.lines().filter(|other| other.split(" = ").next() != Some(key.name)).collect();
    line + &others.join("\n")
}

fn load(folder: &Path, text: &str) -> Result<Scene, foley_scene::SceneError> {
    let path = folder.join("scene.toml");
    std::fs::write(&path, text).unwrap();
    Scene::load(path)
}

#[test]
fn every_example_is_read() {
    let folder = folder();
    for table in tables() {
        for key in table.keys {
            let text = scene_with(table, &lines(table, key, key.example));
            load(folder.path(), &text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", table.name));
        }
    }
}

#[test]
fn every_word_of_a_choice_is_read_and_no_other() {
    let folder = folder();
    for table in tables() {
        for key in table.keys {
            let words = match key.kind {
                Kind::Choice(words) => words,
                Kind::OneOf([Kind::Choice(words), ..]) => words,
                _ => continue,
            };
            // What the other keys of a surface must be depends on this one.
            let words = if table.id == "surface" { &words[..1] } else { words };
            for word in words {
                let text = scene_with(table, &lines(table, key, &format!("\"{word}\"")));
                load(folder.path(), &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            }
            let text = scene_with(table, &lines(table, key, "\"qqqqq\""));
            assert!(load(folder.path(), &text).is_err(), "{text}");
        }
    }
}

#[test]
fn numbers_out_of_range_are_refused_at_their_key() {
    let folder = folder();
    for table in tables() {
        for key in table.keys {
            let Kind::Number(q) = key.kind else { continue };
            for value in [q.min - 1.0, q.max + q.max.abs() + 1.0] {
                let text = scene_with(table, &lines(table, key, &format!("{value:?}")));
                let error = load(folder.path(), &text).expect_err(&text);
                let found = error.problems.iter().any(|p| p.key.as_deref() == Some(key.name));
                assert!(found, "{error}\n{text}");
            }
        }
    }
}

/// The keys that a table with an unknown one is said to have.
fn known(text: &str) -> BTreeSet<String> {
    let error = Scene::parse(text).unwrap_err();
    let problem = error.problems.iter().find(|p| p.key.as_deref() == Some("qqqqq"));
    let message = &problem.unwrap_or_else(|| panic!("{error}")).message;
    let list = message.split("nown are: ").nth(1).unwrap_or_else(|| panic!("{message}"));
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_reader_knows_the_keys_of_the_schema_and_no_others() {
    for table in tables().iter().filter(|table| table.id != "surface") {
        let keys: BTreeSet<String> = table.keys.iter().map(|key| key.name.into()).collect();
        let example = if table.id == "scene" { "" } else { table.example };
        assert_eq!(known(&scene_with(table, &format!("{example}qqqqq = 1\n"))), keys);
    }
}

/// The page and the JSON schema in docs/ are those of the schema. `FOLEY_UPDATE_DOCS=1` writes them.
#[test]
fn the_documents_are_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let schema = serde_json::to_string_pretty(&json_schema()).unwrap() + "\n";
    for (name, text) in [("scene.md", reference_page()), ("scene.schema.json", schema)] {
        let path = docs.join(name);
        if std::env::var("FOLEY_UPDATE_DOCS").is_ok_and(|value| value == "1") {
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        let remedy = "run: FOLEY_UPDATE_DOCS=1 cargo test -p foley-scene --test schema";
        assert!(found == text, "docs/{name} is out of date; {remedy}");
    }
}

/// Whether a value obeys a JSON schema, as far as ours uses the language.
fn valid(value: &Value, schema: &Value, root: &Value) -> bool {
    if let Some(reference) = schema["$ref"].as_str() {
        return valid(value, root.pointer(reference.trim_start_matches('#')).unwrap(), root);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().any(|schema| valid(value, schema, root));
    }
    let limit = |name: &str, default: f64| schema[name].as_f64().unwrap_or(default);
    match schema["type"].as_str().unwrap() {
        "number" => value.as_f64().is_some_and(|x| {
            (limit("minimum", f64::MIN)..=limit("maximum", f64::MAX)).contains(&x)
        }),
        "integer" => value.as_i64().is_some_and(|x| {
            (limit("minimum", f64::MIN)..=limit("maximum", f64::MAX)).contains(&(x as f64))
        }),
        "boolean" => value.is_boolean(),
        "string" => value.as_str().is_some_and(|text| {
            let words = schema["enum"].as_array();
            !text.is_empty() && words.is_none_or(|words| words.contains(value))
        }),
        "array" => value.as_array().is_some_and(|items| {
            let count = items.len() as f64;
            (limit("minItems", 0.0)..=limit("maxItems", 1e9)).contains(&count)
                && items.iter().all(|item| valid(item, &schema["items"], root))
        }),
        "object" => value.as_object().is_some_and(|entries| {
            let required = schema["required"].as_array().unwrap();
            required.iter().all(|key| entries.contains_key(key.as_str().unwrap()))
                && entries.iter().all(|(key, value)| {
                    schema["properties"].get(key).is_some_and(|schema| valid(value, schema, root))
                })
        }),
        other => panic!("{other}"),
    }
}

fn json(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

#[test]
fn the_json_schema_accepts_what_the_reader_accepts() {
    let schema = json_schema();
    for table in tables() {
        for key in table.keys {
            let text = scene_with(table, &lines(table, key, key.example));
            assert!(valid(&json(&text), &schema, &schema), "{text}");
        }
    }
    for demo in &foley_scene::demos::DEMOS[1..] {
        let text = demo.scene().unwrap().to_toml();
        assert!(valid(&json(&text), &schema, &schema), "{}", demo.name);
    }
    for wrong in
        ["seconds = -1", "qqqqq = 1", "[[object]]\nsilent = 3", "[air]\ntemperature_c = 99"]
    {
        assert!(!valid(&json(wrong), &schema, &schema), "{wrong}");
    }
}

#[test]
fn five_lines_are_a_scene() {
    let scene = Scene::parse(
        "ground = \"concrete\"\n[[object]]\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\nposition = [0, 0, 1]",
    )
    .unwrap();
    assert_eq!((scene.seconds, scene.seed, scene.physics_hz), (5.0, 1, 240.0));
    assert_eq!(scene.gravity_m_s2, [0.0, 0.0, -9.81]);
    let bar = scene.object("bar 1").unwrap();
    assert_eq!((bar.friction, bar.restitution, bar.size, bar.silent), (0.5, 0.5, 1.0, false));
    let ground = scene.object("ground").unwrap();
    assert!(ground.silent && ground.motion == foley_scene::scene::Motion::Fixed);
}
