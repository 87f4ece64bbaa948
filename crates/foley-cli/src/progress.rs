//! Progress bars, on standard error, hidden when it is not a terminal.

use foley::bench::{Progress, Task};
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

/// Progress of benchmarks as bars.
pub(crate) struct Bars;

struct Bar(ProgressBar);

impl Progress for Bars {
    fn begin(&self, name: &str, steps: u64) -> Box<dyn Task> {
        Box::new(Bar(bar(name, steps)))
    }
}

impl Task for Bar {
    fn set_name(&self, name: &str) {
        self.0.set_message(name.to_owned());
    }

    fn set_position(&self, step: u64) {
        self.0.set_position(step);
    }

    fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
