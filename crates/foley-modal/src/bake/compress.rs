//! Mode compression: merges modes closer than the difference limen for frequency (\[LS\] §4.1).
//!
//! The limen Δ(f) (Sek & Moore 1995) in two linear pieces: 1.5 Hz at
//! 20 Hz, 6 Hz at 2 kHz, 200 Hz at 22 kHz. Modes within one limen of the lowest of a group
//! become one. ∫ df/Δ(f) over 20 Hz … 22 kHz is 971, so an object keeps fewer than 1,000 modes.
//!
//! The paper adds the columns of the gain matrix, but the signs of mode shapes are arbitrary
//! and sums may cancel. Energies do not: the merged vector has the energy of all members along
//! the normal and, in their main direction, along the surface, with the frequency and the material's decay
//! of the loudest member. Its decay by radiation is their mean, weighted by what they radiate: that of their sum at
//! first, and never less than the power of the merged mode. It always points outwards: signs taken from a member would change along
//! its nodal lines, and interpolation between two vertices would cancel there.

use super::excitation_difference::{self, ExcitationPatterns};
use super::gains::AudibleModes;
use crate::provenance::Compression;
use foley_geometry::mesh::Mesh;
use foley_geometry::vector::{area_vector, unit_or_zero};
use glam::{DVec3, Vec3};

/// Tangential motion is signed towards this half-space, so that neighbouring points agree.
const HALF_SPACE: DVec3 = DVec3::new(1.0, 0.7, 0.4);
/// Breakpoints (f, Δ) of the limen, Hz.
const LIMEN: [[f64; 2]; 3] = [[20.0, 1.5], [2000.0, 6.0], [22_000.0, 200.0]];

/// Returns Δ(f), the just noticeable difference of frequency at f, Hz.
pub(super) fn limen(f: f64) -> f64 {
    let [a, b, c] = LIMEN;
    let line = |[f0, d0]: [f64; 2], [f1, d1]: [f64; 2]| d0 + (d1 - d0) * (f - f0) / (f1 - f0);
    if f < b[0] { line(a, b).max(a[1]) } else { line(b, c).min(c[1]) }
}

/// Merges modes; `None` when no two are close enough.
pub(super) fn compress(modes: &mut AudibleModes, surface: &Mesh) -> Option<Compression> {
    let groups = groups(&modes.frequencies_hz);
    let (modes_before, modes_after) = (modes.frequencies_hz.len(), groups.len());
    if modes_after == modes_before {
        return None;
    }
    let counts: Vec<usize> = groups.iter().map(ExactSizeIterator::len).collect();
    let strike_points = excitation_difference::strike_points(surface);
    let normals = normals(surface);
    let before = ExcitationPatterns::new(modes, surface, &strike_points);
    let (frequencies, decays) =
        (std::mem::take(&mut modes.frequencies_hz), std::mem::take(&mut modes.decays));
    let pressures = std::mem::take(&mut modes.pressures_pa);
    let radiation_decays = std::mem::take(&mut modes.radiation_decays);
    let shares = std::mem::take(&mut modes.thermoelastic_shares);
    let mut gains = std::mem::take(&mut modes.gains).into_iter();
    for group in groups {
        let members: Vec<Vec<[f32; 3]>> = gains.by_ref().take(group.len()).collect();
        let energy = |mode: &Vec<[f32; 3]>| -> f64 {
            mode.iter().flatten().map(|x| f64::from(*x).powi(2)).sum()
        };
        let energies: Vec<f64> = members.iter().map(energy).collect();
        let loudest =
            (0..members.len()).max_by(|a, b| energies[*a].total_cmp(&energies[*b])).unwrap_or(0);
        let alone = radiation_decays[group.start + loudest];
        let radiated = energies.iter().zip(&radiation_decays[group.clone()]);
        let (radiated, sum) =
            radiated.fold((0.0, 0.0), |(radiated, sum), (e, d)| (radiated + e * d, sum + e));
        let radiation = if sum > 0.0 { radiated / sum } else { alone };
        modes.frequencies_hz.push(frequencies[group.start + loudest]);
        modes.decays.push(decays[group.start + loudest] - alone + radiation);
        modes.radiation_decays.push(radiation);
        // Shapes follow as gains over pressures: the squares of all members' shapes add up.
        let energies = energies.into_iter().zip(&pressures[group.clone()]);
        let (gains2, shapes2) = energies.fold((0.0, 0.0), |(gains2, shapes2), (e, p)| {
            let p2 = f64::from(*p).powi(2);
            (gains2 + e, shapes2 + if p2 > 0.0 { e / p2 } else { 0.0 })
        });
        let pressure = if shapes2 > 0.0 { (gains2 / shapes2).sqrt() } else { 0.0 };
        modes.pressures_pa.push(pressure as f32);
        modes.thermoelastic_shares.push(shares[group.start + loudest]);
        modes.gains.push(match <[_; 1]>::try_from(members) {
            Ok([alone]) => alone,
            Err(members) => merge(&members, &normals),
        });
    }
    let merged = counts.iter().enumerate().filter(|(_, n)| **n > 1).map(|(k, _)| k).collect();
    let after = ExcitationPatterns::new(modes, surface, &strike_points);
    let [mean_db, p95_db] = before.difference_db(&after);
    Some(Compression { modes_before, modes_after, merged, mean_db, p95_db })
}

