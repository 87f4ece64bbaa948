//! Solves for the undamped modes of a mesh by the chosen method.

use super::method::Plan;
use super::{BakeError, Method, Options, Stage, midsurface};
use crate::fem::solid::SolidOptions;
use crate::fem::{self, Discretisation, Elastic};
use crate::material::Material;
use foley_dsp::model::MAX_GAINS;
use foley_eigen::{self as eigen, EigenError};
use foley_geometry::bvh::{Aabb, Bvh, Split};
use foley_geometry::mesh::{Measures, Mesh, coarsen, refine};
use glam::DVec3;
use std::cell::Cell;
use std::f64::consts::{PI, TAU};

/// The undamped elastic modes of a body.
pub(super) struct Solved {
    pub(super) surface: Mesh,
    /// Angular frequencies, rad/s.
    pub(super) omegas: Vec<f64>,
    /// Displacements of the surface's vertices in each mode, mass-normalised, 1/√kg.
    pub(super) shapes: Vec<Vec<[f32; 3]>>,
    /// Share of each mode's energy that heat flow damps; see `decay.rs`.
    pub(super) thermoelastic_shares: Vec<f64>,
    pub(super) mass_kg: f64,
    pub(super) unknowns: usize,
    pub(super) notes: Vec<String>,
}

/// Edges per bending wavelength for an error of 1 % in frequency.
const EDGES_PER_WAVE: f64 = 9.0;
/// Modes with fewer edges per bending wavelength are inaccurate and dropped.
const LEAST_EDGES_PER_WAVE: f64 = 6.0;
/// Most vertices after refinement.
const REFINED: usize = 24_000;
/// Vertices per wanted mode. Weyl's law gives about 40; thin strips and folds need more.
const VERTICES_PER_MODE: usize = 100;
/// Memory of matrices, factor and vectors per vertex of a shell, bytes.
const SHELL_BYTES: u64 = 70_000;
/// The same per unknown of a solid, bytes.
const SOLID_BYTES: u64 = 30_000;
/// Fewest sampled points on the surface of a solid.
const SURFACE_POINTS: usize = 4_000;
/// Most of them: enough for every wave that the cells resolve.
const MOST_POINTS: usize = 40_000;
/// Rigid-body modes of each piece.
const RIGID: usize = 6;
/// Margin on the estimated lowest mode of a solid, above which it is not solved: of bodies of
/// uneven thickness the estimate is too high.
const SILENT_MARGIN: f64 = 100.0;
/// Margin on the frequency of the n-th mode by Weyl's law, which ignores boundaries.
const WEYL_MARGIN: f64 = 1.3;

pub(super) fn solve(
    mesh: &Mesh,
    facts: &Measures,
    plan: &mut Plan,
    material: &Material,
    options: &mut Options<'_>,
) -> Result<Solved, BakeError> {
    let elastic = Elastic::from(material);
    options.report(Stage::Elements, 0.0)?;
    if let Some(t) = plan.thickness_m
        && let Some(solved) = solve_shell(mesh, facts, plan, t, &elastic, options)?
    {
        return Ok(solved);
    }
    solve_solid(mesh, facts, plan, &elastic, options)
}

