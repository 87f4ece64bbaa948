//! Signals that end live playing: the sound fades out and the summary is printed.

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Notices SIGINT (Ctrl-C) and SIGTERM. The second one ends the program at once.
pub(crate) struct EndSignals {
    /// The number of the signal, or 0.
    caught: Arc<AtomicUsize>,
}

impl EndSignals {
    pub(crate) fn listen() -> Result<Self> {
        let caught = Arc::new(AtomicUsize::new(0));
        let is_second = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            let number = usize::try_from(signal).context("a signal without a number")?;
            // In this order: the first signal sets the flag after it was read.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&is_second))
                .and_then(|_| flag::register(signal, Arc::clone(&is_second)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&caught), number))
                .context("cannot listen to signals")?;
        }
        Ok(Self { caught })
    }

    /// Returns the signal that has come.
    pub(crate) fn caught(&self) -> Option<&'static str> {
        match i32::try_from(self.caught.load(Relaxed)).unwrap_or_default() {
            0 => None,
            SIGINT => Some("SIGINT"),
            _ => Some("SIGTERM"),
        }
    }

    /// Ends the program if a signal has come, with the exit code that shells give to it: 130 after SIGINT, 143
    /// after SIGTERM.
    pub(crate) fn exit_if_caught(&self) {
        match i32::try_from(self.caught.load(Relaxed)).unwrap_or_default() {
            0 => (),
            signal => std::process::exit(128 + signal),
        }
    }
}
