//! Device loss: the first fault of a device, and the calls that report it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type LostCallback = Box<dyn FnOnce(&str) + Send>;

/// The first error that made a device unusable. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Fault(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    why: Option<String>,
    on_lost: Vec<LostCallback>,
}

impl Fault {
    /// Records the first fault and calls back; later ones change nothing.
    pub(super) fn record(&self, why: String) {
        let mut state = self.lock();
        if state.why.is_some() {
            return;
        }
        let callbacks = std::mem::take(&mut state.on_lost);
        state.why = Some(why.clone());
        // Callbacks may ask for the fault.
        drop(state);
        callbacks.into_iter().for_each(|callback| callback(&why));
    }

    pub(super) fn get(&self) -> Option<String> {
        self.lock().why.clone()
    }

    /// Calls back at the first fault: now, if that was before.
    pub(super) fn on_lost(&self, callback: LostCallback) {
        let mut state = self.lock();
        match state.why.clone() {
            None => state.on_lost.push(callback),
            Some(why) => {
                drop(state);
                callback(&why);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fault").field(&self.get()).finish()
    }
}
