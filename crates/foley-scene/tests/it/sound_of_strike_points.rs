//! The strike point decides which modes sound: the two throws of the demo `cylinder`, as in \[LS\]
//! Fig. 5. Only the table sounds, so that its spectra can be compared.

use crate::common;

use common::sound::{ahead, db, exact, prepared};
use foley_dsp::excitation::{Approach, HertzPair, PATIENCE_S, PointMobility};
use foley_dsp::model::ModalModel;
use foley_geometry::constants::SOUND_SPEED_M_S;
use foley_physics::{Event, Impact};
use foley_scene::sonify::{Rendered, SceneEvent, render};
use glam::DVec3;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Impacts of a throw within this time of the first are part of it, s: both ends touch down.
const TOUCHDOWN_S: f64 = 0.03;
/// Length of the analysis after that, s: the cylinder is in the air.
const LISTEN_S: f64 = 0.08;
/// Above this, contacts are too slow to excite much, Hz.
const HIGHEST_HZ: f64 = 3000.0;
/// Modes that are predicted further below the loudest are not compared, dB.
const AUDIBLE_DB: f64 = 30.0;

struct Throws {
    rendered: Rendered,
    model: Arc<ModalModel>,
    /// The first impacts of each throw on the table.
    touchdowns: [Vec<Impact>; 2],
    /// Time of flight from the table to the listener, s.
    flight_s: f64,
    /// The contact of table and cylinder, and its restitution.
    pair: HertzPair,
    restitution: f64,
}

fn throws() -> Throws {
    let mut scene = foley_scene::demos::named("cylinder").unwrap().scene().unwrap();
    scene.seconds = 4.0;
    // The prediction has neither directions nor touches.
    (scene.directivity, scene.support_damping) = (false, false);
    for object in &mut scene.objects {
        object.silent = object.name != "table";
    }
    let number = |name: &str| scene.objects.iter().position(|o| o.name == name).unwrap();
    let (table, cylinders) = (number("table"), ["on the middle", "on the edge"].map(number));
    let scene = Arc::new(scene);
    let prepared = prepared(&scene);
    let model = prepared.objects[table].model.clone().unwrap();
    let rendered = render(&scene, &prepared, &exact(), &mut |_| true).unwrap().unwrap();
    let touchdowns = cylinders.map(|cylinder| {
        let pair = [table as u32, cylinder as u32];
        let of = |event: &SceneEvent| match event {
            SceneEvent::Physics(Event::Impact(hit)) if hit.bodies == pair => Some(*hit),
            _ => None,
        };
        let hits: Vec<Impact> = rendered.events.iter().filter_map(of).collect();
        let first_s = hits[0].at_s;
        hits.into_iter().filter(|hit| hit.at_s < first_s + TOUCHDOWN_S).collect()
    });
    let centre_m = scene.objects[table].pose.apply(prepared.objects[table].mass.centre_m);
    let away_m = DVec3::from(centre_m).distance(scene.listener.position_m.into());
    let body = |object: usize| &prepared.objects[object].contact_body;
    let pair = HertzPair::of_bodies(body(table), body(cylinders[0])).unwrap();
    let of = |object: usize| scene.objects[object].restitution;
    let restitution = 0.5 * (of(table) + of(cylinders[0]));
    let flight_s = away_m / SOUND_SPEED_M_S;
    Throws { rendered, model, touchdowns, flight_s, pair, restitution }
}

/// Returns the prediction from the gains at the impact points, `Σ Im F̂(ω) g(place) e^{(iω − d)t}`: all modes, with the
/// force of the cylinder on a table that gives way there.
fn predicted(throws: &Throws, impacts: &[Impact], times_s: &[f64]) -> Vec<f64> {
    let Throws { model, pair, restitution, .. } = throws;
    let mut sound = vec![0.0; times_s.len()];
    for impact in impacts {
        let gains = model.gains_along(impact.places[0], impact.normal);
        let mass_kg = impact.impulse_ns / ((1.0 + restitution) * impact.speed_m_s);
        let approach = Approach {
            pair: *pair,
            speed_m_s: impact.speed_m_s,
            contact_restitution: *restitution,
            bodies: [&PointMobility::rigid(mass_kg), &model.mobility(&gains).with_mass(1e12)],
            patience_s: PATIENCE_S,
        };
        let force = approach.collide().unwrap().unwrap().force;
        for ((f, d), gain) in model.frequencies_hz.iter().zip(&model.decays).zip(gains) {
            let (size, phase) = force.spectrum(TAU * f).to_polar();
            for (y, t) in sound.iter_mut().zip(times_s) {
                let t = t - impact.at_s - force.centre_s();
                *y += f64::from(gain) * size * (TAU * f * t + phase).sin() * (-d * t).exp();
            }
        }
    }
    sound
}

