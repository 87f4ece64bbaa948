//! The comparison of a figure with the bound of its target.

use crate::{record, targets};

/// Compares, prints and records: see [`check!`](crate::check).
#[track_caller]
pub fn check_figure(id: &str, figure: f64, command: &str) {
    let target =
        targets::find(id).unwrap_or_else(|| panic!("there is no target {id} in foley-measured"));
    let bound = crate::document::bound_text(target);
    println!("measured {id}: {figure} {} ({bound})", target.unit);
    record::append(id, figure, command);
    assert!(!figure.is_nan(), "{id}: the figure is not a number");
    if target.reported.is_none() {
        assert!(
            target.bound.is_kept_by(figure),
            "{id}: {figure} {} misses its bound, {bound}: {}",
            target.unit,
            target.what
        );
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_kept_bound_passes() {
        crate::check!("example.third", 0.333);
    }

    #[test]
    #[should_panic(expected = "misses its bound")]
    fn a_missed_bound_fails() {
        crate::check_figure("example.third", 0.5, "");
    }

    #[test]
    #[should_panic(expected = "not a number")]
    fn nan_fails() {
        crate::check_figure("example.reported", f64::NAN, "");
    }

    #[test]
    fn a_reported_target_does_not_fail() {
        crate::check!("example.reported", 2.0);
    }

    #[test]
    #[should_panic(expected = "there is no target")]
    fn an_unknown_target_fails() {
        crate::check_figure("example.missing", 0.0, "");
    }
}
