//! Runs SuperCollider's server without a sound card and measures its processor time.

use std::io::ErrorKind;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use foley_engine::audio_file;
use wait4::Wait4;

use super::synthdef::{self, Unit};
use super::{SAMPLE_RATE, osc_score};

const NAME: &str = "bench";
const TIMEOUT: Duration = Duration::from_secs(300);

/// The installed server.
pub(crate) struct Scsynth {
    folder: tempfile::TempDir,
}

/// The result of one run.
pub(crate) struct Run {
    /// The sound, one channel.
    pub samples: Vec<f32>,
    /// User and system time of the process, s.
    pub cpu_seconds: f64,
}

impl Scsynth {
    /// Looks for the server; `None` when it is not installed.
    pub(crate) fn find() -> Result<Option<Self>> {
        let status =
            Command::new("scsynth").arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status();
        match status {
            Ok(_) => {
                let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
                Ok(Some(Self { folder }))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).context("cannot run scsynth"),
        }
    }

    /// Renders a synth to one channel.
    pub(crate) fn render(&self, units: &[Unit], seconds: f64) -> Result<Run> {
        let path = |name: &str| self.folder.path().join(name);
        let (score, wav, log) = (path("score.osc"), path("sound.wav"), path("log.txt"));
        std::fs::write(&score, osc_score::play(&synthdef::file(NAME, units), NAME, seconds))
            .with_context(|| format!("cannot write {}", score.display()))?;
        let log_file = std::fs::File::create(&log).context("cannot write a log")?;
        let child = Command::new("scsynth")
            .args(["-i", "0", "-o", "1", "-N"])
            .arg(&score)
            .arg("_")
            .arg(&wav)
            .args([&SAMPLE_RATE.to_string(), "WAV", "float"])
            .stdin(Stdio::null())
            .stdout(log_file.try_clone().context("cannot write a log")?)
            .stderr(log_file)
            .spawn()
            .context("cannot run scsynth")?;
        let cpu_seconds = finish(child).with_context(|| {
            format!(
                "output of scsynth: {}",
                std::fs::read_to_string(&log).unwrap_or_default().trim()
            )
        })?;
        let mut sound = audio_file::read(&wav).context("scsynth wrote no sound")?;
        let samples = sound.channels.swap_remove(0);
        Ok(Run { samples, cpu_seconds })
    }
}

/// Waits for a process up to a timeout; returns its processor time, s.
fn finish(mut child: std::process::Child) -> Result<f64> {
    let started = Instant::now();
    loop {
        if let Some(end) = child.try_wait4().context("cannot wait for scsynth")? {
            if !end.status.success() {
                bail!("scsynth failed: {}", end.status);
            }
            return Ok((end.rusage.utime + end.rusage.stime).as_secs_f64());
        }
        if started.elapsed() > TIMEOUT {
            child.kill().context("scsynth hangs and cannot be killed")?;
            child.wait().context("cannot wait for scsynth")?;
            bail!("scsynth did not finish within {} s", TIMEOUT.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
