//! Tessellation of colliders for pictures. Holes are not cut out.

use crate::upload::local_space::LocalSpace;
use bytemuck::{Pod, Zeroable};
use foley_hail::{Surface, TargetSet};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Segments around a circle, and from pole to pole.
const AROUND: usize = 64;
const ALONG: usize = 32;

/// A vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    colour: [f32; 3],
}

/// Returns the triangles of all colliders, three vertices each.
pub(super) fn vertices(colliders: &TargetSet, local: &LocalSpace) -> Vec<Vertex> {
    let mut all = Vec::new();
    for (number, target) in colliders.as_slice().iter().enumerate() {
        let colour = colour(number);
        let mut put = |position: DVec3, normal: DVec3| {
            let position = local.local(position.to_array());
            all.push(Vertex { position, normal: normal.as_vec3().to_array(), colour });
        };
        surface(&target.target().surface, &mut put);
    }
    all
}

fn surface(surface: &Surface, put: &mut impl FnMut(DVec3, DVec3)) {
    match surface {
        Surface::Quad { corners_m } => {
            let [a, b, c, d] = corners_m.map(DVec3::from_array);
            let n = (c - a).cross(d - b).normalize_or_zero();
            [a, b, c, a, c, d].iter().for_each(|position| put(*position, n));
        }
        Surface::Disc { centre_m, axis_u_m, axis_v_m } => {
            let [c, u, v] = [*centre_m, *axis_u_m, *axis_v_m].map(DVec3::from_array);
            let n = u.cross(v).normalize_or_zero();
            let rim = |k: usize| {
                let (sin, cos) = (TAU * k as f64 / AROUND as f64).sin_cos();
                c + u * cos + v * sin
            };
            (0..AROUND).for_each(|k| [c, rim(k), rim(k + 1)].iter().for_each(|p| put(*p, n)));
        }
        Surface::Sphere { centre_m, radius_m } => {
            let centre = DVec3::from_array(*centre_m);
            grid(
                ALONG,
                |turn, along| {
                    let ((su, cu), (sv, cv)) = ((TAU * turn).sin_cos(), (PI * along).sin_cos());
                    let n = DVec3::new(sv * cu, sv * su, -cv);
                    (centre + n * *radius_m, n)
                },
                put,
            );
        }
        Surface::Cylinder { base_m, axis_m, radius_m } => {
            side(*base_m, *axis_m, [*radius_m; 2], put)
        }
        Surface::Cone { base_m, axis_m, base_radius_m, top_radius_m } => {
            side(*base_m, *axis_m, [*base_radius_m, *top_radius_m], put);
        }
        Surface::Mesh(mesh) => {
            for triangle in mesh.triangles() {
                let [a, b, c] = triangle.map(|i| DVec3::from_array(mesh.vertices_m()[i as usize]));
                let n = (b - a).cross(c - a).normalize_or_zero();
                [a, b, c].iter().for_each(|position| put(*position, n));
            }
        }
    }
}

/// Emits the lateral surface of a cylinder or a cone.
fn side(
    base_m: [f64; 3],
    axis_m: [f64; 3],
    [r0, r1]: [f64; 2],
    put: &mut impl FnMut(DVec3, DVec3),
) {
    let [base, axis] = [base_m, axis_m].map(DVec3::from_array);
    let z = axis.normalize_or(DVec3::Z);
    let (x, y) = z.any_orthonormal_pair();
    let lean = (r0 - r1) / axis.length();
    grid(
        1,
        |turn, along| {
            let (sin, cos) = (TAU * turn).sin_cos();
            let out = x * cos + y * sin;
            let position = base + axis * along + out * (r0 + (r1 - r0) * along);
            (position, (out + z * lean).normalize_or_zero())
        },
        put,
    );
}

/// Emits two triangles for each cell of a surface over azimuth and height.
fn grid(along: usize, at: impl Fn(f64, f64) -> (DVec3, DVec3), put: &mut impl FnMut(DVec3, DVec3)) {
    for j in 0..along {
        for i in 0..AROUND {
            for [di, dj] in [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]] {
                let turn = (i + di) as f64 / AROUND as f64;
                let (position, normal) = at(turn, (j + dj) as f64 / along as f64);
                put(position, normal);
            }
        }
    }
}

/// Returns muted colours with hues spaced by the golden ratio.
fn colour(number: usize) -> [f32; 3] {
    let hue = (0.05 + number as f64 * 0.618_033_988_749_895).fract();
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| {
        let wave = 0.5 + 0.5 * (TAU * (hue - shift)).cos();
        (0.34 + 0.27 * wave) as f32
    })
}
