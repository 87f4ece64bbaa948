//! `foley bench`: measure this machine.

mod bake;
mod many_objects;
mod hail;
mod modes;
mod pruning;
mod scenes;

use anyhow::Result;

fn rounds(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=1000).contains(n));
    number.ok_or_else(|| "choose between 1 and 1000".into())
}

fn objects(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=100_000).contains(n));
    number.ok_or_else(|| "choose between 1 and 100000".into())
}

/// Measure this machine.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// How many modes sound at once, against a naive loop and against SuperCollider.
    Modes(modes::Args),
    /// How long the modes of a mesh of 30,000 vertices take.
    Bake(bake::Args),
    /// What computing only what can be heard saves, and how it sounds, scene by scene.
    Pruning(pruning::Args),
    /// A hundred rings and ten thousand objects, with each acceleration on and off.
    Objects(many_objects::Args),
    /// Hail on the picnic: stones, impacts and what they cost, at any rate.
    Hail(hail::Args),
    /// Render the scenes that are measured, with all their modes.
    #[command(hide = true)]
    Scenes(scenes::Args),
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    match &args.what {
        None => modes::run(&modes::Args::default(), json),
        Some(What::Modes(args)) => modes::run(args, json),
        Some(What::Bake(args)) => bake::run(args, json),
        Some(What::Pruning(args)) => pruning::run(args, json),
        Some(What::Objects(args)) => many_objects::run(args, json),
        Some(What::Hail(args)) => hail::run(args, json),
        Some(What::Scenes(args)) => scenes::run(args, json),
    }
}
