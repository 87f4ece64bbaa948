//! The `foley` command: a thin front on the libraries.

mod command;
mod device_advice;
mod gpu;
mod model_args;
mod progress;
mod output;
mod surface_point;
mod values;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Foley hears physics: shapes and materials in, sound out.
#[derive(Debug, Parser)]
#[command(name = "foley", version, after_help = format!("{EXAMPLES}\n\n{}", output::EXIT_CODES))]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print machine-readable JSON instead of text.
    #[arg(long, global = true)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  foley                                             render the demo into ./out
  foley strike bar:300x30x8mm -m steel              write strike.wav
  foley strike disc:200x2mm -m bronze --with 'felt mallet' --play
  foley modes plate:300x200x2mm -m glass -o pane.modal
  foley modes bell -m bronze -o bell.modal          a built-in mesh
  foley modes mug.obj --units mm -m ceramic -o mug.modal
  foley strike pane.modal --at=0.1,0.05 --speed 2 -o pane.flac --picture pane.png";

#[derive(Debug, Subcommand)]
enum Command {
    /// A built-in scene: sound and pictures (the default).
    Demo(command::demo::Args),
    /// Modal analysis of a shape or a mesh: a .modal file.
    Modes(command::modes::Args),
    /// Modes from recorded strikes: a .modal file.
    Fit(command::fit::Args),
    /// One impact, to a sound file or to your ears.
    Strike(command::strike::Args),
    /// A scene in motion, to a sound file.
    Render(command::render::Args),
    /// A scene in motion, to your ears.
    Play(command::play::Args),
    /// A picture of a model or a sound.
    Plot(command::plot::Args),
    /// Measure this machine.
    Bench(command::bench::Args),
    /// Is this file fit for use? What is wrong with it?
    Check(command::check::Args),
}

fn main() -> ExitCode {
    // Without it, only what a killed command left is removed later.
    let _ = foley::signals::handle();
    let cli = match Cli::try_parse_from(without_redundant_help(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            eprintln!("foley: {}", output::usage_error(&error, &command_asked_for()));
            return ExitCode::from(2);
        }
        // Help and version.
        Err(error) => error.exit(),
    };
    let json = cli.json;
    let done = match cli.command.unwrap_or_else(|| Command::Demo(Default::default())) {
        Command::Demo(args) => command::demo::run(&args, json),
        Command::Modes(args) => command::modes::run(&args, json),
        Command::Fit(args) => command::fit::run(&args, json),
        Command::Strike(args) => command::strike::run(&args, json),
        Command::Render(args) => command::render::run(&args, json),
        Command::Play(args) => command::play::run(&args, json),
        Command::Plot(args) => command::plot::run(&args, json),
        Command::Bench(args) => command::bench::run(&args, json),
        Command::Check(args) => command::check::run(&args, json),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("foley: {}", output::in_one_line(&error));
            output::exit_code(&error)
        }
    }
}

/// Leaves `--help` out of a command line with the command `help`, which is help already and would look for a
/// command of this name.
fn without_redundant_help(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let command = words.iter().skip(1).find(|word| *word != "--json" && *word != "bench");
    if command.is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    words
}

/// The command whose help will help: `foley strike`, or `foley` itself.
fn command_asked_for() -> String {
    let commands = Cli::command();
    let named = std::env::args_os().skip(1).find_map(|word| {
        commands.get_subcommands().find(|c| c.get_name() == word).map(clap::Command::get_name)
    });
    named.map_or("foley".into(), |name| format!("foley {name}"))
}
