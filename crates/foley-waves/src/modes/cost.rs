//! Model of the computing time, for plans that are the same on every machine.
//!
//! Measured on two cores of a server processor of 2022 with AVX2, by the ignored test
//! `plate_with_all_modes`, with a quarter to spare.

/// Seconds per triangle of the given and of the resampled surface, for the mesh; neighbouring
/// frequencies share it.
const MESH_S: f64 = 2e-6;
/// Seconds per pair of elements of open sheets, in the assembly.
const PAIR_S: f64 = 34e-9;
/// The same for closed bodies, which need derivatives of G too.
const CLOSED_PAIR_S: f64 = 80e-9;
/// Seconds per element, for near pairs.
const ELEMENT_S: f64 = 55e-6;
/// Seconds per unknown³ of the factorisation.
const FACTOR_S: f64 = 2.5e-11;
/// Seconds per unknown² and right-hand side.
const SOLVE_S: f64 = 1e-10;
/// Seconds per direction and element of the far field.
const DIRECTION_S: f64 = 10e-9;
/// Seconds per direction, unknown and field.
const FIELD_S: f64 = 1e-10;

/// Unknowns of a surface of area `area` with edges of about `edge`. Of equilateral triangles there
/// would be area/(0.87 edge²); collapsed edges come out a little longer than asked for.
pub(super) fn unknowns(area: f64, edge: f64) -> f64 {
    0.95 * area / (edge * edge)
}

/// Returns the time of making a mesh, s.
pub(super) fn mesh_s(given: usize, unknowns: f64) -> f64 {
    (given as f64 + 2.0 * unknowns) * MESH_S
}

/// Returns the time of a solve, s.
pub(super) fn solve_s(unknowns: f64, closed: bool, fields: f64, directions: f64) -> f64 {
    let elements = 2.0 * unknowns;
    let pairs = 0.5 * elements * elements;
    pairs * if closed { CLOSED_PAIR_S } else { PAIR_S }
        + elements * ELEMENT_S
        + unknowns.powi(3) * FACTOR_S
        + unknowns.powi(2) * fields * SOLVE_S
        + far_field_s(elements, unknowns, fields, directions)
}

/// Returns the time of far fields, s.
pub(super) fn far_field_s(elements: f64, rows: f64, fields: f64, directions: f64) -> f64 {
    directions * (elements * DIRECTION_S + rows * fields * FIELD_S)
}
