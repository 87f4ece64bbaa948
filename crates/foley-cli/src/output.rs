//! Output of the command: results on standard output, one line on standard error.

use anyhow::{Context, Result};
use foley::geometry::file_plan::PlanError;
use std::fmt::Arguments;
use std::io::{self, Write};
use std::path::Path;

/// Like `println!`, but returns an error when the pipe is closed.
macro_rules! print_line {
    ($($what:tt)*) => { $crate::output::line(format_args!($($what)*)) };
}
pub(crate) use print_line;

pub(crate) fn line(text: Arguments) -> Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("cannot write to standard output")
}

/// Returns whether the error is a closed pipe, as in `foley modes … | head -1`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let gone = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(gone))
}

/// Returns whether the error is one of the command line: two options that name one file.
pub(crate) fn is_misuse(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| matches!(cause.downcast_ref(), Some(PlanError::Clash { .. })))
}

/// An error and its causes in one line, without those that the line contains already.
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

/// Escapes control characters in file names.
fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect()
}

/// Creates a folder and those above it.
pub(crate) fn create_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Returns a finite value; JSON has no others.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// Returns a number with its noun, such as `1 strike` or `2 strikes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the error of a command line in one line.
pub(crate) fn usage_error(error: &clap::Error, command: &str) -> String {
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
    fn a_cause_is_printed_once() {
        let error = anyhow::anyhow!("no such file").context("a.modal: no such file; copy it");
        assert_eq!(in_one_line(&error), "a.modal: no such file; copy it");
        let error = anyhow::anyhow!("disk full").context("cannot write\na.png");
        assert_eq!(in_one_line(&error), "cannot write\\na.png: disk full");
    }
}
