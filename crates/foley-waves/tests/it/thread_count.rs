//! The number of threads does not change a single bit.

use crate::meshes;
use foley_waves::{ModeVelocity, NormalVelocity, Options, Surface, radiate_modes};

#[test]
fn far_fields_are_the_same_bit_for_bit_on_any_number_of_threads() {
    for (points, triangles) in [meshes::plate([0.2, 0.15], [16, 12]), meshes::sphere(0.08, 7)] {
        let surface = Surface::new(&points, &triangles).unwrap();
        let modes: Vec<ModeVelocity> = (1..12)
            .map(|m| {
                let at = |p: &[f64; 3]| (8.0 * m as f64 * p[0] + p[1]).cos();
                let shape: Vec<f64> = points.iter().map(at).collect();
                let velocity = NormalVelocity::from_normals(&surface, &shape).unwrap();
                ModeVelocity { frequency_hz: 180.0 * (m * m) as f64, velocity }
            })
            .collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| {
                let mut options = Options::default().with_budget_s(1.5);
                radiate_modes(&surface, &modes, &mut options).unwrap()
            });
            let numbers = found.modes.iter().flat_map(|mode| &mode.far_field.coefficients);
            numbers.flat_map(|c| [c.re.to_bits(), c.im.to_bits()]).collect::<Vec<u64>>()
        };
        let one = run(1);
        for threads in [2, 3, 8] {
            assert!(one == run(threads), "{threads} threads");
        }
    }
}
