//! `foley bench scenes`: the benchmark scenes with all their modes, to listen to.

use anyhow::Result;
use foley::bench::scene::BenchScene;
use foley::bench::scenes::render;
use foley::geometry::file_plan::FilePlan;
use std::path::PathBuf;

use super::objects;
use crate::output::{OrMisuse, print_line};
use crate::progress::Bars;

/// Render the scenes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// The folder for the sounds; it is made when it is not there
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// This scene alone
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Instead of them this many objects of 100 modes
    #[arg(long, value_name = "OBJECTS", conflicts_with = "only", value_parser = objects, allow_hyphen_values = true)]
    plates: Option<usize>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let mut plan = FilePlan::default();
    plan.write_folder("--output", &args.output, [""; 0]);
    plan.check()?;
    args.only.as_deref().map_or(Ok(()), BenchScene::check_name).or_misuse()?;
    let scenes = match (&args.only, args.plates) {
        (Some(name), _) => vec![BenchScene::named(name, &Bars)?],
        (None, Some(objects)) => vec![BenchScene::plates(objects, 100, 1000.0, 2.0, &Bars)?],
        (None, None) => {
            BenchScene::names().map(|name| BenchScene::named(name, &Bars)).collect::<Result<_>>()?
        }
    };
    let folder = &args.output;
    plan.create_folders()?;
    for scene in &scenes {
        let report = render(scene, folder, &Bars)?;
        if json {
            print_line!("{report}")?;
        } else {
            let (name, modes) = (scene.name, scene.mode_count());
            let excitations = report["excitations"].as_u64().unwrap_or_default();
            let loudness = report["loudness_lufs"].as_f64().unwrap_or_default();
            print_line!(
                "{name:<9} {modes:>6} modes, {excitations:>6} excitations, {loudness:.1} LUFS"
            )?;
        }
    }
    Ok(())
}
