//! Merging modes that nobody can tell apart: "Large-scale environments" 2006, §4.1.
//!
//! The difference limen for frequency (Sek & Moore 1995) in two straight pieces: 1.5 Hz at
//! 20 Hz, 6 Hz at 2 kHz, 200 Hz at 22 kHz. Modes within one limen of the lowest of a group
//! become one. ∫ df/Δ(f) over 20 Hz … 22 kHz is 971, so that no object keeps more than 1,000.
//!
//! The paper adds the columns of the gain matrix, but the signs of mode shapes are arbitrary
//! and sums may cancel. Energies do not: the merged vector v has `v vᵀ ≈ Σ u uᵀ` (the largest
//! eigenvector, exact when all move along one line, as walls do along their normal), with the
//! frequency and the decay of the loudest of the group.

use super::audible;
use super::surface::Heard;
use crate::mesh::Mesh;
use crate::origin::Compression;

/// Δ(f): corners of the two straight pieces.
const LIMEN: [[f64; 2]; 3] = [[20.0, 1.5], [2000.0, 6.0], [22_000.0, 200.0]];

/// How far apart two frequencies near f must be to be told apart, Hz.
pub(super) fn limen(f: f64) -> f64 {
    let [a, b, c] = LIMEN;
    let line = |[f0, d0]: [f64; 2], [f1, d1]: [f64; 2]| d0 + (d1 - d0) * (f - f0) / (f1 - f0);
    if f < b[0] { line(a, b).max(a[1]) } else { line(b, c).min(c[1]) }
}

/// Merges; `None` when there was nothing to merge.
pub(super) fn compress(heard: &mut Heard, surface: &Mesh) -> Option<Compression> {
    let groups = groups(&heard.frequencies_hz);
    let (modes_before, modes_after) = (heard.frequencies_hz.len(), groups.len());
    if modes_after == modes_before {
        return None;
    }
    let places = audible::places(surface);
    let before = audible::Responses::new(heard, surface, &places);
    let (frequencies, decays) =
        (std::mem::take(&mut heard.frequencies_hz), std::mem::take(&mut heard.decays));
    let mut gains = std::mem::take(&mut heard.gains).into_iter();
    for group in groups {
        let members: Vec<Vec<[f32; 3]>> = gains.by_ref().take(group.len()).collect();
        let energy = |mode: &Vec<[f32; 3]>| -> f64 {
            mode.iter().flatten().map(|x| f64::from(*x).powi(2)).sum()
        };
        let loudest = (0..members.len())
            .max_by(|a, b| energy(&members[*a]).total_cmp(&energy(&members[*b])))
            .unwrap_or(0);
        heard.frequencies_hz.push(frequencies[group.start + loudest]);
        heard.decays.push(decays[group.start + loudest]);
        heard.gains.push(match <[_; 1]>::try_from(members) {
            Ok([alone]) => alone,
            Err(members) => merge(&members, loudest),
        });
    }
    let after = audible::Responses::new(heard, surface, &places);
    let [mean_db, p95_db] = before.difference_db(&after);
    Some(Compression { modes_before, modes_after, mean_db, p95_db })
}

/// Ranges of modes within a limen of the first of each.
fn groups(frequencies_hz: &[f64]) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for (n, f) in frequencies_hz.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if f - frequencies_hz[group.start] < limen(frequencies_hz[group.start]) => {
                group.end = n + 1;
            }
            _ => groups.push(n..n + 1),
        }
    }
    groups
}

/// At each point the vector v with v vᵀ closest to Σ u uᵀ, signed as the loudest moves.
fn merge(members: &[Vec<[f32; 3]>], loudest: usize) -> Vec<[f32; 3]> {
    (0..members[loudest].len())
        .map(|k| {
            let own = members[loudest][k].map(f64::from);
            let mut sum = [[0.0; 3]; 3];
            for u in members.iter().map(|mode| mode[k].map(f64::from)) {
                (0..3).for_each(|a| (0..3).for_each(|b| sum[a][b] += u[a] * u[b]));
            }
            let times = |v: [f64; 3]| {
                [0, 1, 2].map(|a| sum[a][0] * v[0] + sum[a][1] * v[1] + sum[a][2] * v[2])
            };
            let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            // Powers of the matrix, from its largest column.
            let columns = [0, 1, 2].map(|a| sum[a]);
            let mut v = columns
                .into_iter()
                .fold([0.0; 3], |m, c| if length(c) > length(m) { c } else { m });
            for _ in 0..40 {
                let size = length(v);
                if size == 0.0 {
                    return [0.0; 3];
                }
                v = times(v.map(|x| x / size));
            }
            // |M v| / |v| is the eigenvalue, and its root the length of the merged vector.
            let size = length(v);
            let same = own[0] * v[0] + own[1] * v[1] + own[2] * v[2] >= 0.0;
            let scale = if same { 1.0 } else { -1.0 } / size.sqrt();
            v.map(|x| if size > 0.0 { (x * scale) as f32 } else { 0.0 })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_object_keeps_more_than_a_thousand() {
        let dense: Vec<f64> = (0..200_000).map(|i| 20.0 + 21_980.0 * f64::from(i) / 2e5).collect();
        let kept = groups(&dense).len();
        assert!(kept < 1000 && kept > 900, "{kept}");
        assert_eq!(groups(&[440.0, 440.5, 443.0, 450.0]), [0..2, 2..3, 3..4]);
    }

    /// Energies add in every direction when the members move along one line.
    #[test]
    fn energies_add() {
        let n = [0.6_f32, 0.0, 0.8];
        let along = |s: f32| n.map(|x| x * s);
        let merged = merge(&[vec![along(3.0), along(-1.0)], vec![along(-4.0), along(0.5)]], 1);
        for (found, wanted) in merged.iter().zip([along(-5.0), along(1.25f32.sqrt())]) {
            (0..3).for_each(|a| assert!((found[a] - wanted[a]).abs() < 1e-5, "{merged:?}"));
        }
        assert_eq!(merge(&[vec![[0.0; 3]], vec![[0.0; 3]]], 0), [[0.0; 3]]);
    }
}
