//! A program that compares sounds: lines `REFERENCE TEST` in, lines of JSON out.

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::progress;

/// Programs at a time, at most.
const MOST_EARS: usize = 8;

/// How alike two sounds are.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) struct Score {
    pub(super) zimtohrli_mos: f64,
    pub(super) visqol_mos: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Score(Score),
    Error { error: String },
}

/// Compares each pair, in the order given, on all cores.
pub(super) fn compare(program: &Path, pairs: &[[PathBuf; 2]]) -> Result<Vec<Score>> {
    let ears = thread::available_parallelism().map_or(1, usize::from).clamp(1, MOST_EARS);
    let bar = progress::bar("listening", pairs.len() as u64);
    let next = AtomicUsize::new(0);
    let listen = || -> Result<Vec<(usize, Score)>> {
        let mut ear = Ear::new(program)?;
        let mut scores = Vec::new();
        loop {
            let i = next.fetch_add(1, Relaxed);
            let Some(pair) = pairs.get(i) else { return ear.leave().map(|()| scores) };
            scores.push((i, ear.ask(pair)?));
            bar.inc(1);
        }
    };
    let heard = thread::scope(|scope| {
        let ears: Vec<_> = (0..ears.min(pairs.len())).map(|_| scope.spawn(listen)).collect();
        let joined = ears.into_iter().map(|ear| ear.join().map_err(|_| anyhow!("an ear panicked")));
        joined.map(|scores| scores?).collect::<Result<Vec<_>>>()
    });
    bar.finish_and_clear();
    let mut scores: Vec<(usize, Score)> = heard?.into_iter().flatten().collect();
    scores.sort_by_key(|(i, _)| *i);
    Ok(scores.into_iter().map(|(_, score)| score).collect())
}

/// The program, running.
struct Ear {
    child: std::process::Child,
    answers: BufReader<std::process::ChildStdout>,
    name: String,
}

impl Ear {
    fn new(program: &Path) -> Result<Self> {
        let name = program.display().to_string();
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run the ear {name}"))?;
        let answers = BufReader::new(child.stdout.take().context("the ear says nothing")?);
        Ok(Self { child, answers, name })
    }

    fn ask(&mut self, pair: &[PathBuf; 2]) -> Result<Score> {
        let [reference, test] = pair.each_ref().map(|path| quoted(path));
        let (name, input) = (&self.name, self.child.stdin.as_mut());
        // Without the cause: a broken pipe is no reason to be silent, as on standard output.
        let gone = || anyhow!("the ear {name} went away; run it by hand to see why");
        let input = input.ok_or_else(gone)?;
        writeln!(input, "{reference} {test}").and_then(|()| input.flush()).map_err(|_| gone())?;
        let mut line = String::new();
        if self.answers.read_line(&mut line).map_err(|_| gone())? == 0 {
            return Err(gone());
        }
        match serde_json::from_str(&line) {
            Ok(Answer::Score(score)) => Ok(score),
            Ok(Answer::Error { error }) => bail!("the ear {name}: {error}"),
            Err(_) => bail!(
                "the ear {name} answered `{}`, not JSON with zimtohrli_mos and visqol_mos",
                line.trim_end()
            ),
        }
    }

    /// Says good-bye: the program ends at the end of its input.
    fn leave(mut self) -> Result<()> {
        drop(self.child.stdin.take());
        self.child.wait().with_context(|| format!("the ear {}", self.name))?;
        Ok(())
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        // After an error; one that has ended already does not mind.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A word for the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r#"'"'"'"#))
}
