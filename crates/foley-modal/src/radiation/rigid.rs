//! Acceleration noise of bodies of any shape: two poles between closed limits.
//!
//! Between acceleration and pressure lie two poles ([`RigidRadiation`]). Two of their three numbers are limits that need no
//! solve: short waves leave each element by itself, `∫ (n·e)² dS`; long waves know only the volume V of the body and its added
//! mass ρ V_a. That of the ellipsoid with the same proportions is known (Lamb, *Hydrodynamics*, §114),
//!
//! ```text
//! V_a/V = α/(2 − α),   α_x = abc ∫₀^∞ dλ / ((a² + λ) √((a² + λ)(b² + λ)(c² + λ)))
//! ```
//!
//! and its size follows from the added mass of cubes and plates. The third, the damping, follows the proportions: ζ = 1/√2 is
//! that of the sphere; a broad face has a smaller ζ, a long body that moves along itself a larger one. Boundary elements for boxes and cylinders give `ζ = r^{1/4}/√2`, with r the side along the motion over the geometric mean
//! of the others. So a mesh costs one pass over its triangles instead of exterior solves at several frequencies; a test
//! compares with those (`tests/it/rigid_radiation.rs`).

use foley_dsp::excitation::RigidRadiation;
use foley_geometry::constants::{AIR_DENSITY_KG_M3, AIR_IMPEDANCE_PA_S_M, SOUND_SPEED_M_S};
use foley_geometry::mesh::Mesh;
use foley_geometry::vector::{area_vector, bounds};
use glam::DVec3;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::Shape;
use crate::shape::{Section, Solid};

/// Semi-axes of the ellipsoid over the sides of a body that is flat, and of one that is as thick as wide: so that a square plate
/// has the added mass 0.579 (π/4) ρL³, and a cube 0.68 ρL³ (DNV-RP-H103, *Modelling and Analysis of Marine Operations*,
/// table A-2).
const EDGED: [f64; 2] = [0.555, 0.687];
/// The same for discs and cylinders.
const ROUND: [f64; 2] = [0.5, 0.56];

/// Range of ζ.
const DAMPING: [f64; 2] = [0.3, 0.95];

/// Returns the radiation along x, y and z of a body with these sides that displaces a volume, with ∫ n² dS for each direction.
fn of_extents(
    sides_m: [f64; 3],
    fill: [f64; 2],
    volume_m3: f64,
    squares_m2: [f64; 3],
) -> [RigidRadiation; 3] {
    let longest = sides_m.iter().copied().fold(0.0, f64::max);
    // Flat bodies have an added mass, but the integral needs a thickness.
    let sides_m = sides_m.map(|side| side.max(1e-4 * longest));
    std::array::from_fn(|i| {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        let thick = (sides_m[i] / sides_m[j].min(sides_m[k])).min(1.0);
        let scale = fill[0] + (fill[1] - fill[0]) * thick.sqrt();
        let ellipsoid_m3 = 4.0 / 3.0 * PI * scale.powi(3) * sides_m.iter().product::<f64>();
        let volume = volume_m3 + added_volume(sides_m, i) * ellipsoid_m3;
        let ratio = sides_m[i] / (sides_m[j] * sides_m[k]).sqrt();
        let damping = (FRAC_1_SQRT_2 * ratio.powf(0.25)).clamp(DAMPING[0], DAMPING[1]);
        of_limits(volume, squares_m2[i].max(1e-6 * longest * longest), damping)
    })
}

/// Returns the two poles between the limits of long waves, with the volume of body and added mass, and of short waves,
/// with ∫ n² dS.
fn of_limits(volume_m3: f64, squares_m2: f64, damping: f64) -> RigidRadiation {
    let gain_pa = AIR_IMPEDANCE_PA_S_M * (squares_m2 / (4.0 * PI)).sqrt();
    let long = AIR_DENSITY_KG_M3 * volume_m3 / (4.0 * PI * 3f64.sqrt() * SOUND_SPEED_M_S);
    RigidRadiation { gain_pa, omega: (gain_pa / long).sqrt(), damping }
}

/// Returns V_a/V of an ellipsoid along one of its axes.
fn added_volume(axes: [f64; 3], along: usize) -> f64 {
    let squares = axes.map(|axis| axis * axis);
    let [j, k] = [(along + 1) % 3, (along + 2) % 3];
    let alpha = 2.0 / 3.0
        * axes.iter().product::<f64>()
        * carlson_rd(squares[j], squares[k], squares[along]);
    alpha / (2.0 - alpha)
}

