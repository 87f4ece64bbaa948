//! The garbage can.

use anyhow::Result;
use foley_dsp::model::ModalModel;
use foley_modal::mesh::Mesh;
use foley_modal::{Material, bake};
use std::f64::consts::TAU;

use super::cache;

const MODES: usize = 1361;
/// Thickness of the sheet, m.
const SHEET_M: f64 = 1e-3;
/// Vertices round each ring, and rings of floor and wall.
const ROUND: usize = 180;
const ROWS: [usize; 2] = [26, 98];

/// (r, z) from the hole in the floor to the rim: 330 mm wide, 450 mm tall, three beads.
fn profile() -> Vec<[f64; 2]> {
    let (hole, floor, rim, height) = (0.020, 0.140, 0.165, 0.45);
    let bead = |z: f64| {
        let near = |at: f64| (1.0 - ((z - at) / 0.0225).powi(2)).max(0.0).powi(2);
        0.006 * (near(0.09) + near(0.225) + near(0.36))
    };
    let flat = (0..ROWS[0]).map(|i| [hole + (floor - hole) * i as f64 / ROWS[0] as f64, 0.0]);
    let wall = (0..=ROWS[1]).map(|i| height * i as f64 / ROWS[1] as f64);
    flat.chain(wall.map(|z| [floor + (rim - floor) * z / height + bead(z), z])).collect()
}

fn mesh() -> Mesh {
    let profile = profile();
    let mut mesh = Mesh::default();
    for (i, [r, z]) in profile.iter().enumerate() {
        for k in 0..ROUND {
            let turn = (k as f64 + 0.5 * (i % 2) as f64) / ROUND as f64;
            let (sin, cos) = (TAU * turn).sin_cos();
            mesh.vertices.push([r * cos, r * sin, *z]);
        }
    }
    for i in 0..profile.len() - 1 {
        for k in 0..ROUND {
            let at = |row: usize, k: usize| (row * ROUND + k % ROUND) as u32;
            let (a, b, c, d) = (at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k));
            mesh.triangles.extend(match i % 2 {
                0 => [[a, b, d], [b, c, d]],
                _ => [[a, b, c], [a, c, d]],
            });
        }
    }
    mesh
}

pub(super) fn can() -> Result<ModalModel> {
    let steel = Material::named("steel")?;
    let mesh = mesh();
    let key = format!("{steel:?} {MODES} {SHEET_M}");
    cache::kept("garbage-can", &mesh, &key, MODES, |progress| {
        let options = bake::Options {
            thickness_m: Some(SHEET_M),
            max_modes: MODES,
            compress: false,
            progress: Some(progress),
            ..bake::Options::default()
        };
        Ok(bake::bake(&mesh, "garbage can", steel, options)?.model)
    })
}
