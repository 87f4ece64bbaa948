//! The integration tests of `foley-eigen`, in one program: it is linked once.

mod analytic_spectra;
#[path = "../block/mod.rs"]
mod block;
mod invalid_input;
#[path = "../shell/mod.rs"]
mod shell;
mod shell_band;
mod thread_count;
