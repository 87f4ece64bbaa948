//! `foley bench bake`: all audible modes of a mesh of 30,000 vertices.

use anyhow::{Result, bail};
use foley::bench::bake::measure;

use crate::progress::Bars;
use crate::say::say;

/// Modes of a large mesh.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Args {
    /// At most this many vertices instead of 30,000 and more
    #[arg(long)]
    vertices: Option<usize>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let report = measure(args.vertices, &Bars)?;
    let kept = report["promise_kept"].as_bool();
    if json {
        say!("{report}")?;
    } else {
        let number = |key: &str| report[key].as_f64();
        let peak = number("peak_mib").map(|mib| format!(", {mib:.0} MiB at most"));
        let [wall_s, cpu_s] = ["wall_s", "cpu_s"].map(|key| number(key).unwrap_or_default());
        say!(
            "wok of {} vertices, {} unknowns: {} modes below 20 kHz",
            report["vertices"],
            report["unknowns"],
            report["modes"],
        )?;
        let peak = peak.unwrap_or_default();
        say!("{wall_s:.1} s, {cpu_s:.1} s of processor time{peak}")?;
        if let Some(kept) = kept {
            let verdict = if kept { "kept" } else { "NOT kept" };
            say!("promise of two minutes and 4 GiB on two cores: {verdict}")?;
        }
    }
    if kept == Some(false) {
        bail!("the promise of two minutes and 4 GiB was not kept on this machine, now");
    }
    Ok(())
}
