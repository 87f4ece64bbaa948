#![doc = include_str!("../README.md")]

mod check;
pub mod command;
pub mod document;
pub mod machine;
pub mod record;
pub mod target;
pub mod targets;
mod worst;

pub use check::check_figure;
pub use target::{Bound, Target};
pub use worst::{largest, smallest};

/// Checks a figure against the bound that the target of this id states, prints and records it.
///
/// Panics if the bound is missed (unless the target is only reported), if the figure is not a number, or if there is no
/// such target. A target may be checked several times: MEASURED.md states the worst figure. The command that measures it again
/// follows from the module of the test; examples name theirs.
#[macro_export]
macro_rules! check {
    ($id:literal, $figure:expr) => {
        $crate::check_figure(
            $id,
            $figure,
            &$crate::record::command_of(env!("CARGO_PKG_NAME"), module_path!()),
        )
    };
    ($id:literal, $figure:expr, $command:literal) => {
        $crate::check_figure($id, $figure, $command)
    };
}