/// Solves by shells or springs; `None` when the two sides of the wall cannot be separated.
fn solve_shell(
    mesh: &Mesh,
    facts: &Measures,
    plan: &Plan,
    t: f64,
    elastic: &Elastic,
    options: &mut Options<'_>,
) -> Result<Option<Solved>, BakeError> {
    let waves = Waves::new(elastic, t);
    let sheet_m2 = if plan.two_sided { 0.5 * facts.area_m2 } else { facts.area_m2 };
    let wanted = options.max_modes + RIGID * facts.pieces;
    let highest = options.max_hz.min(WEYL_MARGIN * waves.hz_of_mode(wanted, sheet_m2));
    let edge = waves.length(highest) / EDGES_PER_WAVE;
    let sides = if plan.two_sided { 2 } else { 1 };
    check_size(mesh.vertices.len() / sides, options)?;
    let affordable = (options.memory_limit / SHELL_BYTES) as usize;
    let useful = VERTICES_PER_MODE * (options.max_modes + RIGID);
    let most = (sides * REFINED.min(affordable).min(useful)).max(mesh.vertices.len());
    let surface = refine(mesh, edge, most);
    options.report(Stage::Elements, 0.1)?;

    let (elements, thickness) = match plan.two_sided {
        false => (surface.clone(), vec![t; surface.triangles.len()]),
        true => {
            let Some(found) = midsurface::extract(&surface, facts, t)? else { return Ok(None) };
            let count = found.mesh.triangles.len();
            let measured = options.thickness_m.is_none();
            (found.mesh, if measured { found.thickness_m } else { vec![t; count] })
        }
    };
    let carried = |edge_m: f64| waves.hz_of_wave(LEAST_EDGES_PER_WAVE * edge_m);
    if let Some(hz) = fem::mean_edge(&elements).map(carried).filter(|hz| *hz < options.min_hz) {
        let reason = format!("its mesh carries bending waves up to {hz:.2} Hz only");
        return Err(below_band(reason, options));
    }
    let watch = &mut |part: f64| options.report(Stage::Elements, 0.2 + 0.8 * part).is_ok();
    let body = match plan.method {
        Method::SpringMass => {
            fem::mass_spring::discretise_watched(&elements, elastic, &thickness, watch)?
        }
        _ => {
            let free = fem::shell::free;
            fem::shell::discretise_watched(&elements, elastic, &thickness, free, watch)?
        }
    };
    let resolved = waves.hz_of_wave(LEAST_EDGES_PER_WAVE * body.units.length_m);
    let mut notes = body.notes.clone();
    if resolved < highest {
        notes.push(format!(
            "the mesh carries waves up to {resolved:.0} Hz; modes above are left out: refine it or \
             allow more memory"
        ));
    }
    let (scale, links) = (body.units.shape(), RigidLinks::new(&body, &surface, &elements));
    let curvature = body.rotation.as_ref().map(|rotation| {
        (rotation, fem::shell::MeanCurvature::new(&elements, elastic, &thickness, t, &body))
    });
    let read = |vector: &[f64], omega_squared: f64| {
        let moved = body.displacement.displacements(vector);
        let Some((rotation, curvature)) = &curvature else {
            return (links.displacements(moved, None), 1.0);
        };
        let rotations = rotation.displacements(vector);
        let share = curvature.share(&moved, &rotations, omega_squared);
        (links.displacements(moved, Some(&rotations)), share)
    };
    let counts = [surface.vertices.len(), facts.pieces];
    let Found { omegas, shapes, thermoelastic_shares } =
        modes(&body.problem, [body.units.omega(), scale], resolved, counts, read, options)?;
    let (mass_kg, unknowns) = (body.mass_kg, body.problem.unknowns());
    let solved = Solved { surface, omegas, shapes, thermoelastic_shares, mass_kg, unknowns, notes };
    Ok(Some(solved))
}

/// Solves by finite cells.
fn solve_solid(
    mesh: &Mesh,
    facts: &Measures,
    plan: &mut Plan,
    elastic: &Elastic,
    options: &mut Options<'_>,
) -> Result<Solved, BakeError> {
    if plan.method != Method::Solid {
        plan.reason += ", but its two sides cannot be told apart everywhere";
        (plan.method, plan.thickness_m) = (Method::Solid, None);
    }
    let max_unknowns = (options.memory_limit / SOLID_BYTES) as usize;
    // The volume of an open mesh is estimated as half its bounding box.
    let [low, high] = facts.bounds_m;
    let around: f64 = (0..3).map(|a| high[a] - low[a]).product();
    let volume = facts.volume_m3.unwrap_or(0.5 * around).abs();
    let wanted = options.max_modes + RIGID * facts.pieces;
    let highest = options.max_hz.min(WEYL_MARGIN * hz_of_mode(wanted, volume, elastic));
    if highest < options.min_hz {
        let reason = format!("its {} lowest modes ring below {highest:.2} Hz", options.max_modes);
        return Err(below_band(reason, options));
    }
    if facts.area_m2 > 0.0 {
        let lowest_hz = bending_hz(2.0 * volume / facts.area_m2, facts.size_m, elastic);
        if lowest_hz > SILENT_MARGIN * options.max_hz {
            let lowest = format!("about {:.0} kHz", lowest_hz / 1e3);
            let Options { min_hz, max_hz, .. } = *options;
            return Err(BakeError::Silent { min_hz, max_hz, lowest });
        }
    }
    let cells = SolidOptions {
        max_hz: highest,
        max_unknowns: max_unknowns.min(SolidOptions::default().max_unknowns),
        cell_m: None,
    };
    let watch = &mut |part: f64| options.report(Stage::Elements, 0.1 + 0.8 * part).is_ok();
    let body = fem::solid::discretise_watched(mesh, elastic, &cells, watch)?;
    let mut notes = body.notes.clone();
    // Fine enough to sample the waves that the cells resolve.
    let edge = body.cell_m.into_iter().fold(f64::INFINITY, f64::min);
    let surface = if mesh.vertices.len() > MOST_POINTS {
        notes.push(format!(
            "the gains are those of about {MOST_POINTS} of the {} vertices",
            mesh.vertices.len()
        ));
        coarsen(mesh, facts, MOST_POINTS)
    } else {
        let most = SURFACE_POINTS.max(mesh.vertices.len());
        refine(mesh, edge.max(facts.size_m / 100.0), most)
    };
    options.report(Stage::Elements, 0.9)?;
    let interpolation = body.at(&surface.vertices);
    let read = |vector: &[f64], _| (interpolation.displacements(vector), 0.0);
    let counts = [surface.vertices.len(), body.bodies];
    let Found { omegas, shapes, thermoelastic_shares } =
        modes(&body.problem, [1.0; 2], highest, counts, read, options)?;
    let (mass_kg, unknowns) = (body.mass_kg, body.problem.unknowns());
    Ok(Solved { surface, omegas, shapes, thermoelastic_shares, mass_kg, unknowns, notes })
}

