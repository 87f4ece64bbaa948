//! `foley bench crowd`: many objects at once.
//!
//! The hundred rings of [LS] with each acceleration on and off, as in its Figure 8, and ten
//! thousand objects of a hundred modes under two thousand impacts a second, which one core is to
//! render in real time.

mod many;
mod print;
mod rings;

use anyhow::Result;
use foley_dsp::resonator::Kernel;
use foley_engine::{Ear, Hearing};
use serde_json::json;
use std::path::PathBuf;

use crate::bench::take::Rule;
use crate::progress;
use crate::say::say;
use foley_plot::check_ending;

/// Many objects at once.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Rounds; the median of each time is reported
    #[arg(long, default_value_t = 3, value_parser = super::modes::rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Objects in the crowd
    #[arg(long, default_value_t = 10_000, value_parser = super::scenes::objects)]
    objects: usize,
    /// Impacts a second in the crowd
    #[arg(long, default_value_t = 2_000.0, value_parser = number::<0, 100_000>)]
    impacts: f64,
    /// Seconds of the crowd's sound
    #[arg(long, default_value_t = 10.0, value_parser = number::<0, 600>)]
    seconds: f64,
    /// The crowd alone
    #[arg(long)]
    no_rings: bool,
    /// A picture of the rings' audio frames a second over time (.png or .svg)
    #[arg(long, short, value_name = "FILE", conflicts_with = "no_rings")]
    output: Option<PathBuf>,
}

fn number<const ABOVE: u32, const MOST: u32>(text: &str) -> Result<f64, String> {
    let (above, most) = (f64::from(ABOVE), f64::from(MOST));
    let number = text.trim().parse().ok().filter(|x| *x > above && *x <= most);
    number.ok_or_else(|| format!("choose a number above {ABOVE}, at most {MOST}"))
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    args.output.iter().try_for_each(|path| check_ending(path))?;
    let bar = progress::bar("crowd", 0);
    // The crowd first: its memory is not to be mixed up with that of the rings.
    let many = many::measure(args, &bar)?;
    let rings = if args.no_rings { None } else { Some(rings::measure(args.rounds, &bar)?) };
    bar.finish_and_clear();
    if let (Some(rings), Some(path)) = (&rings, &args.output) {
        rings.draw(path)?.keep()?;
    }
    let report = json!({
        "rounds": args.rounds,
        "rings": rings.as_ref().map(rings::Rings::report),
        "crowd": many,
    });
    if json { say!("{report}") } else { print::print(&report) }
}

/// From nothing to everything that saves time, but for the budget.
fn accelerations() -> Vec<Rule> {
    let ear = |margin_db, mask_db| Hearing::Partials(Ear { margin_db, mask_db, ..Ear::default() });
    let Ear { margin_db, mask_db, .. } = Ear::default();
    vec![
        Rule::every_mode(Kernel::PerSample),
        Rule::every_mode(Kernel::Auto),
        Rule::new("partials", "partials", ear(OFF, OFF)),
        Rule::new("+ hearing threshold", "threshold", ear(margin_db, OFF)),
        Rule::new("+ masking", "masking", ear(margin_db, mask_db)),
    ]
}

/// So far below a threshold that it plays no part, dB.
const OFF: f64 = 400.0;
