//! Signals that end a program: sound fades out before, and temporary files are removed.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

/// An [`EndSignals`] waits for the first signal.
static IS_AWAITED: AtomicBool = AtomicBool::new(false);

/// The signal that came while one was awaited, or 0.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// From now on, a signal that ends the program (SIGHUP, SIGINT, SIGTERM) removes its temporary files
/// first. Signals that the program was started to ignore, as by `nohup`, stay ignored. On other systems
/// than Unix nothing is done: the next program that writes into a folder removes what was left there.
///
/// For programs; call it once, at the start.
pub fn handle() -> io::Result<()> {
    #[cfg(unix)]
    unix::watch()?;
    Ok(())
}

/// While it lives, the first signal does not end the program but is only noticed, so that sound can fade out; the second one ends
/// it. Needs [`handle`].
#[derive(Debug)]
pub struct EndSignals(());

impl EndSignals {
    /// Begins to wait for a signal.
    pub fn listen() -> Self {
        IS_AWAITED.store(true, SeqCst);
        Self(())
    }

    /// Returns the name of the signal that has come.
    pub fn caught(&self) -> Option<&'static str> {
        match CAUGHT.load(SeqCst) {
            0 => None,
            1 => Some("SIGHUP"),
            2 => Some("SIGINT"),
            _ => Some("SIGTERM"),
        }
    }

    /// Ends the program if a signal has come, with the exit code that shells give to it: 130 after SIGINT, 143
    /// after SIGTERM.
    pub fn exit_if_caught(&self) {
        match CAUGHT.load(SeqCst) {
            0 => (),
            signal => std::process::exit(128 + signal),
        }
    }
}

impl Drop for EndSignals {
    fn drop(&mut self) {
        IS_AWAITED.store(false, SeqCst);
    }
}

#[cfg(unix)]
mod unix {
    use super::{CAUGHT, IS_AWAITED, SeqCst};
    use foley_geometry::atomic_file;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::{fs, io, process, thread};

    pub(super) fn watch() -> io::Result<()> {
        let ignored = ignored_signals();
        let handled = [SIGHUP, SIGINT, SIGTERM].into_iter();
        let mut signals = Signals::new(handled.filter(|signal| ignored >> (signal - 1) & 1 == 0))?;
        let watch = move || {
            for signal in signals.forever() {
                let is_first = CAUGHT.compare_exchange(0, signal, SeqCst, SeqCst).is_ok();
                if is_first && IS_AWAITED.load(SeqCst) {
                    continue;
                }
                atomic_file::remove_all_temporary();
                // Ends as without a handler, so that a shell sees by which signal.
                let _ = emulate_default_handler(signal);
                process::exit(128 + signal);
            }
        };
        thread::Builder::new().name("signals".into()).spawn(watch).map(drop)
    }

    /// Returns the signals that are ignored, one bit for each.
    fn ignored_signals() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // Where it is not known, SIGHUP is left alone: `nohup` ignores it.
        mask.unwrap_or(1 << (SIGHUP - 1))
    }
}
