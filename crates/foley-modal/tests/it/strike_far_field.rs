//! Radiated energy of a strike on a plate whose modes overlap: from the far field of all its modes together.

use foley_dsp::excitation::{PATIENCE_S, Striker};
use foley_geometry::constants::SOUND_SPEED_M_S;
use foley_modal::energy::{ContactPoint, EnergyBalance, KnownDecays};
use foley_modal::source::{ModelOptions, ModelSource};
use foley_waves::{Complex64, Exterior, NormalVelocity, Surface};
use std::f64::consts::{PI, TAU};

/// Frequencies at which the far field is solved, Hz.
const SOLVED_HZ: [f64; 12] =
    [60.0, 100.0, 160.0, 240.0, 340.0, 460.0, 600.0, 760.0, 920.0, 1100.0, 1300.0, 1600.0];
/// Modes to here.
const MAX_HZ: f64 = 1500.0;

/// The energy through the sphere is `1/π ∫ Σ_ij 2 W_ij(ω) q̇_i* q̇_j dω`, with the powers W_ij that the far fields of unit modal velocities
/// share (the resistance matrix is 2 W) and with the modal velocities `q̇_n = u_n F̂ iω/(ω_n² − ω² + 2iωd_n)`.
#[test]
fn overlapping_modes_radiate_together_what_the_balance_states() {
    let options = ModelOptions::default().with_material("plywood").with_max_hz(MAX_HZ);
    let source = ModelSource::parse("plate:600x400x3mm").unwrap();
    let model = source.load(&options, None).unwrap().model;
    let vibration = model.vibration.as_ref().unwrap();
    let count = model.mode_count();
    let shapes: Vec<Vec<f64>> = (0..model.point_count())
        .map(|k| vibration.mode_shapes(&model.gains_of_point(k)).collect())
        .collect();
    let surface = Surface::new(&model.points, &model.triangles).unwrap();
    let velocities: Vec<NormalVelocity> = (0..count)
        .map(|n| {
            let speeds: Vec<[f64; 3]> = shapes.iter().map(|u| [0.0, 0.0, u[n]]).collect();
            NormalVelocity::from_vectors(&surface, &speeds).unwrap()
        })
        .collect();
    println!("{count} modes, {} points", model.point_count());
    // W_ij over f² at each solved frequency.
    let solved: Vec<Vec<f64>> = SOLVED_HZ
        .iter()
        .map(|f| {
            let exterior = Exterior::new(&surface, TAU * f / SOUND_SPEED_M_S).unwrap();
            let fields = exterior.radiate(&velocities).unwrap();
            let pair = |m: usize| fields[m / count].mutual_power_w(&fields[m % count]) / (f * f);
            (0..count * count).map(pair).collect()
        })
        .collect();
    let mut together = Vec::new();
    for at_m in [[0.08, 0.05, 0.0], [0.21, 0.13, 0.0], [-0.15, 0.02, 0.0], [0.27, -0.18, 0.0]] {
        let striker = Striker::named("wooden mallet").unwrap();
        let gains = model.gains_at(at_m);
        let shape: Vec<f64> = vibration.mode_shapes(&gains).collect();
        let strike = model
            .strike(&striker, &gains, 1.0, striker.contact_restitution(), PATIENCE_S)
            .unwrap()
            .unwrap();
        let impact = strike.impact;
        let (mut all_j, mut alone_j) = (0.0, 0.0);
        // Twenty steps over the narrowest resonance.
        let step = 0.1 * model.decays.iter().copied().fold(f64::INFINITY, f64::min).max(5.0);
        let steps = (TAU * SOLVED_HZ[11] / step) as usize;
        for k in 0..steps {
            let omega = (k as f64 + 0.5) * step;
            let f = omega / TAU;
            let next = SOLVED_HZ.partition_point(|s| *s < f).clamp(1, SOLVED_HZ.len() - 1);
            let part =
                ((f - SOLVED_HZ[next - 1]) / (SOLVED_HZ[next] - SOLVED_HZ[next - 1])).max(0.0);
            let force = impact.response(omega) * impact.impulse_ns();
            let speeds: Vec<Complex64> = (0..count)
                .map(|n| {
                    let (d, omega_n) = (model.decays[n], TAU * model.frequencies_hz[n]);
                    let square = omega_n * omega_n + d * d;
                    let stiffness = Complex64::new(square - omega * omega, 2.0 * omega * d);
                    shape[n] * force * Complex64::new(0.0, omega) / stiffness
                })
                .collect();
            let power = |i: usize, j: usize| {
                let at = |solved: &Vec<f64>| solved[i * count + j];
                let w = at(&solved[next - 1]) * (1.0 - part) + at(&solved[next]) * part;
                2.0 * w * f * f * (speeds[i].conj() * speeds[j]).re * step / PI
            };
            for i in 0..count {
                alone_j += power(i, i);
                all_j += power(i, i) + (0..i).map(|j| 2.0 * power(i, j)).sum::<f64>();
            }
        }
        let place = ContactPoint { gains: &gains, direction: [0.0, 0.0, 1.0], speed_m_s: 1.0 };
        let balance =
            EnergyBalance::of_strike(&model, KnownDecays::default(), &striker, place).unwrap();
        let balance = balance.unwrap();
        let stated_j = balance.losses_j.radiation;
        println!(
            "{at_m:?}: {stated_j:.3e} J of {:.3e} J; alone × {:.4}, together × {:.4}",
            balance.striker_before_j,
            alone_j / stated_j,
            all_j / stated_j
        );
        assert!(all_j < balance.striker_before_j);
        together.push(all_j / stated_j);
    }
    for ratio in together {
        foley_measured::check!("energy.far_field_overlap", 100.0 * (ratio - 1.0).abs());
    }
}
