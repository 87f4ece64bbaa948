//! The `foley` command: a thin front on the libraries.

mod bench;
mod command;
mod listen;
mod plot;
mod progress;
mod target;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Foley hears physics: shapes and materials in, sound out.
#[derive(Debug, Parser)]
#[command(name = "foley", version, about, arg_required_else_help = false)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print machine-readable JSON instead of text.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A built-in scene: sound and pictures (the default).
    Demo(command::demo::Args),
    /// Modal analysis of a shape: a .modal file.
    Modes(command::modes::Args),
    /// Modes from recorded strikes: a .modal file.
    Fit(command::fit::Args),
    /// One impact, to a sound file or to your ears.
    Strike(command::strike::Args),
    /// A picture of a model or a sound.
    Plot(command::plot::Args),
    /// Measure this machine.
    Bench(command::bench::Args),
    /// Is this file fit for use? What is wrong with it?
    Check(command::check::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let json = cli.json;
    let done = match cli.command.unwrap_or_else(|| Command::Demo(Default::default())) {
        Command::Demo(args) => command::demo::run(&args, json),
        Command::Modes(args) => command::modes::run(&args, json),
        Command::Fit(args) => command::fit::run(&args, json),
        Command::Strike(args) => command::strike::run(&args, json),
        Command::Plot(args) => command::plot::run(&args, json),
        Command::Bench(args) => command::bench::run(&args, json),
        Command::Check(args) => command::check::run(&args, json),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("foley: {error:#}");
            ExitCode::FAILURE
        }
    }
}
