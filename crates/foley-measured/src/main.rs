//! Writes MEASURED.md: `foley-measured RECORDS FOLEY`, run by `scripts/measure`. Without FOLEY, the program to benchmark, it
//! replaces the rows of the targets that have records, and keeps the others.

use anyhow::{Context, bail};
use foley_measured::{command, document, machine, record};
use std::path::PathBuf;
use std::process::Command;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (records, foley) = match &arguments[..] {
        [records] => (records, None),
        [records, foley] => (records, Some(foley)),
        _ => bail!(
            "usage: foley-measured RECORDS [FOLEY] (the records that tests appended, and the program to benchmark)"
        ),
    };
    let text = std::fs::read_to_string(records)
        .with_context(|| format!("cannot read {}", records.display()))?;
    let mut figures = record::read(&text)?;
    let earlier = match foley {
        Some(foley) => {
            figures.append(&mut command::measure(foley)?);
            String::new()
        }
        None => std::fs::read_to_string("MEASURED.md").context("cannot read MEASURED.md")?,
    };
    let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    let commit = commit.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    );
    let run = document::Run { date: machine::date(), processor: machine::processor(), commit };
    let (page, missing) = document::write(&run, &figures, &earlier);
    std::fs::write("MEASURED.md", page).context("cannot write MEASURED.md")?;
    if !missing.is_empty() {
        bail!("no test or benchmark printed a figure for {}", missing.join(", "));
    }
    Ok(())
}
