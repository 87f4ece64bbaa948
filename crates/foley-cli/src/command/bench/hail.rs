//! `foley bench hail`: the picnic of \[CS\] under hail at several rates.

use anyhow::{Context, Result};
use foley::bench::hail::measure;
use serde_json::Value;

use super::rounds;
use crate::output::print_line;
use crate::progress::Bars;

/// Hail on the picnic.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Rounds; the median of each time is reported
    #[arg(long, default_value_t = 3, value_parser = rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Seconds of sound
    #[arg(long, default_value_t = 3.0, value_parser = seconds, allow_hyphen_values = true)]
    seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|x| (0.1..=60.0).contains(x));
    number.ok_or_else(|| "choose between 0.1 and 60 seconds".into())
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let report = measure(args.seconds, args.rounds, &Bars)?;
    if json { print_line!("{report}") } else { print(&report) }
}

fn number(value: &Value, key: &str) -> Result<f64> {
    value[key].as_f64().with_context(|| format!("the measurement lacks {key}"))
}

fn print(report: &Value) -> Result<()> {
    print_line!("hail on {} modes; processor time of one core", report["modes"])?;
    for row in report["particles"].as_array().into_iter().flatten() {
        print_line!(
            "{:12} {:6.2} million stones decided in a second; {:.0} % strike something, {:.1} % something that sounds",
            row["fall"].as_str().unwrap_or_default(),
            number(row, "stones_per_s")? / 1e6,
            100.0 * number(row, "struck_of_all")?,
            100.0 * number(row, "sound_of_all")?,
        )?;
    }
    let on_gpu = &report["gpu"];
    match on_gpu["adapter"].as_str() {
        Some(name) => print_line!(
            "{name}: {:.2} million stones decided in a second, {:.2} s of a core for a million; {} \
             impacts, {} the CPU's",
            number(on_gpu, "stones_per_s")? / 1e6,
            number(on_gpu, "processor_s_of_a_million")?,
            on_gpu["impacts"],
            if on_gpu["same_impacts"] == true { "exactly" } else { "NOT" },
        )?,
        None => print_line!("no GPU: {}", on_gpu["missing"].as_str().unwrap_or_default())?,
    }
    print_line!(
        "{:11}   stones/s  impacts/s       rule  particles excitation  synthesis   deciding   computed",
        ""
    )?;
    for row in report["rates"].as_array().into_iter().flatten() {
        let percent = |key| number(row, key).map(|x| format!("{:.2} %", 100.0 * x));
        print_line!(
            "{:11} {:10.0} {:10.0} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
            row["fall"].as_str().unwrap_or_default(),
            number(row, "stones_per_s")?,
            number(row, "impacts_per_s")?,
            row["rule"].as_str().unwrap_or_default(),
            percent("particles_load")?,
            percent("excitation_load")?,
            percent("synthesis_load")?,
            percent("deciding_load")?,
            percent("share_of_modes")?,
        )?;
    }
    Ok(())
}
