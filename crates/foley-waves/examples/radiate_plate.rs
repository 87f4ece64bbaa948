//! Power that modes of an unbaffled rectangular plate radiate, one line of JSON per mode and wave
//! number: what `benches/bempp_radiation.py` compares.
//!
//!     radiate_plate LENGTH WIDTH CELLS CELLS M N K [K …]
//!
//! M = N = 0 is the rigid translation.

use foley_waves::{Exterior, NormalVelocity, Surface};
use std::f64::consts::PI;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<f64> =
        std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let [a, b, nx, ny, m, n, wave_numbers @ ..] = &numbers[..] else {
        return Err("usage: radiate_plate LENGTH WIDTH CELLS CELLS M N K [K …]".into());
    };
    let (cells_x, cells_y) = (*nx as u32, *ny as u32);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for j in 0..=cells_y {
        for i in 0..=cells_x {
            points.push([a * f64::from(i) / nx, b * f64::from(j) / ny, 0.0]);
            if i < cells_x && j < cells_y {
                let corner = j * (cells_x + 1) + i;
                let [q, r, s] = [corner + 1, corner + cells_x + 2, corner + cells_x + 1];
                triangles.extend([[corner, q, r], [corner, r, s]]);
            }
        }
    }
    let shape = |p: &[f64; 3]| match m + n > 0.0 {
        true => (m * PI * p[0] / a).sin() * (n * PI * p[1] / b).sin(),
        false => 1.0,
    };
    let shape: Vec<f64> = points.iter().map(shape).collect();
    let surface = Surface::new(&points, &triangles)?;
    let velocity = [NormalVelocity::from_normals(&surface, &shape)?];
    for k in wave_numbers {
        let fields = Exterior::new(&surface, *k)?.radiate(&velocity)?;
        println!(r#"{{"m": {m}, "n": {n}, "k": {k}, "power_w": {:e}}}"#, fields[0].power_w());
    }
    Ok(())
}
