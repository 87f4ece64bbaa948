//! Progress of long measurements, as callbacks.

/// Shows how far a long computation is.
pub trait Progress {
    /// Begins a task of `steps` steps; it ends when the returned task is dropped.
    fn begin(&self, name: &str, steps: u64) -> Box<dyn Task>;
}

/// A running task; several threads may advance it.
pub trait Task: Sync {
    /// Changes the name that is shown.
    fn set_name(&self, name: &str);
    /// Sets the number of steps done.
    fn set_position(&self, step: u64);
    /// Counts one more step as done.
    fn advance(&self);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) -> Box<dyn Task> {
        Box::new(Silent)
    }
}

impl Task for Silent {
    fn set_name(&self, _: &str) {}
    fn set_position(&self, _: u64) {}
    fn advance(&self) {}
}
