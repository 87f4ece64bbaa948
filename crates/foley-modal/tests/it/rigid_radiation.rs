//! Acceleration noise of bodies of any shape: two poles against boundary elements.

use foley_dsp::excitation::RigidRadiation;
use foley_geometry::constants::SOUND_SPEED_M_S;
use foley_geometry::mesh::Mesh;
use foley_measured::check;
use foley_modal::radiation::pressure_of_power;
use foley_modal::radiation::rigid::{of_mesh, of_solid};
use foley_modal::shape::Solid;
use foley_waves::{Options, Surface, radiate_rigid_body};
use std::f64::consts::PI;

/// Returns the greatest errors in dB against exterior solves: of the directions within 6 dB of the loudest, and of those within
/// 16 dB.
fn errors_db(name: &str, mesh: &Mesh, found: [RigidRadiation; 3]) -> [f64; 2] {
    let surface = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
    let radius_m = surface.radius_m();
    let all: Vec<f64> =
        [0.3, 1.0, 2.0, 4.0].map(|ka| ka * SOUND_SPEED_M_S / (2.0 * PI * radius_m)).into();
    let mut options = Options::default().with_budget_s(20.0);
    let solved = radiate_rigid_body(&surface, surface.center(), &all, &mut options).unwrap();
    assert_eq!(solved.len(), all.len(), "{name}");
    let strongest = found.iter().map(|axis| axis.gain_pa).fold(0.0, f64::max);
    let mut worst = [0.0; 2];
    for (axis, found) in found.iter().enumerate() {
        // Thin edges are moved along themselves: they are silent.
        if found.gain_pa < 0.16 * strongest {
            continue;
        }
        let error = |answer: &foley_waves::RigidRadiation| {
            let truth = pressure_of_power(answer.far_fields[axis].power_w());
            20.0 * (found.response(2.0 * PI * answer.frequency_hz).norm() / truth).log10()
        };
        let errors: Vec<f64> = solved.iter().map(error).collect();
        println!("{name}, axis {axis}: {errors:.1?}");
        let kind = usize::from(found.gain_pa < 0.5 * strongest);
        worst[kind] = errors.iter().fold(worst[kind], |worst: f64, e| worst.max(e.abs()));
    }
    worst
}

#[test]
fn two_poles_are_near_the_exterior_solution() {
    let solid = |text: &str| {
        let solid: Solid = text.parse().unwrap();
        errors_db(text, &solid.mesh(), of_solid(solid))
    };
    let solids = ["box:20x20x20mm", "box:60x40x20mm", "cylinder:10x60mm", "cylinder:60x30mm"];
    let mut all = solids.map(solid).to_vec();
    for [faces, _] in &all {
        check!("click.solids", *faces);
    }
    let plate = Solid::Box { sides_m: [0.2, 0.15, 0.004] };
    let plate = errors_db("plate", &plate.mesh(), of_solid(plate));
    check!("click.plate", plate[0]);
    let can: Solid = "cylinder:100x80mm".parse().unwrap();
    let mut cup = can.mesh();
    let top = |p: &[f64; 3]| p[2] > 0.05 - 1e-9;
    cup.triangles.retain(|t| !t.iter().all(|k| top(&cup.vertices[*k as usize])));
    let cup = errors_db("cup", &cup, of_mesh(&cup, None));
    check!("click.cup", cup[0]);
    all.extend([plate, cup]);
    check!("click.edges", all.iter().map(|[_, weak]| *weak).fold(0.0, f64::max));
}
