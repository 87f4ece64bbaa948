//! `foley bench pruning`: Tables 1 and 2 of \[CS\] on this machine.

use anyhow::Result;
use foley::bench::pruning::{Options, measure};
use foley::bench::scene::BenchScene;
use foley::geometry::file_plan::FilePlan;
use foley::plot::{AtomicFile, check_extension};
use serde_json::Value;
use std::path::PathBuf;

use super::{objects, rounds};
use crate::output::{OrMisuse, print_line};
use crate::progress::Bars;

/// What pruning saves and how it sounds.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// A scene to measure; may be given several times [default: hail]
    #[arg(long = "scene", value_name = "NAME")]
    scenes: Vec<String>,
    /// All scenes
    #[arg(long, conflicts_with = "scenes")]
    all: bool,
    /// Instead of them this many objects of 20 modes
    #[arg(long, value_name = "OBJECTS", hide = true, value_parser = objects, allow_hyphen_values = true, conflicts_with_all = ["scenes", "all"])]
    plates: Option<usize>,
    /// Rounds; the median of each time is reported
    #[arg(long, default_value_t = 5, value_parser = rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Both rules at coarser and finer settings, too
    #[arg(long)]
    curve: bool,
    /// A program that compares sounds, as `scripts/ears` does: lines `REFERENCE TEST` in,
    /// JSON with `zimtohrli_mos` and `visqol_mos` out
    #[arg(long, value_name = "COMMAND")]
    quality_metric: Option<PathBuf>,
    /// A folder for all sounds, SCENE-RULE.wav; it is made when it is not there
    #[arg(long, value_name = "FOLDER")]
    wavs: Option<PathBuf>,
    /// A picture of quality over the share of modes computed (.png or .svg)
    #[arg(long, value_name = "FILE", requires = "quality_metric")]
    picture: Option<PathBuf>,
    /// A file for the figures as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    args.picture.iter().try_for_each(|path| check_extension(path)).or_misuse()?;
    let mut plan = FilePlan::default();
    args.picture.iter().for_each(|path| plan.write("--picture", path));
    args.report.iter().for_each(|path| plan.write("--report", path));
    args.wavs.iter().for_each(|folder| plan.write_folder("--wavs", folder, [""; 0]));
    plan.check()?;
    let options = Options::default()
        .with_rounds(args.rounds)
        .with_curve(args.curve)
        .with_quality_metric(args.quality_metric.clone())
        .with_sounds(args.wavs.clone());
    let measured = measure(scenes(args)?, &options, &Bars)?;
    let report = measured.report();
    if let Some(path) = &args.picture {
        measured.draw(path)?.keep()?;
    }
    if let Some(path) = &args.report {
        AtomicFile::new(path, format!("{report}\n").as_bytes())?.keep()?;
    }
    if json { print_line!("{report}") } else { print(&report) }
}

fn scenes(args: &Args) -> Result<Vec<BenchScene>> {
    if let Some(objects) = args.plates {
        return Ok(vec![BenchScene::plates(objects, 20, 100.0, 1.5, &Bars)?]);
    }
    let names: Vec<&str> = match (args.all, &args.scenes[..]) {
        (true, _) => BenchScene::names().collect(),
        (false, []) => vec!["hail"],
        (false, some) => some.iter().map(String::as_str).collect(),
    };
    // Wrong names are refused before any work.
    names.iter().try_for_each(|name| BenchScene::check_name(name)).or_misuse()?;
    names.into_iter().map(|name| BenchScene::named(name, &Bars)).collect()
}

fn print(report: &Value) -> Result<()> {
    if let Some(objects) = report["objects"].as_array() {
        print_line!("modes left by self-masking, a_v = 5 dB, flat excitation at 70 dB")?;
        print_line!("{:<34} {:>8} {:>8} {:>8}", "", "modes", "left", "paper")?;
        let mut sums = [0; 3];
        for object in objects {
            let numbers = ["modes", "left", "left_in_the_paper"]
                .map(|key| object[key].as_u64().unwrap_or_default());
            (0..3).for_each(|i| sums[i] += numbers[i]);
            count_row(object["name"].as_str().unwrap_or_default(), numbers)?;
        }
        // The paper's own sum is not that of its rows.
        count_row("all", sums)?;
    }
    let (playback, rounds) = (&report["playback_db"], &report["rounds"]);
    print_line!("")?;
    print_line!("full scale at {playback} dB SPL, median of {rounds} rounds, one core")?;
    for scene in report["scenes"].as_array().into_iter().flatten() {
        print_scene(scene)?;
    }
    if report["quality_metric"].is_null() {
        print_line!("")?;
        print_line!("how it sounds: make quality")?;
    }
    Ok(())
}

fn count_row(name: &str, [modes, left, paper]: [u64; 3]) -> Result<()> {
    print_line!("{name:<34} {modes:>8} {left:>8} {paper:>8}")
}

fn print_scene(scene: &Value) -> Result<()> {
    let text = |key: &str| scene[key].as_str().unwrap_or_default();
    print_line!("")?;
    print_line!("{}: {}, {} modes", text("name"), text("about"), scene["modes"])?;
    print_line!("{:34}    modes     time   × less  deciding excitation Zimtohrli  ViSQOL", "")?;
    for row in scene["rules"].as_array().into_iter().flatten() {
        let number = |key: &str| row[key].as_f64();
        let shown = |key: &str, digits: usize, unit: &str| {
            number(key).map_or("–".into(), |value| format!("{value:.digits$}{unit}"))
        };
        let share = number("share_of_modes").unwrap_or_default();
        print_line!(
            "{:<34} {:>8} {:>8} {:>8} {:>9} {:>10} {:>9} {:>7}",
            row["name"].as_str().unwrap_or_default(),
            format!("{:.2} %", 100.0 * share),
            shown("cpu_percent", 3, " %"),
            shown("times_faster", 2, ""),
            shown("deciding_of_saved_percent", 1, " %"),
            shown("preparing_percent", 3, " %"),
            shown("zimtohrli_mos", 2, ""),
            shown("visqol_mos", 2, ""),
        )?;
    }
    print_targets(&scene["targets"])
}

/// Prints targets and whether they were reached.
pub(super) fn print_targets(targets: &Value) -> Result<()> {
    for target in targets.as_array().into_iter().flatten() {
        let number = |key: &str| target[key].as_f64();
        let figure = number("figure").map_or("it saves nothing".into(), |x| format!("{x:.2}"));
        let (name, sign) = (target["name"].as_str(), target["sign"].as_str());
        let remark = if target["met"] == false { "  BELOW TARGET" } else { "" };
        print_line!(
            "  {} {} {}: {figure}{remark}",
            name.unwrap_or_default(),
            sign.unwrap_or_default(),
            number("target").unwrap_or_default(),
        )?;
    }
    Ok(())
}
