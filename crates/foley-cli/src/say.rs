//! What the command says: facts on standard output, one line on standard error.

use anyhow::{Context, Result};
use std::fmt::Arguments;
use std::io::{self, Write};

/// As `println!`, but a reader who has gone away is an error and not a panic.
macro_rules! say {
    ($($what:tt)*) => { $crate::say::line(format_args!($($what)*)) };
}
pub(crate) use say;

pub(crate) fn line(text: Arguments) -> Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("cannot write to standard output")
}

/// Whether somebody stopped listening, as `foley modes … | head -1` does.
pub(crate) fn unheard(error: &anyhow::Error) -> bool {
    let gone = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(gone))
}

/// An error and its causes in one line, without those that the line tells already.
pub(crate) fn in_one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for text in error.chain().map(ToString::to_string) {
        if line.is_empty() {
            line = text;
        } else if !line.contains(&text) {
            line = format!("{line}: {text}");
        }
    }
    plain(&line)
}

/// Names of files may hold line feeds and commands to the terminal.
fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect()
}

/// What is wrong with a command line, in one line.
pub(crate) fn misuse(error: &clap::Error, command: &str) -> String {
    let text = error.render().to_string();
    let mut line = String::new();
    for part in text.lines().map(str::trim) {
        if part.starts_with("Usage:") || part.starts_with("For more information") {
            break;
        }
        let part = part.strip_prefix("error: ").or(part.strip_prefix("tip: ")).unwrap_or(part);
        line += match line.chars().last() {
            None => "",
            _ if part.is_empty() => "",
            Some(':') => " ",
            Some(_) => "; ",
        };
        line += part;
    }
    format!("{}; see `{command} --help`", plain(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let error = anyhow::anyhow!("no such file").context("a.modal: no such file; copy it");
        assert_eq!(in_one_line(&error), "a.modal: no such file; copy it");
        let error = anyhow::anyhow!("disk full").context("cannot write\na.png");
        assert_eq!(in_one_line(&error), "cannot write\\na.png: disk full");
    }
}
