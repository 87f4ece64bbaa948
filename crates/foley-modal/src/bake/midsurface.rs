//! Midsurface of a thin wall whose two sides are both in the mesh.
//!
//! A ray into the wall joins each triangle to the one on the other side. Neighbours are on
//! the same side, opposites on different ones: a two-colouring of the triangles, found by
//! disjoint sets with parity. One colour, moved inwards by half the thickness, is the midsurface.
//!
//! The four tolerances below were set by trial; the tests that hold them are
//! `walls_with_two_sides_are_recognised` and `walls_of_any_thickness`.

use foley_geometry::mesh::Edges;
use foley_geometry::mesh::UnionFind;
use foley_geometry::mesh::{Measures, Mesh, MeshError, WallProbe};
use foley_geometry::vector::{area_vector, unit_or_zero};
use glam::DVec3;

/// A midsurface and its thickness.
pub(super) struct Midsurface {
    pub(super) mesh: Mesh,
    /// Thickness of each triangle, m.
    pub(super) thickness_m: Vec<f64>,
}

/// Distances through the wall, relative to the median: outside them lies the rim.
const WALL: [f64; 2] = [0.3, 1.8];
/// Neighbours with normals more than 60° apart are on different sides.
const FOLD: f64 = 0.5;
/// Largest share of the area on which neighbours and opposites may contradict each other.
const DOUBT: f64 = 0.02;
/// Relative tolerance of midsurface area times thickness against the volume.
const MISSING: f64 = 0.03;

/// Extracts the midsurface; `None` when the sides cannot be separated or do not enclose the volume.
pub(super) fn extract(
    mesh: &Mesh,
    facts: &Measures,
    median_m: f64,
) -> Result<Option<Midsurface>, MeshError> {
    let Some(volume) = facts.volume_m3 else { return Ok(None) };
    let walls = WallProbe::new(mesh)?;
    let wall: Vec<Option<(f64, u32)>> = (0..mesh.triangles.len())
        .map(|t| walls.opposite(t).filter(|(d, _)| (WALL[0]..=WALL[1]).contains(&(d / median_m))))
        .collect();
    let area = |t: usize| 0.5 * area_vector(mesh.corners(t)).length();
    let normal = |t: usize| unit_or_zero(area_vector(mesh.corners(t)));

    let mut sides = UnionFind::new(mesh.triangles.len());
    Edges::new(mesh).for_each(|_, _, halves| {
        if let &[a, b] = halves {
            let (a, b) = (a as usize / 3, b as usize / 3);
            if wall[a].is_some() && wall[b].is_some() && normal(a).dot(normal(b)) > FOLD {
                sides.join(a as u32, b as u32, false);
            }
        }
    });
    let (mut doubt, mut total) = (0.0, 0.0);
    for (t, found) in wall.iter().enumerate() {
        let Some((_, other)) = found else { continue };
        total += area(t);
        if wall[*other as usize].is_some() && !sides.join(t as u32, *other, true) {
            doubt += area(t);
        }
    }
    if !(doubt < DOUBT * total) {
        return Ok(None);
    }

    // Each piece keeps the side with more area.
    let mut balance = vec![0.0; mesh.triangles.len()];
    let colours: Vec<(u32, bool)> = (0..wall.len()).map(|t| sides.find(t as u32)).collect();
    for (t, (root, odd)) in colours.iter().enumerate() {
        balance[*root as usize] += if *odd { -area(t) } else { area(t) };
    }
    let chosen: Vec<usize> = (0..wall.len())
        .filter(|&t| {
            let (root, odd) = colours[t];
            wall[t].is_some() && odd == (balance[root as usize] < 0.0)
        })
        .collect();
    let thickness = |t: usize| wall[t].map_or(median_m, |(d, _)| d);
    let midsurface = shrink(mesh, &chosen, &thickness);
    let made: f64 = (0..midsurface.mesh.triangles.len())
        .map(|t| 0.5 * area_vector(midsurface.mesh.corners(t)).length() * midsurface.thickness_m[t])
        .sum();
    Ok((((made / volume) - 1.0).abs() < MISSING).then_some(midsurface))
}

/// Moves the corners of the chosen triangles inwards by half the thickness.
fn shrink(mesh: &Mesh, chosen: &[usize], thickness: &dyn Fn(usize) -> f64) -> Midsurface {
    let n = mesh.vertices.len();
    let (mut inward, mut sum, mut weight) = (vec![DVec3::ZERO; n], vec![0.0; n], vec![0.0; n]);
    for &t in chosen {
        let vector = area_vector(mesh.corners(t));
        for &v in &mesh.triangles[t] {
            let v = v as usize;
            inward[v] -= vector;
            sum[v] += vector.length() * thickness(t);
            weight[v] += vector.length();
        }
    }
    let mut number = vec![u32::MAX; n];
    let mut midsurface = Midsurface { mesh: Mesh::default(), thickness_m: Vec::new() };
    for &t in chosen {
        let corners = mesh.triangles[t].map(|v| {
            let v = v as usize;
            if number[v] == u32::MAX {
                number[v] = midsurface.mesh.vertices.len() as u32;
                let half = 0.5 * sum[v] / weight[v];
                let middle = DVec3::from(mesh.vertices[v]) + unit_or_zero(inward[v]) * half;
                midsurface.mesh.vertices.push(middle.to_array());
            }
            number[v]
        });
        let mean =
            mesh.triangles[t].iter().map(|&v| sum[v as usize] / weight[v as usize]).sum::<f64>();
        midsurface.mesh.triangles.push(corners);
        midsurface.thickness_m.push(mean / 3.0);
    }
    midsurface
}