/// Returns the amplitude of each mode in a sound that begins at time 0, by least squares: modes of nearly
/// one frequency are separated, whatever the signs with which they add up.
fn amplitudes(sound: &[f64], rate_hz: f64, modes: &[(f64, f64)]) -> Vec<f64> {
    let count = 2 * modes.len();
    let mut equations = vec![vec![0.0; count + 1]; count];
    let mut row = vec![0.0; count + 1];
    for (n, y) in sound.iter().enumerate() {
        let t = n as f64 / rate_hz;
        for (k, (f, d)) in modes.iter().enumerate() {
            let (sin, cos) = (TAU * f * t).sin_cos();
            (row[2 * k], row[2 * k + 1]) = ((-d * t).exp() * cos, (-d * t).exp() * sin);
        }
        row[count] = *y;
        for (i, equation) in equations.iter_mut().enumerate() {
            equation.iter_mut().zip(&row).for_each(|(sum, x)| *sum += row[i] * x);
        }
    }
    // Gauss and Jordan; the matrix is positive definite.
    for i in 0..count {
        let pivot = equations[i].clone();
        for (_, equation) in equations.iter_mut().enumerate().filter(|(k, _)| *k != i) {
            let factor = equation[i] / pivot[i];
            equation.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let solved: Vec<f64> = (0..count).map(|i| equations[i][count] / equations[i][i]).collect();
    solved.chunks_exact(2).map(|pair| pair[0].hypot(pair[1])).collect()
}

fn correlation(pairs: &[[f64; 2]]) -> f64 {
    let mean = |k: usize| pairs.iter().map(|p| p[k]).sum::<f64>() / pairs.len() as f64;
    let (a, b) = (mean(0), mean(1));
    let sum = |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>();
    let both = sum(&|p| (p[0] - a) * (p[1] - b));
    both / (sum(&|p| (p[0] - a).powi(2)) * sum(&|p| (p[1] - b).powi(2))).sqrt()
}

#[test]
fn the_middle_and_the_edge_of_a_table_sound_different_as_its_modes_say() {
    let throws = throws();
    let Throws { rendered, model, touchdowns, flight_s, .. } = &throws;
    let rate = rendered.sound.sample_rate_hz;
    let all = ahead(rendered);
    let [middle, edge] = [&touchdowns[0], &touchdowns[1]].map(|impacts| {
        let begin_s = impacts[0].at_s + TOUCHDOWN_S + PATIENCE_S;
        let first = (begin_s * f64::from(rate)) as usize;
        let count = (LISTEN_S * f64::from(rate)) as usize;
        let times_s: Vec<f64> =
            (first..first + count).map(|n| n as f64 / f64::from(rate)).collect();
        let heard = first + (flight_s * f64::from(rate)) as usize;
        (all[heard..heard + count].to_vec(), predicted(&throws, impacts, &times_s))
    });
    let modes: Vec<(f64, f64)> =
        model.frequencies_hz.iter().copied().zip(model.decays.clone()).collect();
    let of = |sound: &[f64]| amplitudes(sound, f64::from(rate), &modes);
    let [a, b, c, d] = [&middle.0, &edge.0, &middle.1, &edge.1].map(|sound| of(sound));
    let levels: Vec<[f64; 4]> = (0..modes.len())
        .filter(|m| modes[*m].0 < HIGHEST_HZ)
        .map(|m| [a[m], b[m], c[m], d[m]].map(db))
        .collect();
    // Weak modes drown in what is left of the others.
    let loudest = levels.iter().flat_map(|l| [l[2], l[3]]).fold(f64::MIN, f64::max);
    let levels: Vec<[f64; 4]> =
        levels.into_iter().filter(|l| l[2].max(l[3]) > loudest - AUDIBLE_DB).collect();
    let differences: Vec<[f64; 2]> = levels.iter().map(|l| [l[1] - l[0], l[3] - l[2]]).collect();
    let alike = correlation(&differences);
    let mean = differences.iter().map(|d| d[0]).sum::<f64>() / differences.len() as f64;
    let spread = differences.iter().map(|d| (d[0] - mean).powi(2)).sum::<f64>();
    let spread = (spread / differences.len() as f64).sqrt();
    println!("{} partials: correlation {alike:.3}, spectra differ by {spread:.1} dB", levels.len());
    foley_measured::check!("scenes.strike_points", alike);
    foley_measured::check!("scenes.strike_points_partials", levels.len() as f64);
    foley_measured::check!("scenes.strike_points_spread", spread);
    // Each has peaks that the other lacks.
    let missing = |sign: f64| differences.iter().filter(|d| sign * d[0] > 10.0).count();
    assert!(missing(1.0) >= 3 && missing(-1.0) >= 3, "{differences:.1?}");
}
