//! From a plan to mode shapes on a surface.

use super::choose::Plan;
use super::nearest::Nearest;
use super::{BakeError, Method, Options, Stage, middle, refine};
use crate::eigen;
use crate::fem::{self, Discrete, Elastic};
use crate::material::Material;
use crate::mesh::vector::{add, cross};
use crate::mesh::{Facts, Mesh};
use std::f64::consts::{PI, TAU};

/// The elastic modes of a body, undamped.
pub(super) struct Solved {
    pub(super) surface: Mesh,
    /// rad/s.
    pub(super) omegas: Vec<f64>,
    /// Of each mode the motion of the surface's vertices, mass-normalised, 1/√kg.
    pub(super) shapes: Vec<Vec<[f32; 3]>>,
    pub(super) mass_kg: f64,
    pub(super) unknowns: usize,
    pub(super) notes: Vec<String>,
}

/// Edges on a bending wave: what one percent takes.
const EDGES_PER_WAVE: f64 = 9.0;
/// No mesh is refined beyond this many vertices.
const REFINED: usize = 24_000;
/// Matrices, factor and vectors for each vertex of a shell, bytes.
const SHELL_BYTES: u64 = 70_000;
/// Modes by Weyl's law, with room for what it does not count.
const WEYL_MARGIN: f64 = 1.3;

pub(super) fn solve(
    mesh: &Mesh,
    facts: &Facts,
    plan: &Plan,
    material: &Material,
    options: &mut Options<'_>,
) -> Result<Solved, BakeError> {
    let elastic = Elastic::from(material);
    options.report(Stage::Elements, 0.0)?;
    match (plan.method, plan.thickness_m) {
        (Method::Solid, _) | (_, None) => todo!("solid"),
        (method, Some(t)) => wall(mesh, facts, plan, method, t, &elastic, options),
    }
}

#[allow(clippy::too_many_arguments)]
fn wall(
    mesh: &Mesh,
    facts: &Facts,
    plan: &Plan,
    method: Method,
    t: f64,
    elastic: &Elastic,
    options: &mut Options<'_>,
) -> Result<Solved, BakeError> {
    let mut notes = Vec::new();
    let waves = Waves::new(elastic, t);
    let sheet_m2 = if plan.two_sided { 0.5 * facts.area_m2 } else { facts.area_m2 };
    let highest = options.max_hz.min(WEYL_MARGIN * waves.hz_of_mode(options.max_modes, sheet_m2));
    let edge = waves.length(highest) / EDGES_PER_WAVE;
    let surface = refine::refine(mesh, edge, REFINED.max(mesh.vertices.len()));
    check_size(surface.vertices.len(), options)?;

    let (elements, thickness) = match plan.two_sided {
        false => (surface.clone(), vec![t; surface.triangles.len()]),
        true => match middle::middle(&surface, facts, t)? {
            Some(found) if options.thickness_m.is_none() => (found.mesh, found.thickness_m),
            Some(found) => {
                let count = found.mesh.triangles.len();
                (found.mesh, vec![t; count])
            }
            None => todo!("solid"),
        },
    };
    let body = match method {
        Method::SpringMass => fem::springs::discretise(&elements, elastic, &thickness)?,
        _ => fem::shell::discretise(&elements, elastic, &thickness, fem::shell::free)?,
    };
    let _ = &mut notes;
    finish(body, surface, elements, highest, notes, options)
}

fn finish(
    body: Discrete,
    surface: Mesh,
    elements: Mesh,
    highest_hz: f64,
    notes: Vec<String>,
    options: &mut Options<'_>,
) -> Result<Solved, BakeError> {
    let unknowns = body.problem.unknowns();
    let omega = body.units.omega();
    let memory_limit = options.memory_limit;
    let wanted = options.max_modes + 64;
    let mut report = |stage, done| match &mut options.progress {
        Some(progress) => progress(Stage::Solving(stage), done),
        None => true,
    };
    let mut solver =
        eigen::Options { memory_limit, progress: Some(&mut report), ..Default::default() };
    let _ = highest_hz;
    let modes = eigen::band(&body.problem, 0.0, TAU * options.max_hz / omega, wanted, &mut solver)?;
    let scale = body.units.shape();
    let carried = Carried::new(&body, &surface, &elements);
    let mut solved = Solved {
        surface,
        omegas: Vec::new(),
        shapes: Vec::new(),
        mass_kg: body.mass_kg,
        unknowns,
        notes,
    };
    for n in modes.zero_modes..modes.len() {
        solved.omegas.push(modes.omega_squared[n].max(0.0).sqrt() * omega);
        let moved = carried.displacements(modes.vector(n));
        solved.shapes.push(moved.iter().map(|u| u.map(|x| (x * scale) as f32)).collect());
    }
    Ok(solved)
}

/// Surface points that hang stiffly on the elements' vertices: u + θ × offset.
struct Carried<'a> {
    body: &'a Discrete,
    /// Of each surface point the vertex and the offset from it in natural units; `None` when
    /// the points are the vertices.
    hangs: Option<Vec<(usize, [f64; 3])>>,
}

impl<'a> Carried<'a> {
    fn new(body: &'a Discrete, surface: &Mesh, elements: &Mesh) -> Self {
        if surface.vertices == elements.vertices {
            return Self { body, hangs: None };
        }
        let length = body.units.length_m;
        let nearest = Nearest::new(&elements.vertices, length);
        let hang = |p: &[f64; 3]| {
            let vertex = nearest.to(*p);
            let q = elements.vertices[vertex];
            (vertex, [0, 1, 2].map(|a| (p[a] - q[a]) / length))
        };
        Self { body, hangs: Some(surface.vertices.iter().map(hang).collect()) }
    }

    fn displacements(&self, vector: &[f64]) -> Vec<[f64; 3]> {
        let moved = self.body.reading.displacements(vector);
        let Some(hangs) = &self.hangs else { return moved };
        let turned = self.body.turning.as_ref().map(|turning| turning.displacements(vector));
        let carry = |(vertex, offset): &(usize, [f64; 3])| match &turned {
            Some(turned) => add(moved[*vertex], cross(turned[*vertex], *offset)),
            None => moved[*vertex],
        };
        hangs.iter().map(carry).collect()
    }
}

fn check_size(vertices: usize, options: &Options<'_>) -> Result<(), BakeError> {
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

/// Bending waves in a sheet: ω = k² √(D/ρt).
struct Waves {
    /// √(D/ρt), m²/s.
    stiffness: f64,
}

impl Waves {
    fn new(elastic: &Elastic, t: f64) -> Self {
        let Elastic { young_pa, poisson, density } = *elastic;
        Self { stiffness: t * (young_pa / (12.0 * (1.0 - poisson * poisson) * density)).sqrt() }
    }

    /// λ, m.
    fn length(&self, hz: f64) -> f64 {
        TAU * (self.stiffness / (TAU * hz)).sqrt()
    }

    /// Where the n-th mode of a sheet lies: N = A k²/4π (Weyl).
    fn hz_of_mode(&self, n: usize, area_m2: f64) -> f64 {
        4.0 * PI * n as f64 / area_m2 * self.stiffness / TAU
    }
}
