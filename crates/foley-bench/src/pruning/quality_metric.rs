//! External quality metric: a program that reads lines `REFERENCE TEST` and writes lines of JSON.

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::Progress;

/// Most processes at a time.
const MOST_PROCESSES: usize = 8;

/// Similarity of two sounds as mean opinion scores (MOS).
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Score {
    pub zimtohrli_mos: f64,
    pub visqol_mos: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Score(Score),
    Error { error: String },
}

/// Compares each pair, in the given order, on all cores.
pub(crate) fn compare(
    program: &Path,
    pairs: &[[PathBuf; 2]],
    progress: &dyn Progress,
) -> Result<Vec<Score>> {
    let processes = thread::available_parallelism().map_or(1, usize::from).clamp(1, MOST_PROCESSES);
    let task = progress.begin("listening", pairs.len() as u64);
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Score)>> {
        let mut metric = Metric::new(program)?;
        let mut scores = Vec::new();
        loop {
            let i = next.fetch_add(1, Relaxed);
            let Some(pair) = pairs.get(i) else { return metric.finish().map(|()| scores) };
            scores.push((i, metric.compare(pair)?));
            task.advance();
        }
    };
    let scores = thread::scope(|scope| {
        let threads: Vec<_> = (0..processes.min(pairs.len())).map(|_| scope.spawn(work)).collect();
        let joined = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow!("a thread of the metric panicked")));
        joined.map(|scores| scores?).collect::<Result<Vec<_>>>()
    });
    let mut scores: Vec<(usize, Score)> = scores?.into_iter().flatten().collect();
    scores.sort_by_key(|(i, _)| *i);
    Ok(scores.into_iter().map(|(_, score)| score).collect())
}

/// The running program.
struct Metric {
    child: std::process::Child,
    answers: BufReader<std::process::ChildStdout>,
    name: String,
}

impl Metric {
    fn new(program: &Path) -> Result<Self> {
        let name = program.display().to_string();
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run the quality metric {name}"))?;
        let answers =
            BufReader::new(child.stdout.take().context("the quality metric has no output")?);
        Ok(Self { child, answers, name })
    }

    fn compare(&mut self, pair: &[PathBuf; 2]) -> Result<Score> {
        let [reference, test] = pair.each_ref().map(|path| quoted(path));
        let (name, input) = (&self.name, self.child.stdin.as_mut());
        // Without the cause: callers take a broken pipe for one of their own output.
        let gone = || anyhow!("the quality metric {name} stopped; run it by hand to see why");
        let input = input.ok_or_else(gone)?;
        writeln!(input, "{reference} {test}").and_then(|()| input.flush()).map_err(|_| gone())?;
        let mut line = String::new();
        if self.answers.read_line(&mut line).map_err(|_| gone())? == 0 {
            return Err(gone());
        }
        match serde_json::from_str(&line) {
            Ok(Answer::Score(score)) => Ok(score),
            Ok(Answer::Error { error }) => bail!("the quality metric {name}: {error}"),
            Err(_) => bail!(
                "the quality metric {name} answered `{}`, not JSON with zimtohrli_mos and visqol_mos",
                line.trim_end()
            ),
        }
    }

    /// Ends the program by ending its input.
    fn finish(mut self) -> Result<()> {
        drop(self.child.stdin.take());
        self.child.wait().with_context(|| format!("the quality metric {}", self.name))?;
        Ok(())
    }
}

impl Drop for Metric {
    fn drop(&mut self) {
        // After an error; a program that has ended ignores it.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Quotes a path for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r#"'"'"'"#))
}
