//! A target: what is measured, and the bound that it keeps.

/// The bound of a figure. Figures that equal a bound keep it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Exactly this.
    Exactly(f64),
    /// From the first to the second.
    Between(f64, f64),
    /// None: the figure is stated for information.
    None,
}

impl Bound {
    /// Returns whether a figure keeps the bound. What is not a number keeps none.
    pub fn is_kept_by(self, figure: f64) -> bool {
        match self {
            Bound::AtMost(most) => figure <= most,
            Bound::AtLeast(least) => figure >= least,
            Bound::Exactly(value) => figure == value,
            Bound::Between(least, most) => least <= figure && figure <= most,
            Bound::None => !figure.is_nan(),
        }
    }

    /// Returns the figure that is further towards (or beyond) the bound, or further from the middle of its range.
    pub fn worse(self, a: f64, b: f64) -> f64 {
        let excess = |figure: f64| match self {
            Bound::AtMost(_) | Bound::None => figure,
            Bound::AtLeast(_) => -figure,
            Bound::Exactly(value) => (figure - value).abs(),
            Bound::Between(least, most) => (figure - 0.5 * (least + most)).abs(),
        };
        if a.is_nan() || excess(a) >= excess(b) { a } else { b }
    }
}

/// A target of the table.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Names the target in tests, benchmarks and MEASURED.md: `group.name`.
    pub id: &'static str,
    /// What is measured, without the bound.
    pub what: &'static str,
    /// What the figure must keep.
    pub bound: Bound,
    /// Unit of figure and bound; empty for counts and ratios.
    pub unit: &'static str,
    /// Why the bound does not fail a test: a speed of this machine, or a target that is not reached yet.
    pub reported: Option<&'static str>,
    /// Where a benchmark prints the figure; `None`: a test checks it.
    pub bench: Option<BenchFigure>,
    /// Hardware without which the figure cannot be measured.
    pub needs: Option<&'static str>,
}

/// A figure in what a benchmark prints as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchFigure {
    /// Arguments of `foley`, without `--json`: `bench modes`.
    pub arguments: &'static str,
    /// JSON pointer to the figure: `/driven/ratio`.
    pub pointer: &'static str,
}

const fn target(id: &'static str, what: &'static str, bound: Bound, unit: &'static str) -> Target {
    Target { id, what, bound, unit, reported: None, bench: None, needs: None }
}

pub(crate) const fn at_most(
    id: &'static str,
    what: &'static str,
    most: f64,
    unit: &'static str,
) -> Target {
    target(id, what, Bound::AtMost(most), unit)
}

pub(crate) const fn at_least(
    id: &'static str,
    what: &'static str,
    least: f64,
    unit: &'static str,
) -> Target {
    target(id, what, Bound::AtLeast(least), unit)
}

pub(crate) const fn exactly(
    id: &'static str,
    what: &'static str,
    value: f64,
    unit: &'static str,
) -> Target {
    target(id, what, Bound::Exactly(value), unit)
}

pub(crate) const fn between(
    id: &'static str,
    what: &'static str,
    least: f64,
    most: f64,
    unit: &'static str,
) -> Target {
    target(id, what, Bound::Between(least, most), unit)
}

/// A figure without a bound, for information.
pub(crate) const fn figure(id: &'static str, what: &'static str, unit: &'static str) -> Target {
    target(id, what, Bound::None, unit)
}

impl Target {
    /// States the bound and compares the figure with it, but fails no test: for speeds, and for targets that are not reached.
    pub(crate) const fn reported(mut self, why: &'static str) -> Self {
        self.reported = Some(why);
        self
    }

    /// Takes the figure from what `foley ARGUMENTS --json` prints.
    pub(crate) const fn by_bench(mut self, arguments: &'static str, pointer: &'static str) -> Self {
        self.bench = Some(BenchFigure { arguments, pointer });
        self
    }

    /// Names the hardware that the figure needs: without it, the row says so.
    pub(crate) const fn needs(mut self, hardware: &'static str) -> Self {
        self.needs = Some(hardware);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_up_to_themselves_and_never_by_nan() {
        for (bound, kept, missed) in [
            (Bound::AtMost(1.0), 1.0, 1.001),
            (Bound::AtLeast(1.0), 1.0, 0.999),
            (Bound::Exactly(0.0), 0.0, 1e-9),
            (Bound::Between(0.5, 1.0), 0.5, 0.499),
            (Bound::None, -5.0, f64::NAN),
        ] {
            assert!(
                bound.is_kept_by(kept) && !bound.is_kept_by(missed) && !bound.is_kept_by(f64::NAN),
                "{bound:?}"
            );
        }
    }

    #[test]
    fn the_worse_figure_is_the_one_nearer_to_missing() {
        assert_eq!(Bound::AtMost(1.0).worse(0.2, 0.7), 0.7);
        assert_eq!(Bound::AtLeast(1.0).worse(3.0, 2.0), 2.0);
        assert_eq!(Bound::Exactly(0.0).worse(-2.0, 1.0), -2.0);
        assert_eq!(Bound::Between(0.0, 1.0).worse(0.1, 0.6), 0.1);
        assert!(Bound::AtMost(1.0).worse(f64::NAN, 5.0).is_nan());
    }
}
