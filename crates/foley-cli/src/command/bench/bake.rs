//! `foley bench bake`: all audible modes of a mesh of 30,000 vertices.

use anyhow::{Result, bail};
use foley::bench::bake::measure;

use crate::output::print_line;
use crate::progress::Bars;

/// Modes of a large mesh.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Args {
    /// At most this many vertices instead of 30,000 and more
    #[arg(long, value_parser = vertices, allow_hyphen_values = true)]
    vertices: Option<usize>,
}

fn vertices(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (100..=1_000_000).contains(n));
    number.ok_or_else(|| "choose between 100 and 1000000".into())
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let report = measure(args.vertices, &Bars)?;
    let met = report["target_met"].as_bool();
    if json {
        print_line!("{report}")?;
    } else {
        let number = |key: &str| report[key].as_f64();
        let peak = number("peak_mib").map(|mib| format!(", {mib:.0} MiB at most"));
        let [wall_s, cpu_s] = ["wall_s", "cpu_s"].map(|key| number(key).unwrap_or_default());
        print_line!(
            "wok of {} vertices, {} unknowns: {} modes below 20 kHz",
            report["vertices"],
            report["unknowns"],
            report["modes"],
        )?;
        let peak = peak.unwrap_or_default();
        print_line!("{wall_s:.1} s, {cpu_s:.1} s of processor time{peak}")?;
        if let Some(met) = met {
            let verdict = if met { "met" } else { "MISSED" };
            print_line!("target of two minutes and 4 GiB on two cores: {verdict}")?;
        }
    }
    if met == Some(false) {
        bail!("target of two minutes and 4 GiB: missed on this machine");
    }
    Ok(())
}
