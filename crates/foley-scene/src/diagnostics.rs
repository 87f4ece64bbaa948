//! Diagnostics: the problems of a scene file with file, line, column and key.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Largest number of problems that are kept; the others are only counted.
const MAX_PROBLEMS: usize = 100;
/// Largest number of known words in a message.
const MAX_SUGGESTIONS: usize = 60;

/// A problem of a scene file, or of an edit.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The file; empty for an edit.
    pub file: PathBuf,
    /// The line, from 1; `None` in binary files.
    pub line: Option<usize>,
    /// The column of the line in characters, from 1.
    pub column: Option<usize>,
    /// The table: `object "bell"`, `listener`; empty for the scene itself.
    pub table: String,
    /// The key.
    pub key: Option<String>,
    /// The problem and its remedy.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The problem of an edit has no file.
        if !self.file.as_os_str().is_empty() {
            write!(f, "{}", self.file.display())?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(f, ":{line}:{column}")?;
            }
            write!(f, ": ")?;
        }
        if !self.table.is_empty() {
            write!(f, "{}: ", self.table)?;
        }
        f.write_str(&self.message)
    }
}

/// The problems of a scene file, one or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneError {
    /// The first hundred, in the order of the file.
    pub problems: Vec<Problem>,
    /// The number of all problems.
    pub count: usize,
}

impl std::error::Error for SceneError {}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.problems.first() else { return f.write_str("no scene") };
        first.fmt(f)?;
        match self.count - 1 {
            0 => Ok(()),
            1 => write!(f, " (and 1 more problem)"),
            more => write!(f, " (and {more} more problems)"),
        }
    }
}

/// A file that is being read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The text; empty for binary files.
    pub(crate) text: String,
}

/// A position in a file. Lines are counted only for messages: most spans never need them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) source: Arc<Source>,
    /// The byte; `None` for the file as a whole.
    pub(crate) byte: Option<usize>,
}

impl Span {
    /// Returns the span of a whole file.
    pub(crate) fn file(path: &Path) -> Self {
        let source = Source { path: path.to_owned(), text: String::new() };
        Self { source: source.into(), byte: None }
    }

    /// Returns line and column, from 1.
    fn line_and_column(&self) -> Option<[usize; 2]> {
        let before = self.source.text.get(..self.byte?)?;
        let line = before.rsplit('\n').next().unwrap_or("");
        Some([before.matches('\n').count() + 1, line.chars().count() + 1])
    }
}

/// Collects the problems while a scene is read.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics(RefCell<(Vec<Problem>, usize)>);

impl Diagnostics {
    pub(crate) fn add(&self, span: &Span, table: &str, key: Option<&str>, message: String) {
        let (problems, count) = &mut *self.0.borrow_mut();
        *count += 1;
        if problems.len() < MAX_PROBLEMS {
            let at = span.line_and_column();
            problems.push(Problem {
                file: span.source.path.clone(),
                line: at.map(|at| at[0]),
                column: at.map(|at| at[1]),
                table: table.to_owned(),
                key: key.map(str::to_owned),
                message,
            });
        }
    }

    /// Returns the scene, or the problems if there are any.
    pub(crate) fn result<T>(self, scene: T) -> Result<T, SceneError> {
        let (mut problems, count) = self.0.into_inner();
        problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        if count == 0 { Ok(scene) } else { Err(SceneError { problems, count }) }
    }

    /// Returns whether further problems are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.0.borrow().1 >= MAX_PROBLEMS
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().1 == 0
    }
}

/// Returns the first 80 characters of a text, for messages.
pub(crate) fn truncated(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the end of a message about an unknown word: `; did you mean …? Known are: …`.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let word: String = word.chars().take(60).collect();
    let known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() {
        return "; none is defined".into();
    }
    let similarity = |known: &str| strsim::jaro_winkler(known, &word);
    let best = known.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    let list = known[..known.len().min(MAX_SUGGESTIONS)].join(", ");
    let more = if known.len() > MAX_SUGGESTIONS { ", …" } else { "" };
    match best.filter(|best| similarity(best) > 0.75) {
        Some(best) => format!("; did you mean `{best}`? Known are: {list}{more}"),
        None => format!("; known are: {list}{more}"),
    }
}