/// Returns Carlson's symmetric integral `R_D(x, y, z) = (3/2) ∫₀^∞ dt / ((t + z) √((t + x)(t + y)(t + z)))` by duplication
/// (*Numer. Math.* 33, 1 (1979)).
fn carlson_rd(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    let (mut sum, mut factor) = (0.0, 1.0);
    for _ in 0..60 {
        let mean = (x + y + 3.0 * z) / 5.0;
        if [x, y, z].iter().all(|v| (v / mean - 1.0).abs() < 1e-4) {
            break;
        }
        let lambda = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        sum += factor / (z.sqrt() * (z + lambda));
        factor *= 0.25;
        (x, y, z) = (0.25 * (x + lambda), 0.25 * (y + lambda), 0.25 * (z + lambda));
    }
    let mean = (x + y + 3.0 * z) / 5.0;
    3.0 * sum + factor / (mean * mean.sqrt())
}

/// Returns the radiation of a solid.
pub fn of_solid(solid: Solid) -> [RigidRadiation; 3] {
    let volume = solid.volume_m3();
    match solid {
        Solid::Ball { diameter_m } => [RigidRadiation::sphere(0.5 * diameter_m); 3],
        Solid::Box { sides_m } => of_box(sides_m),
        Solid::Cylinder { length_m, diameter_m } => of_cylinder(length_m, diameter_m, 2),
        Solid::Ring { diameter_m, wire_m } => {
            // Across its plane a ring is a long bent rod; within it, half of each element is struck along itself.
            let length = PI * diameter_m;
            let (round, area) = (volume * 2.0, 0.5 * PI * wire_m * length);
            let within = of_limits(1.5 * volume, 0.5 * area, FRAC_1_SQRT_2);
            [within, within, of_limits(round, area, FRAC_1_SQRT_2)]
        }
    }
}

/// Returns the radiation of an analytic shape.
pub fn of_shape(shape: &Shape) -> [RigidRadiation; 3] {
    match shape {
        Shape::Bar(bar) => match bar.section() {
            Section::Rectangle { width, thickness } => of_box([bar.length(), width, thickness]),
            Section::Round { diameter } => of_cylinder(bar.length(), diameter, 0),
        },
        Shape::Plate(plate) => of_box([plate.length(), plate.width(), plate.thickness()]),
        Shape::Disc(disc) => of_cylinder(disc.thickness(), disc.diameter(), 2),
        Shape::Membrane(membrane) => of_cylinder(0.0, membrane.diameter(), 2),
        Shape::String(string) => of_cylinder(string.length(), string.diameter(), 0),
    }
}

fn of_box(sides_m: [f64; 3]) -> [RigidRadiation; 3] {
    let [x, y, z] = sides_m;
    of_extents(sides_m, EDGED, x * y * z, [2.0 * y * z, 2.0 * z * x, 2.0 * x * y])
}

fn of_cylinder(length_m: f64, diameter_m: f64, axis: usize) -> [RigidRadiation; 3] {
    let radius = 0.5 * diameter_m;
    let mut sides = [diameter_m; 3];
    let mut squares = [PI * radius * length_m; 3];
    (sides[axis], squares[axis]) = (length_m, 2.0 * PI * radius * radius);
    of_extents(sides, ROUND, PI * radius * radius * length_m, squares)
}

/// Returns the radiation of a mesh along its axes, closed or a sheet with air on both sides. A body that lies obliquely to its
/// axes has the extents of its bounding box.
pub fn of_mesh(mesh: &Mesh, enclosed_m3: Option<f64>) -> [RigidRadiation; 3] {
    let corners = mesh.vertices.iter().map(|&p| p.into());
    let [low, high] = bounds(corners).unwrap_or_default();
    let mut squares = DVec3::ZERO;
    for triangle in &mesh.triangles {
        let area = area_vector(triangle.map(|k| mesh.vertices[k as usize].into()));
        let length = area.length();
        if length > 0.0 {
            squares += area * area / length;
        }
    }
    let sides = if enclosed_m3.is_some() { 1.0 } else { 2.0 };
    let extents = high - low;
    // What an open shell holds moves with it.
    let hull_m3 = PI / 6.0 * extents.element_product();
    of_extents(
        extents.to_array(),
        ROUND,
        // Of a mesh inside out it is negative.
        enclosed_m3.map_or(hull_m3, f64::abs),
        (squares * sides).to_array(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moment integrals of ellipsoids: spheres, discs, long cylinders, and α_x + α_y + α_z = 2.
    #[test]
    fn added_masses_of_ellipsoids_are_those_of_lamb() {
        assert!((added_volume([2.0; 3], 0) - 0.5).abs() < 1e-9);
        let long = [1e4, 1.0, 1.0];
        assert!((added_volume(long, 1) - 1.0).abs() < 1e-4 && added_volume(long, 0) < 1e-6);
        // A disc: 8/3 a³ over 4/3 π a² c.
        let disc = added_volume([1.0, 1.0, 1e-4], 2) * 1e-4;
        assert!((disc / (2.0 / PI) - 1.0).abs() < 1e-3, "{disc}");
        let alpha =
            |i| 2.0 * added_volume([1.0, 2.0, 5.0], i) / (1.0 + added_volume([1.0, 2.0, 5.0], i));
        assert!((alpha(0) + alpha(1) + alpha(2) - 2.0).abs() < 1e-9);
    }
}
