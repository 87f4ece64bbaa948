//! The worst of several figures of one target.

/// Returns the largest figure; NaN if one is not a number, or if there is none, so that a check of it fails.
pub fn largest(figures: impl IntoIterator<Item = f64>) -> f64 {
    worst(figures, |a, b| a > b)
}

/// Returns the smallest figure; NaN if one is not a number, or if there is none, so that a check of it fails.
pub fn smallest(figures: impl IntoIterator<Item = f64>) -> f64 {
    worst(figures, |a, b| a < b)
}

fn worst(figures: impl IntoIterator<Item = f64>, is_worse: fn(f64, f64) -> bool) -> f64 {
    let worse = |a: f64, b: f64| if a.is_nan() || is_worse(a, b) { a } else { b };
    figures.into_iter().reduce(worse).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_is_not_a_number_is_the_worst_wherever_it_stands() {
        assert_eq!((largest([1.0, 3.0, 2.0]), smallest([2.0, 1.0, 3.0])), (3.0, 1.0));
        for at in 0..3 {
            let mut figures = [1.0, 2.0, 3.0];
            figures[at] = f64::NAN;
            assert!(largest(figures).is_nan() && smallest(figures).is_nan());
        }
        assert!(largest([]).is_nan() && smallest([]).is_nan());
    }
}
