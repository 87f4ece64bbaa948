//! The garbage can of the picnic: a shell of sheet steel with a hole in its floor.
//!
//! Its 1,361st mode lies near 10 kHz, where a bending wave is 31 mm long: six edges per wave give
//! 22,500 vertices. With twice as many, modes move by half a percent, the lowest by two. All rings
//! of the mesh have the same number of vertices, so that the modes are found order by order
//! ([`cyclic_symmetry`]).

use super::{BakeError, DecayLaw, Progress, Stage};
use crate::Material;
use crate::cache::{CacheKey, ModelCache};
use crate::fem::cyclic_symmetry::{self, Mode, Rings};
use crate::fem::{Elastic, shell};
use crate::radiation::directivity::{in_bands, radiated_energies};
use crate::radiation::{self, Powers, RadiatingSurface, rigid};
use foley_dsp::model::{Gains, ModalModel, ModalParts, Vibration};
use foley_geometry::mesh::Mesh;

/// Number of modes.
pub const MODES: usize = 1361;
/// Highest frequency of the solver, Hz; the lowest [`MODES`] modes below it are kept.
const MAX_HZ: f64 = 10.5e3;
/// Approximate number of orders with modes below it, for progress.
const ORDERS: f64 = 36.0;
/// Thickness of the sheet, m.
const SHEET_M: f64 = 1e-3;

/// Share of the modes' energy that heat flow damps: that of flat plates, for most modes of the can bend
/// its sheet in short waves.
const BENDING_SHARE: f64 = 1.0;

/// Rows of the floor and of the wall.
const ROWS: [usize; 2] = [26, 98];
const RINGS: Rings = Rings { count: ROWS[0] + ROWS[1] + 1, round: 180 };
/// Strides of the vertices of a ring and of the rings that become surface points.
const STRUCK: [usize; 2] = [4, 2];
/// Time for the radiation, s, on two processor cores of 2022.
const RADIATION_BUDGET_S: f64 = 4.0;

/// Returns the profile (r, z) from the hole in the floor to the rim: 330 mm wide, 450 mm tall,
/// three beads.
fn profile() -> Vec<[f64; 2]> {
    let (hole, floor, rim, height) = (0.020, 0.140, 0.165, 0.45);
    let bead = |z: f64| {
        let near = |at: f64| (1.0 - ((z - at) / 0.0225).powi(2)).max(0.0).powi(2);
        0.006 * (near(0.09) + near(0.225) + near(0.36))
    };
    let part = |i: usize, rows: usize| i as f64 / rows as f64;
    let [flat, upright] = ROWS;
    let flat = (0..flat).map(|i| [hole + (floor - hole) * part(i, flat), 0.0]);
    let wall = (0..=upright).map(|i| height * part(i, upright));
    flat.chain(wall.map(|z| [floor + (rim - floor) * z / height + bead(z), z])).collect()
}

/// Returns the mesh.
pub fn mesh() -> Mesh {
    RINGS.mesh(&profile())
}

/// Returns the model from a cache, or bakes it.
pub fn load_or_bake(
    cache: &ModelCache,
    progress: &mut Progress<'_>,
) -> Result<ModalModel, BakeError> {
    let mesh = mesh();
    let options = format!("{:?} {MODES} {SHEET_M} {STRUCK:?}", Material::named("steel")?);
    let key = CacheKey::new(&mesh, &options);
    cache.model_or_bake(&key, |model| model.mode_count() == MODES, || bake(&mesh, progress))
}

