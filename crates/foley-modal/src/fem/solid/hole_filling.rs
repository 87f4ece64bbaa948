//! Hole filling: closes the rims of an open mesh.

use super::super::FemError;
use foley_geometry::mesh::{Edges, Measures, Mesh, endpoints};
use glam::DVec3;
use std::borrow::Cow;
use std::collections::HashMap;

/// Returns a closed mesh (the input, or a copy whose rims are filled with fans around their
/// centroids), the number of filled rims, and the measures of the mesh.
pub(super) fn closed(mesh: &Mesh) -> Result<(Cow<'_, Mesh>, usize, Measures), FemError> {
    let facts = Measures::of(mesh)?;
    if facts.closed {
        return Ok((Cow::Borrowed(mesh), 0, facts));
    }
    let mut closed = mesh.clone();
    closed.parts.clear();
    let rims = rims(mesh);
    for rim in &rims {
        let sum: DVec3 = rim.iter().map(|v| mesh.vertex(*v)).sum();
        let centre = closed.vertices.len() as u32;
        closed.vertices.push((sum / rim.len() as f64).to_array());
        let next = rim.iter().skip(1).chain(rim.first());
        closed.triangles.extend(rim.iter().zip(next).map(|(a, b)| [*b, *a, centre]));
    }
    let facts = Measures::of(&closed)?;
    if !facts.closed {
        return Err(FemError::NotClosed {
            open: facts.open_edges,
            filled: rims.len(),
            branching: facts.non_manifold_edges,
            twisted: facts.twisted_edges,
        });
    }
    Ok((Cow::Owned(closed), rims.len(), facts))
}

/// Returns the simple loops of open edges.
fn rims(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut next: HashMap<u32, Option<u32>> = HashMap::new();
    let mut starts = Vec::new();
    Edges::new(mesh).for_each(|_, _, halves| {
        if let [half] = halves {
            let [from, to] = endpoints(mesh, *half);
            starts.push(from);
            // A second edge out of a vertex: not a simple loop.
            next.entry(from).and_modify(|to| *to = None).or_insert(Some(to));
        }
    });
    let mut rims = Vec::new();
    for start in starts {
        let mut rim = Vec::new();
        let mut at = start;
        while let Some(Some(to)) = next.remove(&at) {
            rim.push(at);
            at = to;
        }
        if at == start && rim.len() > 2 {
            rims.push(rim);
        }
    }
    rims
}
