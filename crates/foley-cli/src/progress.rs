//! Progress bars, on standard error, hidden when it is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `steps` steps.
pub(crate) fn bar(what: &str, steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{msg:>18} {bar:32} {percent:>3} %  {eta}") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}
