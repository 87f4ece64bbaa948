//! Hit tests per second on one core. Run with `--ignored --nocapture`.

use crate::common;

use common::*;
use foley_hail::{Cloud, FallModel, HailSettings, HailSimulation, ImpactStream, Surface};
use std::time::Instant;

/// Fifteen targets about as large and far apart as those of a picnic.
fn picnic() -> Vec<Surface> {
    let pane = |x: f64| Surface::Quad {
        corners_m: [[x, 2.0, 2.5], [x + 1.5, 2.0, 2.5], [x + 1.5, 4.0, 4.0], [x, 4.0, 4.0]],
    };
    let plate = |x: f64, r: f64| Surface::Disc {
        centre_m: [x, 0.0, 0.76],
        axis_u_m: [r, 0.0, 0.0],
        axis_v_m: [0.0, r, 0.0],
    };
    let post = |x: f64, y: f64| Surface::Cylinder {
        base_m: [x, y, 0.0],
        axis_m: [0.0, 0.0, 2.2],
        radius_m: 0.06,
    };
    let tent = Surface::Cone {
        base_m: [-4.0, -1.0, 2.2],
        axis_m: [0.0, 0.0, 0.9],
        base_radius_m: 1.8,
        top_radius_m: 0.0,
    };
    let can =
        Surface::Cylinder { base_m: [2.5, -1.0, 0.0], axis_m: [0.0, 0.0, 0.9], radius_m: 0.3 };
    let ball = Surface::Sphere { centre_m: [1.0, -2.0, 0.12], radius_m: 0.12 };
    let mut all: Vec<Surface> = [-3.0, -1.5, 0.0, 1.5].map(pane).into();
    all.push(level([-0.9, -0.4], [0.9, 0.4], 0.75));
    all.extend([plate(-0.5, 0.12), plate(0.0, 0.14), plate(0.5, 0.1)]);
    all.extend([post(-5.0, -2.0), post(-3.0, -2.0), post(-5.0, 0.0), post(-3.0, 0.0)]);
    all.extend([tent, can, ball]);
    all
}

/// CPU time of this thread; elapsed time where the system does not report it.
fn thread_s(since: Instant) -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran_ns = schedstat.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    ran_ns.map_or(since.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

#[test]
#[ignore = "measures this machine: `make bench` runs it"]
fn stones_a_second_on_one_core() {
    let begun = Instant::now();
    let windy = FallModel::Accelerated {
        wind_m_s2: [0.8, 0.2, 0.0],
        velocity_m_s: [0.0, 0.0, -5.0],
        spread_m_s: 0.3,
    };
    for (name, fall) in [("accelerated", windy), ("straight", FallModel::straight([1.0, 0.3]))] {
        let mut slowest = f64::INFINITY;
        for ground in [false, true] {
            let mut surfaces = picnic();
            if ground {
                surfaces.push(level([-20.0, -20.0], [20.0, 20.0], 0.0));
            }
            let cloud = Cloud::disc([-1.0, 1.0, 20.0], 8.0);
            let hail =
                HailSettings::default().with_per_second(1e6).with_cloud(cloud).with_fall(fall);
            let simulation: HailSimulation = simulation(hail, surfaces);
            let n = 2_000_000;
            let start = thread_s(begun);
            let made: f64 =
                (0..n).map(|k| simulation.emitter().stone(k).trajectory.position_m[0]).sum();
            let making_s = thread_s(begun) - start;
            let start = thread_s(begun);
            let hits = (0..n).filter_map(|index| simulation.impact_of(index)).count();
            let took_s = thread_s(begun) - start;
            let millions_per_s = n as f64 / took_s / 1e6;
            println!(
                "{name}, ground {ground}: {millions_per_s:.2} million stones/s ({:.0} ns, of them {:.0} ns to \
                 make one), {hits} hit ({made:.0})",
                1e9 * took_s / n as f64,
                1e9 * making_s / n as f64,
            );
            slowest = slowest.min(millions_per_s);
        }
        match name {
            "straight" => foley_measured::check!("hail.core_straight", slowest),
            _ => foley_measured::check!("hail.core_accelerated", slowest),
        }
    }
}

#[test]
#[ignore = "measures this machine: `make bench` runs it"]
fn frames_of_a_million_stones_a_second() {
    let cloud = Cloud::disc([-1.0, 1.0, 20.0], 8.0);
    let hail = HailSettings::default().with_per_second(1e6).with_cloud(cloud);
    let mut surfaces = picnic();
    surfaces.push(level([-20.0, -20.0], [20.0, 20.0], 0.0));
    let simulation = std::sync::Arc::new(simulation(hail, surfaces));
    let (mut stream, mut due) = (ImpactStream::new(simulation, 5.0).unwrap(), Vec::new());
    stream.advance(5.0, &mut due).unwrap();
    let start = Instant::now();
    for frame in 1..=60 {
        due.clear();
        stream.advance(5.0 + f64::from(frame) / 60.0, &mut due).unwrap();
    }
    let frame_ms = 1e3 * start.elapsed().as_secs_f64() / 60.0;
    foley_measured::check!("hail.frame", frame_ms);
    println!(
        "{frame_ms:.1} ms a frame of 1/60 s on {} threads, {} impacts in the last, {} pending",
        rayon::current_num_threads(),
        due.len(),
        stream.pending()
    );
}
