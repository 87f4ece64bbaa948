//! The time that the radiation of all modes of built-in meshes takes.

use foley_geometry::mesh::builtin_info;
use foley_measured::check;
use foley_modal::Material;
use foley_modal::bake::{Options, Stage, bake};
use std::time::Instant;

/// Bakes a built-in mesh with all modes up to 12 kHz and returns the time for their radiation, s.
fn seconds(name: &str, material: &str, budget_s: f64) -> f64 {
    let builtin = builtin_info(name).unwrap();
    let mesh = builtin.mesh(Default::default());
    let mut times = [None; 2];
    let mut watch = |stage: Stage, _: f64| {
        match stage {
            Stage::Radiation => _ = times[0].get_or_insert_with(Instant::now),
            Stage::Gains => _ = times[1].get_or_insert_with(Instant::now),
            _ => {}
        }
        true
    };
    let options = Options::default()
        .with_thickness_m(builtin.thickness_m.filter(|_| !builtin.closed))
        .with_max_hz(12e3)
        .with_max_modes(10_000)
        .with_radiation_budget_s(budget_s)
        .with_progress(&mut watch);
    let baked = bake(&mesh, name, Material::named(material).unwrap(), options).unwrap();
    let [begin, end] = times.map(|time| time.unwrap());
    let seconds = (end - begin).as_secs_f64();
    println!(
        "{name}: {} modes, {seconds:.1} s, {:?}",
        baked.model.mode_count(),
        baked.provenance.notes
    );
    seconds
}

#[test]
#[ignore = "measures time: cargo test -p foley-modal --test it -- --ignored --nocapture radiation_cost::"]
fn a_wok_and_a_bell_with_all_modes() {
    check!("radiation.wok_time", seconds("wok", "steel", 60.0));
    check!("radiation.bell_time", seconds("bell", "bronze", 120.0));
}