/// Bakes the model with its [`MODES`] modes from the [`mesh`].
pub fn bake(mesh: &Mesh, progress: &mut Progress<'_>) -> Result<ModalModel, BakeError> {
    let mut report = |stage, done| match progress(stage, done) {
        true => Ok(()),
        false => Err(BakeError::Cancelled),
    };
    report(Stage::Elements, 0.0)?;
    let material = Material::named("steel")?;
    let wall = vec![SHEET_M; mesh.triangles.len()];
    let body = shell::discretise(mesh, &Elastic::from(material), &wall, shell::free)?;
    let modes = cyclic_symmetry::modes(&body, RINGS, MAX_HZ, |order| {
        let stage = Stage::Solving(foley_eigen::Stage::Iterating);
        report(stage, (order as f64 / ORDERS).min(1.0)).is_ok()
    })?;
    let law = DecayLaw::new(material, Some(SHEET_M));
    let damped = |mode: Mode| Some((law.damped_hz(mode.omega, BENDING_SHARE)?, mode));
    let modes: Vec<(f64, Mode)> = modes.into_iter().take(MODES).filter_map(damped).collect();
    let Powers { watts, directivities, .. } =
        powers(mesh, &modes, &mut |done| report(Stage::Radiation, done).is_ok())
            .ok_or(BakeError::Cancelled)?;
    report(Stage::Gains, 0.0)?;
    let [every_k, every_ring] = STRUCK;
    let struck = Rings { count: RINGS.count.div_ceil(every_ring), round: RINGS.round / every_k };
    let places = (0..struck.count)
        .flat_map(|i| (0..struck.round).map(move |j| (i * every_ring, j * every_k)));
    let places: Vec<(usize, usize)> = places.collect();
    let (mut frequencies_hz, mut decays, mut gains) = (Vec::new(), Vec::new(), Vec::new());
    let mut pressures_pa = Vec::new();
    for ((f, mode), watts) in modes.into_iter().zip(watts) {
        let (radiation, p) = radiation::damping_and_pressure(f, watts);
        let decay = law.decay(mode.omega, BENDING_SHARE) + radiation;
        let gain =
            |(ring, k): &(usize, usize)| (mode.at(*ring, *k, RINGS.round) * p).as_vec3().to_array();
        frequencies_hz.push(f);
        decays.push(decay);
        gains.push(places.iter().map(gain).collect());
        pressures_pa.push(p as f32);
    }
    let model = ModalModel::new(ModalParts {
        name: format!("{} garbage can", material.name),
        frequencies_hz,
        decays,
        points: places.iter().map(|(ring, k)| mesh.vertices[ring * RINGS.round + k]).collect(),
        triangles: struck.triangles(|_| false),
        gains: Gains::vectors(&gains),
        body: material.body(body.mass_kg, f64::INFINITY),
        vibration: Some(Vibration { pressures_pa, free: true }),
        rigid: Some(rigid::of_mesh(mesh, None)),
        directivity: None,
    })?;
    let directivity = in_bands(&model.frequencies_hz, &directivities, &radiated_energies(&model));
    Ok(ModalModel::new(ModalParts { directivity, ..model.into_parts() })?)
}

/// Returns what each mode radiates at unit modal velocity; `None` when cancelled. Pairs of equal modes, turned
/// against each other, are solved once, and have the directivity of both together, which is the same all around.
fn powers(
    mesh: &Mesh,
    modes: &[(f64, Mode)],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Option<Powers> {
    let is_twin = |n: usize| n > 0 && modes[n].1.is_turned(&modes[n - 1].1);
    let (mut solved, mut of) = (Vec::new(), Vec::new());
    for n in 0..modes.len() {
        if solved.is_empty() || !is_twin(n) {
            solved.push(n);
        }
        of.push(solved.len() - 1);
    }
    let frequencies_hz: Vec<f64> = solved.iter().map(|n| modes[*n].0).collect();
    let surface = RadiatingSurface {
        points: &mesh.vertices,
        triangles: &mesh.triangles,
        frequencies_hz: &frequencies_hz,
        budget_s: RADIATION_BUDGET_S,
    };
    let shape = |n: usize| {
        let mode = &modes[solved[n]].1;
        let at = |v: usize| mode.at(v / RINGS.round, v % RINGS.round, RINGS.round).to_array();
        (0..mesh.vertices.len()).map(at).collect()
    };
    let mut solved = surface.powers(&shape, progress)?;
    for pair in of.windows(2).filter(|pair| pair[0] == pair[1]) {
        let coefficients = solved.directivities[pair[0]].0.iter_mut().enumerate();
        // At l² + l are those without a turn around the axis.
        let turns = |i: usize| i != i.isqrt() * (i.isqrt() + 1);
        coefficients.filter(|(i, _)| turns(*i)).for_each(|(_, c)| *c = 0.0);
    }
    Some(Powers {
        watts: of.iter().map(|n| solved.watts[*n]).collect(),
        directivities: of.into_iter().map(|n| solved.directivities[n].clone()).collect(),
        note: solved.note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "takes seconds of all cores: `make test` runs it by itself, after the others"]
    fn the_can_has_its_modes() {
        let start = std::time::Instant::now();
        let can = bake(&mesh(), &mut |_, _| true).unwrap();
        println!(
            "{:.1} s, up to {:.0} Hz",
            start.elapsed().as_secs_f64(),
            can.frequencies_hz[MODES - 1]
        );
        assert_eq!(can.mode_count(), MODES);
    }
}
