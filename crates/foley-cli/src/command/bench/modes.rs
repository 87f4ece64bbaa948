//! `foley bench modes`: modes in real time on one core.

use anyhow::Result;
use foley::bench::modes::measure;
use serde_json::Value;

use super::rounds;
use crate::output::print_line;
use crate::progress::Bars;

/// How many modes sound at once.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Rounds; the median of each figure is reported
    #[arg(long, default_value_t = 9, value_parser = rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Leave SuperCollider out
    #[arg(long)]
    no_klank: bool,
}

impl Default for Args {
    fn default() -> Self {
        Self { rounds: 9, no_klank: false }
    }
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let report = measure(args.rounds, !args.no_klank, &Bars)?;
    if json { print_line!("{report}") } else { print(&report) }
}

fn print(report: &Value) -> Result<()> {
    print_line!("modes in real time on one core, 48 kHz, median of {} rounds", report["rounds"])?;
    print_line!("{:<30} {:>8} {:>6} {:>12} {:>8}", "", "modes", "block", "real time", "× naive")?;
    let naive = report["naive_modes"].as_f64().unwrap_or_default();
    print_line!("{:<30} {:>8} {:>6} {naive:>12.0} {:>8}", "naive scalar loop", 1920, 512, 1)?;
    for row in report["jobs"].as_array().into_iter().flatten() {
        let number = |key: &str| row[key].as_f64().unwrap_or_default();
        let mut remark = String::new();
        if let Some(share) = row["share_of_fma_peak"].as_f64() {
            remark += &format!("  {:.0} % of FMA peak", 100.0 * share);
        }
        if row["met"] == false {
            remark += "  BELOW TARGET";
        }
        print_line!(
            "{:<30} {:>8} {:>6} {:>12.0} {:>8.1}{remark}",
            row["name"].as_str().unwrap_or_default(),
            number("modes"),
            number("block"),
            number("modes_in_real_time"),
            number("ratio_to_naive"),
        )?;
    }
    match report["klank"]["modes_in_real_time"].as_f64() {
        Some(modes) => print_line!(
            "{:<30} {:>8} {:>6} {modes:>12.0} {:>8.1}  Foley's best is {:.0} ×",
            "SuperCollider Klank",
            1920,
            64,
            report["klank"]["ratio_to_naive"].as_f64().unwrap_or_default(),
            report["klank"]["foley_best_over_klank"].as_f64().unwrap_or_default(),
        ),
        None if report["klank"]["installed"] == false => {
            print_line!("SuperCollider Klank: not installed (Debian: supercollider-server)")
        }
        None => Ok(()),
    }
}
