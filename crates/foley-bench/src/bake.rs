//! Baking time and memory: a mesh of 30,000 vertices, all audible modes.

use anyhow::Result;
use foley_geometry::mesh::{self, Density};
use foley_modal::Material;
use foley_modal::bake::{Options, Stage, bake};
use serde_json::{Value, json};
use std::time::Instant;

use crate::Progress;
use crate::memory::peak_mib;
use foley_engine::cpu_time::process_cpu_s;

/// Targets on two cores, for meshes of at least this many vertices.
const TARGET_S: f64 = 120.0;
const TARGET_MIB: f64 = 4096.0;
const VERTICES: usize = 30_000;

/// Bakes a wok of at most `max_vertices` vertices. `target_met` is null for a mesh below 30,000
/// vertices.
pub fn measure(max_vertices: Option<usize>, progress: &dyn Progress) -> Result<Value> {
    let wok = mesh::builtin_info("wok")?;
    let most = max_vertices.unwrap_or(usize::MAX);
    let mesh = mesh::refine(&wok.mesh(Density::Fine), 0.9 * 0.5 * wok.edge_m, most);
    let task = progress.begin("wok", 100);
    let mut watch = |stage: Stage, done: f64| {
        task.set_name(&stage.to_string());
        task.set_position((100.0 * done) as u64);
        true
    };
    let (start, cpu) = (Instant::now(), process_cpu_s());
    let options = Options::default().with_thickness_m(wok.thickness_m).with_progress(&mut watch);
    let baked = bake(&mesh, "wok", Material::named("steel")?, options)?;
    let (wall_s, cpu_s) = (start.elapsed().as_secs_f64(), process_cpu_s() - cpu);
    let peak_mib = peak_mib();
    let modes = match &baked.provenance.compression {
        Some(compression) => compression.modes_before,
        None => baked.model.mode_count(),
    };
    let vertices = mesh.vertices.len();
    let met = wall_s < TARGET_S && peak_mib.is_none_or(|mib| mib < TARGET_MIB);
    Ok(json!({
        "vertices": vertices, "unknowns": baked.provenance.unknowns, "modes": modes, "wall_s": wall_s,
        "cpu_s": cpu_s, "peak_mib": peak_mib, "target_met": (vertices >= VERTICES).then_some(met),
    }))
}