/// Returns the ranges of modes within one limen of their first.
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

/// Returns at each point the vector with the summed energy of all members, normal and tangential.
fn merge(members: &[Vec<[f32; 3]>], normals: &[DVec3]) -> Vec<[f32; 3]> {
    (0..normals.len())
        .map(|k| {
            let n = normals[k];
            let split = |u: [f32; 3]| {
                let u = Vec3::from(u).as_dvec3();
                let along = u.dot(n);
                (along, u - n * along)
            };
            let (mut along2, mut across2, mut spread) = (0.0, 0.0, [DVec3::ZERO; 3]);
            for (along, across) in members.iter().map(|mode| split(mode[k])) {
                along2 += along * along;
                across2 += across.length_squared();
                (0..3).for_each(|a| spread[a] += across * across[a]);
            }
            // The principal tangential direction: power iteration from the largest row.
            let mut main = spread
                .into_iter()
                .fold(DVec3::ZERO, |m, row| if row.length() > m.length() { row } else { m });
            for _ in 0..20 {
                main = unit_or_zero(main);
                main = DVec3::from(spread.map(|row| row.dot(main)));
            }
            let main = unit_or_zero(main);
            let across = across2.sqrt().copysign(main.dot(HALF_SPACE));
            (n * along2.sqrt() + main * across).as_vec3().to_array()
        })
        .collect()
}

/// Returns the area-weighted normal at each vertex.
fn normals(surface: &Mesh) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; surface.vertices.len()];
    for (t, corners) in surface.triangles.iter().enumerate() {
        let vector = area_vector(surface.corners(t));
        for &v in corners {
            normals[v as usize] += vector;
        }
    }
    normals.into_iter().map(unit_or_zero).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_object_keeps_more_than_a_thousand() {
        let dense: Vec<f64> = (0..200_000).map(|i| 20.0 + 21_980.0 * f64::from(i) / 2e5).collect();
        let kept = groups(&dense).len();
        assert!(kept > 900, "{kept}");
        foley_measured::check!("meshes.merged_modes", kept as f64);
        assert_eq!(groups(&[440.0, 440.5, 443.0, 450.0]), [0..2, 2..3, 3..4]);
    }

    /// Energies add along the normal and across it.
    #[test]
    fn energies_add() {
        let z = DVec3::Z;
        let loud = vec![[0.0, 4.0, -4.0], [0.0, 0.0, 0.5]];
        let quiet = vec![[0.0, 3.0, 3.0], [0.0, 0.0, -1.0]];
        let merged = merge(&[quiet, loud], &[z, z]);
        for (found, wanted) in merged.iter().zip([[0.0, 5.0, 5.0], [0.0, 0.0, 1.25f32.sqrt()]]) {
            (0..3).for_each(|a| assert!((found[a] - wanted[a]).abs() < 1e-5, "{merged:?}"));
        }
        assert_eq!(merge(&[vec![[0.0; 3]], vec![[0.0; 3]]], &[z]), [[0.0; 3]]);
    }
}
