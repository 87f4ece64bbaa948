//! Loss factors of struck bodies against published ones.

use foley_measured::check;
use foley_modal::{Material, Shape, ShapeOptions};
use std::f64::consts::PI;

/// Returns the median loss factor of the modes of a shape, without what they radiate.
fn loss_factor(shape: &str, material: &str) -> f64 {
    let shape: Shape = shape.parse().unwrap();
    let options = ShapeOptions::default().with_max_hz(10e3).with_radiation_budget_s(0.0);
    let modes = shape.modes(Material::named(material).unwrap(), &options).unwrap();
    let own = modes.decays().zip(modes.radiation_decays()).map(|(d, radiated)| d - radiated);
    let mut factors: Vec<f64> =
        modes.frequencies_hz().zip(own).map(|(f, d)| d / (PI * f)).collect();
    factors.sort_by(f64::total_cmp);
    factors[factors.len() / 2]
}

/// Cremer, Heckl & Petersson, *Structure-Borne Sound*: glass in bending, 0.6 to 2e-3.
#[test]
fn panes_lose_what_is_published() {
    let eta = loss_factor("plate:400x300x4mm", "soda-lime-glass");
    println!("glass: {eta:.2e}");
    check!("decays.glass", eta / (0.6e-3 * 2e-3_f64).sqrt());
}

/// C. F. Walton & T. J. Opar, *Iron Castings Handbook* (1981), relative damping capacity: the logarithmic decrement of grey iron with
/// fine flakes is 20 to 100e-4 (coarse ones 100 to 500e-4, eutectoid steel 4e-4), and η the decrement over π.
#[test]
fn cast_iron_loses_what_is_published() {
    let eta = loss_factor("bar:300x30x20mm", "cast-iron");
    println!("cast iron: {eta:.2e}");
    check!("decays.cast_iron", eta * PI / (20e-4 * 100e-4_f64).sqrt());
}
