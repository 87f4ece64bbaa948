//! Progress bars, on standard error, hidden when it is not a terminal.

use foley::bench::{Progress, Task};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;

use crate::output::escaped;

/// A bar of `steps` steps.
pub(crate) fn bar(what: &str, steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{msg:>18} {bar:32} {percent:>3} %  {eta}") {
        bar.set_style(style);
    }
    name(&bar, what);
    bar
}

/// Names the step that a bar shows; names of objects may contain control characters.
pub(crate) fn name(bar: &ProgressBar, what: impl Display) {
    bar.set_message(escaped(what));
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
        self::name(&self.0, name);
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

#[cfg(test)]
mod tests {
    #[test]
    fn control_characters_of_names_do_not_reach_the_terminal() {
        let bar = super::bar("\u{1b}[2J", 1);
        assert_eq!(bar.message(), r"\u001b[2J");
        super::name(&bar, "bell\u{7}");
        assert_eq!(bar.message(), r"bell\u0007");
    }
}