/// Modes as they are found, in SI units.
#[derive(Default)]
struct Found {
    omegas: Vec<f64>,
    /// Displacements of all surface points in each mode.
    shapes: Vec<Vec<[f32; 3]>>,
    thermoelastic_shares: Vec<f64>,
}

/// Returns all elastic modes below the highest frequency that is wanted and resolved. `read` returns the
/// displacements and the thermoelastic share for a vector and ω² of the problem. `unit` and `scale` convert angular frequencies and displacements of the
/// problem to SI. `points` are sampled for each mode; `bodies` is the number of free bodies.
fn modes(
    problem: &eigen::Problem,
    [unit, scale]: [f64; 2],
    resolved_hz: f64,
    [points, bodies]: [usize; 2],
    read: impl Fn(&[f64], f64) -> (Vec<[f64; 3]>, f64),
    options: &mut Options<'_>,
) -> Result<Found, BakeError> {
    let memory_limit = options.memory_limit;
    let highest = TAU * options.max_hz.min(resolved_hz) / unit;
    let wanted = options.max_modes + RIGID * bodies;
    // Shapes and gains of all modes are held at once.
    let affordable = (memory_limit / 24).min(MAX_GAINS as u64 / 3) as usize / points.max(1);
    let full = Cell::new(false);
    let mut report = |stage, done| match &mut options.progress {
        _ if full.get() => false,
        Some(progress) => progress(Stage::Solving(stage), done),
        None => true,
    };
    let mut solver =
        eigen::Options::default().with_memory_limit(memory_limit).with_progress(&mut report);
    let mut modes = Found::default();
    let solved = eigen::band_each(problem, 0.0, highest, wanted, &mut solver, |found| {
        for n in found.zero_modes..found.len() {
            if modes.omegas.len() >= affordable {
                full.set(true);
                return;
            }
            let omega_squared = found.omega_squared[n].max(0.0);
            let (moved, share) = read(found.vector(n), omega_squared);
            modes.omegas.push(omega_squared.sqrt() * unit);
            modes.shapes.push(moved.iter().map(|u| u.map(|x| (x * scale) as f32)).collect());
            modes.thermoelastic_shares.push(share);
        }
    });
    match solved {
        _ if full.get() => Err(BakeError::TooManyGains { modes: affordable, points }),
        // Far below the lowest elastic mode, rigid-body modes are lost in rounding.
        Err(EigenError::NotConverged { wanted, .. }) if wanted <= RIGID * bodies => {
            Ok(Found::default())
        }
        solved => Ok(solved.map(|()| modes)?),
    }
}

/// Rigid links from surface points to the vertices of elements: u + θ × offset.
struct RigidLinks {
    /// Vertex and offset of each surface point, in the problem's unit of length; `None` when the
    /// points are the vertices.
    links: Option<Vec<(usize, DVec3)>>,
}

