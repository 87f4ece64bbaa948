//! A mug: a body of revolution, two holes cut into its wall, and a handle between their rims.

use super::profile::Profile;
use super::revolve::{revolve, ring_spacing};
use crate::mesh::Mesh;
use crate::mesh::repair::drop_unused;
use std::collections::HashMap;
use std::f64::consts::PI;

/// Wall thickness, m.
pub(super) const WALL: f64 = 4e-3;
/// Radius of the middle of the wall, its height, and the rounding at the floor.
const RADIUS: f64 = 0.042;
const HEIGHT: f64 = 0.095;
const FILLET: f64 = 0.010;
/// Heights at which the handle joins the wall, how far it stands out, and its radius.
const JOINS: [f64; 2] = [0.072, 0.027];
const REACH: f64 = 0.030;
const GRIP: f64 = 0.006;

fn profile() -> Profile {
    Profile::new()
        .line([0.0, 0.0], [RADIUS - FILLET, 0.0])
        .arc([RADIUS - FILLET, FILLET], FILLET, -90.0, 0.0)
        .line([RADIUS, FILLET], [RADIUS, HEIGHT])
}

/// Generates the midsurface; the handle is a tube that opens into the wall.
pub(super) fn open(edge: f64) -> Mesh {
    with_handle(revolve(&profile().points(ring_spacing(edge)), edge, false), edge, RADIUS)
}

/// Generates inside and outside; the handle is solid.
pub(super) fn closed(edge: f64) -> Mesh {
    let body = revolve(&profile().both_sides(ring_spacing(edge), WALL), edge, false);
    with_handle(body, edge, RADIUS + 0.5 * WALL)
}

fn with_handle(mut mesh: Mesh, edge: f64, radius: f64) -> Mesh {
    let holes = JOINS.map(|z| nearest(&mesh, [radius, 0.0, z]));
    let height = holes.map(|v| mesh.vertices[v as usize][2]);
    let rings = (1.2 * GRIP / edge).round().max(1.0) as usize;
    let mut rims = holes.map(|hole| cut(&mut mesh, hole, rings));
    // Angle around the handle as seen from its start; at its end the handle is upside down.
    let around = |mesh: &Mesh, v: u32, z: f64, up: f64| {
        let [_, y, z_] = mesh.vertices[v as usize];
        (up * (z_ - z)).atan2(y)
    };
    for (k, up) in [(0, 1.0), (1, -1.0)] {
        rims[k].sort_by(|&a, &b| {
            let angle = |v| around(&mesh, v, height[k], up);
            angle(a).total_cmp(&angle(b))
        });
    }
    let angles: Vec<f64> = rims[0].iter().map(|&v| around(&mesh, v, height[0], 1.0)).collect();
    let (middle, b) = (0.5 * (height[0] + height[1]), 0.5 * (height[0] - height[1]));
    let steps = (PI * (0.5 * (REACH * REACH + b * b)).sqrt() / edge).round().max(8.0) as u32;
    let mut last = rims[0].clone();
    for step in 1..=steps {
        let next = if step == steps {
            rims[1].clone()
        } else {
            let (sin, cos) = (PI * f64::from(step) / f64::from(steps)).sin_cos();
            let centre = [radius + REACH * sin, middle + b * cos];
            // The normal of the ellipse that the handle follows.
            let out = [b * sin, REACH * cos];
            let length = out[0].hypot(out[1]);
            angles
                .iter()
                .map(|angle| {
                    let (u, v) = (GRIP * angle.cos(), GRIP * angle.sin() / length);
                    mesh.vertices.push([centre[0] + v * out[0], u, centre[1] + v * out[1]]);
                    mesh.vertices.len() as u32 - 1
                })
                .collect()
        };
        for i in 0..last.len() {
            let j = (i + 1) % last.len();
            mesh.triangles.extend([[last[i], last[j], next[i]], [last[j], next[j], next[i]]]);
        }
        last = next;
    }
    drop_unused(&mut mesh);
    mesh
}

/// Returns the vertex of an unshifted ring closest to a point.
fn nearest(mesh: &Mesh, at: [f64; 3]) -> u32 {
    let distance = |v: u32| mesh.vertex(v).distance_squared(at.into());
    // Unshifted rings have a vertex at exactly y = 0. The second condition excludes the inside.
    let ahead = (0..mesh.vertices.len() as u32).filter(|&v| {
        let [x, y, _] = mesh.vertices[v as usize];
        y == 0.0 && (x - at[0]).abs() < 0.1 * WALL
    });
    ahead.min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

/// Removes the triangles within `rings` edges of a vertex; returns the rim of the hole.
fn cut(mesh: &mut Mesh, centre: u32, rings: usize) -> Vec<u32> {
    let mut steps = HashMap::from([(centre, 0)]);
    for ring in 1..=rings {
        let near: Vec<u32> = mesh
            .triangles
            .iter()
            .filter(|t| t.iter().any(|v| steps.get(v) == Some(&(ring - 1))))
            .flatten()
            .copied()
            .collect();
        for v in near {
            steps.entry(v).or_insert(ring);
        }
    }
    mesh.triangles.retain(|t| !t.iter().any(|v| steps.get(v).is_some_and(|s| *s < rings)));
    steps.into_iter().filter(|(_, s)| *s == rings).map(|(v, _)| v).collect()
}
