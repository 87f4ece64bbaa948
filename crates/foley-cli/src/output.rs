//! Output of the command: results on standard output, one line on standard error.

use anyhow::{Context, Result};
use foley::geometry::file_plan::PlanError;
use std::fmt::{self, Arguments, Display};
use std::io::{self, Write};
use std::process::ExitCode;

/// Exit codes, for `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 a file, a scene, a device or the work failed; 2 the command line is wrong, which
shows without opening a file; 130 and 143 ended by Ctrl-C and SIGTERM.";

/// Like `println!` for one line: control characters are escaped, and a closed pipe is an error.
macro_rules! print_line {
    ($($what:tt)*) => { $crate::output::line(format_args!($($what)*)) };
}
pub(crate) use print_line;

pub(crate) fn line(text: Arguments) -> Result<()> {
    writeln!(io::stdout().lock(), "{}", escaped(text)).context("cannot write to standard output")
}

/// Returns whether the error is a closed pipe, as in `foley modes … | head -1`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let gone = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(gone))
}

/// A mistake of the command line that shows without opening a file.
#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

impl Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// Like `bail!`, for a mistake of the command line.
macro_rules! misuse {
    ($($what:tt)*) => { return Err($crate::output::Misuse(format!($($what)*)).into()) };
}
pub(crate) use misuse;

/// Results of reading the words of a command line.
pub(crate) trait OrMisuse<T> {
    /// Returns the error as one of the command line.
    fn or_misuse(self) -> Result<T>;
}

impl<T, E: Into<anyhow::Error>> OrMisuse<T> for Result<T, E> {
    fn or_misuse(self) -> Result<T> {
        self.map_err(|error| Misuse(chained(&error.into())).into())
    }
}

/// Returns the exit code of an error; see [`EXIT_CODES`].
pub(crate) fn exit_code(error: &anyhow::Error) -> ExitCode {
    let of_outputs = |error: &PlanError| {
        matches!(error, PlanError::Clash { .. } | PlanError::FolderClash { .. })
    };
    let is_misuse = error
        .chain()
        .any(|cause| cause.is::<Misuse>() || cause.downcast_ref().is_some_and(of_outputs));
    if is_misuse { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Returns an error and its causes in one line, without those that the line contains already.
pub(crate) fn in_one_line(error: &anyhow::Error) -> String {
    escaped(chained(error))
}

fn chained(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for text in error.chain().map(ToString::to_string) {
        if line.is_empty() {
            line = text;
        } else if !line.contains(&text) {
            line = format!("{line}: {text}");
        }
    }
    line
}

/// Escapes control characters, line separators and changes of the writing direction, which names of files
/// and objects may contain. The escapes are those of JSON, so that JSON stays JSON.
pub(crate) fn escaped(text: impl Display) -> String {
    let mut line = String::new();
    for c in text.to_string().chars() {
        match c {
            '\n' => line += "\\n",
            '\t' => line += "\\t",
            '\r' => line += "\\r",
            c if c.is_control() || is_line_or_direction_control(c) => {
                line += &format!("\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line
}

/// Returns whether a character separates lines or changes the writing direction.
fn is_line_or_direction_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    format!("{}; see `{command} --help`", escaped(&line))
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

    #[test]
    fn escapes_keep_what_can_be_printed_and_are_those_of_json() {
        assert_eq!(escaped("Glöckchen 鐘 🔔"), "Glöckchen 鐘 🔔");
        let odd = "a\u{1b}[31m\u{9b}m\u{7f}\u{202e}gnp\u{61c}\u{200e}\u{200f}\u{2066}\r\n";
        let line = escaped(odd);
        assert_eq!(line, r"a\u001b[31m\u009bm\u007f\u202egnp\u061c\u200e\u200f\u2066\r\n");
        let json = serde_json::json!(odd).to_string();
        assert_eq!(serde_json::from_str::<String>(&escaped(json)).unwrap(), odd);
    }
}
