//! `foley bench objects`: many objects at once.

use anyhow::Result;
use foley::bench::many_objects::{Options, Rings, measure_plates, measure_rings};
use foley::geometry::file_plan::FilePlan;
use foley::plot::check_extension;
use serde_json::{Value, json};
use std::path::PathBuf;

use super::pruning::print_targets;
use super::{objects, rounds};
use crate::output::{OrMisuse, print_line};
use crate::progress::Bars;

/// Many objects at once.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Rounds; the median of each time is reported
    #[arg(long, default_value_t = Options::default().rounds, value_parser = rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Number of plates
    #[arg(long, default_value_t = Options::default().objects, value_parser = objects, allow_hyphen_values = true)]
    objects: usize,
    /// Impacts per second
    #[arg(long, default_value_t = Options::default().impacts_per_s, value_parser = number::<0, 100_000>, allow_hyphen_values = true)]
    impacts: f64,
    /// Plates that are scraped all the time
    #[arg(long, default_value_t = Options::default().contacts, value_parser = contacts, allow_hyphen_values = true)]
    contacts: usize,
    /// Duration, s
    #[arg(long, default_value_t = Options::default().seconds, value_parser = number::<0, 600>, allow_hyphen_values = true)]
    seconds: f64,
    /// The plates alone
    #[arg(long)]
    no_rings: bool,
    /// A picture of the rings' audio frames a second over time (.png or .svg)
    #[arg(long, short, value_name = "FILE", conflicts_with = "no_rings")]
    output: Option<PathBuf>,
}

fn contacts(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (0..=100_000).contains(n));
    number.ok_or_else(|| "choose between 0 and 100000".into())
}

fn number<const ABOVE: u32, const MOST: u32>(text: &str) -> Result<f64, String> {
    let (above, most) = (f64::from(ABOVE), f64::from(MOST));
    let number = text.trim().parse().ok().filter(|x| *x > above && *x <= most);
    number.ok_or_else(|| format!("choose a number above {ABOVE}, at most {MOST}"))
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    args.output.iter().try_for_each(|path| check_extension(path)).or_misuse()?;
    let mut plan = FilePlan::default();
    args.output.iter().for_each(|path| plan.write("--output", path));
    plan.check()?;
    let Args { objects, impacts: impacts_per_s, contacts, seconds, rounds, .. } = *args;
    let options = Options::default()
        .with_objects(objects)
        .with_impacts_per_s(impacts_per_s)
        .with_contacts(contacts)
        .with_seconds(seconds)
        .with_rounds(rounds);
    let plates = measure_plates(&options, &Bars)?;
    let rings = if args.no_rings { None } else { Some(measure_rings(rounds, &Bars)?) };
    if let (Some(rings), Some(path)) = (&rings, &args.output) {
        rings.draw(path)?.keep()?;
    }
    let rings = rings.as_ref().map(Rings::report);
    let report = json!({ "rounds": rounds, "rings": rings, "plates": plates });
    if json { print_line!("{report}") } else { print(&report) }
}

fn print(report: &Value) -> Result<()> {
    let rounds = &report["rounds"];
    let rings = &report["rings"];
    if !rings.is_null() {
        print_line!(
            "100 rings on a table, {} modes; audio frames a second, real time is 100; {rounds} rounds",
            rings["modes"]
        )?;
        print_line!("{:<34} {:>8} {:>8} {:>9} {:>9}", "", "modes", "time", "least", "median")?;
        for row in rings["rules"].as_array().into_iter().flatten() {
            let number = |key: &str| row[key].as_f64().unwrap_or_default();
            let out = 100.0 * number("left_out");
            let remark = if out > 0.0 { format!("  {out:.2} % left out") } else { String::new() };
            print_line!(
                "{:<34} {:>8} {:>8} {:>9.0} {:>9.0}{remark}",
                row["name"].as_str().unwrap_or_default(),
                percent(100.0 * number("share_of_modes"), 2),
                percent(number("cpu_percent"), 3),
                number("least_fps"),
                number("median_fps"),
            )?;
        }
        print_line!(
            "the budget: {:.0} µs a block, half of what the densest needs",
            rings["budget_us"].as_f64().unwrap_or_default()
        )?;
        print_line!("")?;
    }
    let plates = &report["plates"];
    print_line!(
        "{} moving objects, {} modes, {} impacts in {} s, {} lasting contacts, {} emitters",
        plates["objects"],
        plates["modes"],
        plates["impacts"],
        plates["seconds"],
        plates["contacts"],
        plates["emitters"]
    )?;
    print_line!("{:34}    modes     time   busiest  deciding excitation", "")?;
    for row in plates["rules"].as_array().into_iter().flatten() {
        let number = |key: &str| row[key].as_f64().unwrap_or_default();
        print_line!(
            "{:<34} {:>8} {:>8} {:>9} {:>9} {:>10}",
            row["name"].as_str().unwrap_or_default(),
            percent(100.0 * number("share_of_modes"), 2),
            percent(number("cpu_percent"), 1),
            percent(number("busiest_percent"), 1),
            percent(number("deciding_percent"), 1),
            percent(number("preparing_percent"), 1),
        )?;
    }
    if let Some(simulation) = plates["simulation_percent"].as_f64() {
        print_line!("simulation of the hail beside it: {} of a core", percent(simulation, 1))?;
    }
    if let Some(peak) = plates["peak_mib"].as_f64() {
        print_line!("memory: {peak:.0} MiB at most")?;
    }
    print_targets(&plates["targets"])
}

fn percent(value: f64, digits: usize) -> String {
    format!("{value:.digits$} %")
}
