//! Records of figures: one JSON line each, appended to the file that `FOLEY_MEASURED` names.

use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::Write;

/// The environment variable with the path of the file.
pub const VARIABLE: &str = "FOLEY_MEASURED";

/// A figure, and where it was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Of the target.
    pub id: String,
    /// The figure, in the unit of the target.
    pub figure: f64,
    /// The command that measures it again.
    pub command: String,
}

/// Appends a figure, if a file is named. A line is one write, so that test programs may run side by side.
pub(crate) fn append(id: &str, figure: f64, command: &str) {
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    // JSON has no infinities: as text.
    let line = format!("{}\n", json!({"id": id, "figure": figure.to_string(), "command": command}));
    let file = OpenOptions::new().create(true).append(true).open(&path);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        panic!("{VARIABLE}: cannot append to {}: {error}", path.display());
    }
}

/// Reads what was appended. Lines that are not records are errors.
pub fn read(text: &str) -> anyhow::Result<Vec<Record>> {
    let parse = |line: &str| {
        let value: Value = serde_json::from_str(line).ok()?;
        let field = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        Some(Record {
            id: field("id")?,
            figure: field("figure")?.parse().ok()?,
            command: field("command")?,
        })
    };
    text.lines()
        .map(|line| parse(line).ok_or_else(|| anyhow::anyhow!("this is not a record: {line}")))
        .collect()
}

/// Returns the command that runs the tests of a module: of `it::emitters` in foley-engine
/// `cargo test -p foley-engine --test it emitters::`.
pub fn command_of(package: &str, module: &str) -> String {
    let (program, path) = module.split_once("::").unwrap_or((module, ""));
    let target = if program == package.replace('-', "_") {
        "--lib".into()
    } else {
        format!("--test {program}")
    };
    let filter = if path.is_empty() { String::new() } else { format!(" {path}::") };
    format!("cargo test -p {package} {target}{filter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_follow_from_modules() {
        assert_eq!(
            command_of("foley-engine", "it::emitters"),
            "cargo test -p foley-engine --test it emitters::"
        );
        assert_eq!(
            command_of("foley-dsp", "foley_dsp::force::tests"),
            "cargo test -p foley-dsp --lib force::tests::"
        );
        assert_eq!(
            command_of("foley-modal", "cancel_bake"),
            "cargo test -p foley-modal --test cancel_bake"
        );
    }

    #[test]
    fn lines_are_read_back_and_others_refused() {
        let line = r#"{"id":"a.b","figure":"inf","command":"c"}"#;
        assert_eq!(
            read(line).unwrap(),
            [Record { id: "a.b".into(), figure: f64::INFINITY, command: "c".into() }]
        );
        assert!(read("{}").is_err() && read("what").is_err());
    }
}
