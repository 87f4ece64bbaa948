//! Signals that end a program: its temporary files are removed before.

use std::io;

/// From now on, a signal that ends the program (SIGHUP, SIGINT, SIGTERM) removes its temporary files
/// first. Signals that the program was started to ignore, as by `nohup`, stay ignored. On other systems
/// than Unix nothing is done: the next program that writes into a folder removes what was left there.
///
/// For programs; call it once, at the start.
pub fn remove_temporary_files_at_end() -> io::Result<()> {
    #[cfg(unix)]
    unix::watch()?;
    Ok(())
}

#[cfg(unix)]
mod unix {
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
            if let Some(signal) = signals.forever().next() {
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
