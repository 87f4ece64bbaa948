//! The time that all modes of a plate take.

use crate::{meshes, mode_sets::plate_modes};
use foley_measured::check;
use foley_waves::{Options, Surface, radiate_modes};

/// Plates of 0.3 m with all modes up to 12 kHz, by default and with four times the budget.
#[test]
#[ignore = "measures time: cargo test -p foley-waves --test it -- --ignored --nocapture modes_cost::"]
fn plates_with_all_modes() {
    let size = [0.3, 0.3];
    let (points, triangles) = meshes::plate(size, [90, 90]);
    let surface = Surface::new(&points, &triangles).unwrap();
    for thickness in [1e-3, 2e-3] {
        let modes = plate_modes(&surface, &points, size, thickness, 12_000.0);
        let [usual, longer] = [15.0, 60.0].map(|budget| {
            let mut options = Options::default().with_budget_s(budget);
            let found = radiate_modes(&surface, &modes, &mut options).unwrap();
            println!("{} modes of {thickness} m, budget {budget} s\n{}", modes.len(), found.report);
            found
        });
        let pairs = usual.modes.iter().zip(&longer.modes);
        let mut db: Vec<f64> =
            pairs.map(|(a, b)| (10.0 * (a.power_w / b.power_w).log10()).abs()).collect();
        db.sort_by(f64::total_cmp);
        let at = |part: f64| db[(part * (db.len() - 1) as f64) as usize];
        println!("15 s against 60 s: median {:.2} dB, 95 % within {:.2} dB", at(0.5), at(0.95));
        check!("radiation.plate_default_error", at(0.5));
        assert!(at(0.95) < 2.5, "{}", at(0.95));
        check!("radiation.plate_default", usual.report.seconds);
        check!("radiation.plate_time", longer.report.seconds);
    }
}
