//! What is wrong with a scene, and where.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More problems than this are counted, not told.
const MAX_PROBLEMS: usize = 100;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// In which file.
    pub file: PathBuf,
    /// In which line, from 1; `None` in files that have none.
    pub line: Option<usize>,
    /// In which column of the line, from 1.
    pub column: Option<usize>,
    /// In what: `object "bell"`, `listener`; empty for the scene itself.
    #[serde(rename = "inside")]
    pub context: String,
    /// At which key.
    pub key: Option<String>,
    /// What is wrong, and what helps.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": ")?;
        if !self.context.is_empty() {
            write!(f, "{}: ", self.context)?;
        }
        f.write_str(&self.what)
    }
}

/// Everything that is wrong with a scene: at least one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneError {
    /// In the order of the file, the first hundred of them.
    pub problems: Vec<Problem>,
    /// How many there are.
    pub count: usize,
}

impl std::error::Error for SceneError {}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.problems.first() else { return f.write_str("no scene") };
        first.fmt(f)?;
        match self.count - 1 {
            0 => Ok(()),
            1 => write!(f, " (and 1 more problem; `foley check` tells both)"),
            more => write!(f, " (and {more} more problems; `foley check` tells them)"),
        }
    }
}

/// A file that is being read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// Empty where there are no lines.
    pub(crate) text: String,
}

/// A place in a file. Lines are counted when somebody asks: most places are never told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) source: Arc<Source>,
    /// The byte.
    pub(crate) at: Option<usize>,
}

impl Span {
    /// The file as a whole.
    pub(crate) fn file(path: &Path) -> Self {
        let source = Source { path: path.to_owned(), text: String::new() };
        Self { source: source.into(), at: None }
    }

    /// Line and column, from 1.
    fn line_and_column(&self) -> Option<[usize; 2]> {
        let before = self.source.text.get(..self.at?)?;
        let line = before.rsplit('\n').next().unwrap_or("");
        Some([before.matches('\n').count() + 1, line.chars().count() + 1])
    }
}

/// Gathers problems while a scene is read.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics(RefCell<(Vec<Problem>, usize)>);

impl Diagnostics {
    pub(crate) fn add(&self, span: &Span, context: &str, key: Option<&str>, what: String) {
        let (told, count) = &mut *self.0.borrow_mut();
        *count += 1;
        if told.len() < MAX_PROBLEMS {
            let at = span.line_and_column();
            told.push(Problem {
                file: span.source.path.clone(),
                line: at.map(|at| at[0]),
                column: at.map(|at| at[1]),
                context: context.to_owned(),
                key: key.map(str::to_owned),
                what,
            });
        }
    }

    /// What was read, unless something was wrong.
    pub(crate) fn result<T>(self, good: T) -> Result<T, SceneError> {
        let (mut problems, count) = self.0.into_inner();
        problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        if count == 0 { Ok(good) } else { Err(SceneError { problems, count }) }
    }

    /// Whether what is added now is only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.0.borrow().1 >= MAX_PROBLEMS
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().1 == 0
    }
}

/// The first part of a text, for messages.
pub(crate) fn truncated(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What else could have been meant: `; did you mean …? Known are: …`.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let word: String = word.chars().take(60).collect();
    let known: Vec<&str> = known.into_iter().collect();
    let likeness = |known: &str| strsim::jaro_winkler(known, &word);
    let best = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    // A long list helps nobody.
    let shown = known.iter().take(60).copied().collect::<Vec<_>>().join(", ");
    let more = if known.len() > 60 { ", …" } else { "" };
    match best.filter(|best| likeness(best) > 0.75) {
        Some(best) => format!("; did you mean `{best}`? Known are: {shown}{more}"),
        None => format!("; known are: {shown}{more}"),
    }
}