impl RigidLinks {
    fn new(body: &Discretisation, surface: &Mesh, elements: &Mesh) -> Self {
        if surface.vertices == elements.vertices {
            return Self { links: None };
        }
        let length = body.units.length_m;
        let vertex = |k: u32| DVec3::from(elements.vertices[k as usize]);
        let order = (0..elements.vertices.len() as u32).collect();
        let tree = Bvh::new(order, 4, Split::Median, |k| Aabb::from_points([vertex(k)]));
        let link = |p: &[f64; 3]| {
            let (p, mut nearest) = (DVec3::from(*p), (f64::INFINITY, 0));
            tree.nearest(p, &mut |leaf, _| {
                for &k in &tree.order()[leaf] {
                    let found = (p.distance_squared(vertex(k)), k);
                    nearest = if found < nearest { found } else { nearest };
                }
                nearest.0
            });
            (nearest.1 as usize, (p - vertex(nearest.1)) / length)
        };
        Self { links: Some(surface.vertices.iter().map(link).collect()) }
    }

    /// Returns the displacements of the surface points from those and the rotations of the vertices.
    fn displacements(&self, moved: Vec<[f64; 3]>, rotations: Option<&[[f64; 3]]>) -> Vec<[f64; 3]> {
        let Some(links) = &self.links else { return moved };
        let displacement = |(vertex, offset): &(usize, DVec3)| match rotations {
            Some(rotations) => {
                let rotation = DVec3::from(rotations[*vertex]);
                (DVec3::from(moved[*vertex]) + rotation.cross(*offset)).to_array()
            }
            None => moved[*vertex],
        };
        links.iter().map(displacement).collect()
    }
}

/// Returns the error of a body whose modes all lie below the band, found before a search that would
/// return none of them.
fn below_band(reason: String, options: &Options<'_>) -> BakeError {
    let Options { min_hz, max_hz, .. } = *options;
    BakeError::BelowBand { min_hz, max_hz, reason }
}

pub(super) fn check_size(vertices: usize, options: &Options<'_>) -> Result<(), BakeError> {
    let needed = vertices as u64 * SHELL_BYTES;
    if needed <= options.memory_limit {
        return Ok(());
    }
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    Err(BakeError::TooLarge {
        vertices,
        needed_gib: gib(needed),
        limit_gib: gib(options.memory_limit),
        advised: (options.memory_limit / SHELL_BYTES) as usize / 1000 * 1000,
    })
}

/// Returns the frequency of the n-th mode of a solid by Weyl's law, Hz:
/// N = V ω³/6π² (1/c_l³ + 2/c_t³). Modes of rods and sheets lie lower.
fn hz_of_mode(n: usize, volume_m3: f64, elastic: &Elastic) -> f64 {
    let [lambda, mu] = elastic.lame();
    let slowness = |stiffness: f64| (elastic.density / stiffness).powf(1.5);
    let sum = slowness(lambda + 2.0 * mu) + 2.0 * slowness(mu);
    (6.0 * PI * PI * n as f64 / (volume_m3 * sum)).cbrt() / TAU
}

/// Returns an estimate of the lowest frequency of a body of this mean wall (twice its volume over its area)
/// and size: that of a free square plate, f = 13.5 / (2π L²) · √(D/(ρt)) (Leissa 1969).
fn bending_hz(wall_m: f64, size_m: f64, elastic: &Elastic) -> f64 {
    13.5 / (TAU * size_m * size_m) * elastic.bending(wall_m)
}

/// Bending waves in a sheet: ω = k² √(D/ρt).
struct Waves {
    /// √(D/ρt), m²/s.
    stiffness: f64,
}

impl Waves {
    fn new(elastic: &Elastic, t: f64) -> Self {
        Self { stiffness: elastic.bending(t) }
    }

    /// Returns the wavelength λ, m.
    fn length(&self, hz: f64) -> f64 {
        TAU * (self.stiffness / (TAU * hz)).sqrt()
    }

    /// Returns the frequency of a wave of this length, Hz.
    fn hz_of_wave(&self, length: f64) -> f64 {
        (TAU / length).powi(2) * self.stiffness / TAU
    }

    /// Returns the frequency of the n-th mode of a sheet, Hz: N = A k²/4π (Weyl's law).
    fn hz_of_mode(&self, n: usize, area_m2: f64) -> f64 {
        4.0 * PI * n as f64 / area_m2 * self.stiffness / TAU
    }
}
