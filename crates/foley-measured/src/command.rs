//! Figures that a benchmark of the command `foley` prints as JSON.

use crate::record::Record;
use crate::targets;
use anyhow::{Context, anyhow, bail};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Runs every benchmark that a target names, once each, and returns the figures.
pub fn measure(foley: &Path) -> anyhow::Result<Vec<Record>> {
    let mut runs: Vec<&str> =
        targets::all().filter_map(|target| Some(target.bench?.arguments)).collect();
    runs.sort_unstable();
    runs.dedup();
    let mut records = Vec::new();
    for arguments in runs {
        eprintln!("measure: foley {arguments}");
        let output = Command::new(foley).args(arguments.split(' ')).arg("--json").output();
        let output = output.with_context(|| format!("cannot run {}", foley.display()))?;
        // A benchmark that misses its targets exits with a failure, and prints its figures all the same.
        let Ok(printed) = serde_json::from_slice(&output.stdout) else {
            bail!("foley {arguments} printed no JSON: {}", String::from_utf8_lossy(&output.stderr));
        };
        records.append(&mut figures(arguments, &printed)?);
    }
    Ok(records)
}

/// Takes the figures of all targets of one benchmark.
fn figures(arguments: &str, printed: &Value) -> anyhow::Result<Vec<Record>> {
    let of_run = targets::all().filter_map(|target| Some((target, target.bench?)));
    of_run
        .filter(|(_, bench)| bench.arguments == arguments)
        .filter_map(|(target, bench)| {
            match printed.pointer(bench.pointer).and_then(Value::as_f64) {
                Some(figure) => Some(Ok(Record {
                    id: target.id.into(),
                    figure,
                    command: format!("foley {arguments}"),
                })),
                None if target.needs.is_some() => None,
                None => Some(Err(anyhow!(
                    "{}: foley {arguments} printed no {}",
                    target.id,
                    bench.pointer
                ))),
            }
        })
        .collect()
}
