//! Quality over the share of modes computed.

/// How much `ours` lies above `theirs` where it does so least, at equal shares of modes; `None`
/// where nothing can be compared. Points are (share, quality).
pub(super) fn worst_margin(ours: &[(f64, f64)], theirs: &[(f64, f64)]) -> Option<f64> {
    let mut theirs = theirs.to_vec();
    theirs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let margins = ours.iter().filter_map(|(share, mos)| Some(mos - at(&theirs, *share)?));
    margins.min_by(f64::total_cmp)
}

/// A curve at a share, between its points straight over the logarithm of the share. Beyond its
/// last point it stays as it is: nobody need compute more. Before its first it is not known.
fn at(curve: &[(f64, f64)], share: f64) -> Option<f64> {
    let next = curve.partition_point(|point| point.0 <= share);
    let &(low, before) = curve.get(next.checked_sub(1)?)?;
    let Some(&(high, after)) = curve.get(next) else { return Some(before) };
    let part = (share / low).ln() / (high / low).ln();
    Some(if part.is_finite() { before + part * (after - before) } else { after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_straight_over_the_logarithm() {
        let curve = [(0.01, 2.0), (0.1, 4.0), (1.0, 5.0)];
        let close = |share: f64, mos: f64| (at(&curve, share).unwrap() - mos).abs() < 1e-9;
        assert!(close(0.01, 2.0) && close(0.1, 4.0) && close(1.0, 5.0) && close(2.0, 5.0));
        assert!(close(0.1f64.powf(1.5), 3.0) && close(0.1f64.powf(0.5), 4.5));
        assert_eq!((at(&curve, 0.009), at(&[], 0.5)), (None, None));
    }

    #[test]
    fn the_worst_point_counts() {
        let theirs = [(0.1, 4.0), (0.01, 2.0)];
        let margin = |ours: &[(f64, f64)]| worst_margin(ours, &theirs);
        assert_eq!(margin(&[(0.001, 1.0)]), None);
        assert_eq!(margin(&[(0.001, 1.0), (0.01, 2.5), (0.2, 3.75)]), Some(-0.25));
    }
}
