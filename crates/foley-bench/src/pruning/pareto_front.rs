//! Pareto front of quality over the share of modes computed.

/// Returns the points (share, quality) that no point of a lower share reaches in quality, by increasing
/// share.
pub(crate) fn pareto_front(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut best = f64::NEG_INFINITY;
    points.retain(|point| {
        let better = point.1 > best;
        best = best.max(point.1);
        better
    });
    points
}

/// Returns the least difference in quality of `ours` over `theirs` at equal share; `None` where the
/// curves do not overlap.
pub(crate) fn worst_margin(ours: &[(f64, f64)], theirs: &[(f64, f64)]) -> Option<f64> {
    let (ours, theirs) = (pareto_front(ours.to_vec()), pareto_front(theirs.to_vec()));
    let margins = ours.iter().chain(&theirs).filter_map(|(share, _)| {
        let ours = ours.iter().rfind(|point| point.0 <= *share)?;
        Some(ours.1 - at(&theirs, *share)?)
    });
    margins.min_by(f64::total_cmp)
}

/// Interpolates a curve linearly over the logarithm of the share. It is constant beyond its last point and
/// undefined before its first.
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
    fn the_worst_point_of_the_best_settings_counts() {
        let theirs = [(0.1, 4.0), (0.01, 2.0)];
        let margin = |ours: &[(f64, f64)]| worst_margin(ours, &theirs);
        assert_eq!(margin(&[(0.2, 3.75)]), Some(-0.25));
        assert_eq!(margin(&[(0.01, 2.5), (0.2, 3.75)]), Some(-1.5));
        // Fewer modes than theirs ever have.
        assert_eq!(margin(&[(0.001, 4.5), (0.05, 3.0)]), Some(0.5));
        assert_eq!((margin(&[]), worst_margin(&[(0.1, 1.0)], &[])), (None, None));
    }

    #[test]
    fn what_sounds_worse_with_more_modes_is_not_chosen() {
        let points = vec![(0.3, 4.0), (0.1, 3.0), (0.2, 2.0), (0.1, 2.5), (0.4, 4.0)];
        assert_eq!(pareto_front(points), [(0.1, 3.0), (0.3, 4.0)]);
    }
}
