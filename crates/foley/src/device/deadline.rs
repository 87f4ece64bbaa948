//! Calls into sound systems that may never come back.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Runs `work` on a thread of its own and waits at most `limit` for it.
///
/// `None` when it did not finish (or panicked): the thread is left to itself, as there is no way
/// to end it.
pub(super) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let job = move || {
        let _quiet = quiet();
        // A closed channel means that the limit has passed.
        let _ = sender.send(work());
    };
    thread::Builder::new().name("foley-device".to_owned()).spawn(job).ok()?;
    receiver.recv_timeout(limit).ok()
}

/// Keeps alsa-lib from writing its own messages to the terminal, on this thread.
#[cfg(target_os = "linux")]
fn quiet() -> impl Sized {
    alsa::Output::local_error_handler().ok()
}

#[cfg(not(target_os = "linux"))]
fn quiet() -> impl Sized {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn gives_up_on_what_never_returns() {
        let begin = Instant::now();
        let answer = within(Duration::from_millis(50), || thread::sleep(Duration::from_secs(30)));
        assert_eq!(answer, None);
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn passes_the_answer_on() {
        assert_eq!(within(Duration::from_secs(30), || 7), Some(7));
    }
}
