//! Invalid settings are rejected by name with a remedy; valid ones without impacts are silent.

use crate::common;

use common::*;
use foley_hail::bvh::TargetMesh;
use foley_hail::map::Atlas;
use foley_hail::*;
use std::sync::Arc;

/// The settings are rejected, and the message names the key.
fn refused(hail: HailSettings, key: &str) {
    let error = ParticleEmitter::new(hail).unwrap_err().to_string();
    assert!(error.contains(key), "`{error}` does not name {key}");
}

#[test]
fn settings_are_checked_by_name() {
    let good = HailSettings::default();
    for per_second in [-1.0, 0.5, 1e6 + 1.0, f64::NAN, f64::INFINITY] {
        refused(good.with_per_second(per_second), "per_second");
    }
    for wind in [f64::NAN, f64::INFINITY, -1e9] {
        refused(good.with_fall(FallModel::straight([0.0, wind])), "fall.wind_m_s");
        let fall = |wind_m_s2, velocity_m_s, spread_m_s| FallModel::Accelerated {
            wind_m_s2,
            velocity_m_s,
            spread_m_s,
        };
        let still = [0.0; 3];
        refused(good.with_fall(fall([wind, 0.0, 0.0], still, 0.0)), "fall.wind_m_s2");
        refused(good.with_fall(fall(still, [0.0, 0.0, wind], 0.0)), "fall.velocity_m_s");
        refused(good.with_fall(fall(still, still, wind)), "fall.spread_m_s");
    }
    for radius in [0.0, -1.0, f64::NAN] {
        refused(good.with_cloud(Cloud::disc([0.0; 3], radius)), "cloud.radius_m");
        let flat = Cloud::rectangle([0.0; 3], [1.0, radius]);
        refused(good.with_cloud(flat), "cloud.size_m");
    }
    refused(good.with_cloud(Cloud::disc([f64::NAN; 3], 1.0)), "cloud.centre_m");
    refused(good.with_cloud(good.cloud.drifting([f64::NAN, 0.0])), "cloud.drift_m_s");
    refused(good.with_energies_j([2.0, 1.0]), "energies_j[1]");
    refused(good.with_energies_j([0.0, 1.0]), "energies_j[0]");
    refused(good.with_energies_j([0.1, f64::NAN]), "energies_j[1]");
    refused(good.with_gravity_m_s2(0.0), "gravity_m_s2");
    refused(good.with_from_s(f64::NAN), "from_s");
    refused(good.with_ice(Ice { drag: 0.0, ..good.ice }), "ice.drag");
    refused(good.with_ice(Ice { air_kg_m3: f64::NAN, ..good.ice }), "ice.air_kg_m3");
    refused(good.with_ice(Ice { density_kg_m3: -1.0, ..good.ice }), "ice.density_kg_m3");
    let up = FallModel::Accelerated {
        wind_m_s2: [0.0, 0.0, 10.0],
        velocity_m_s: [0.0; 3],
        spread_m_s: 0.0,
    };
    refused(good.with_fall(up), "wind_m_s2");
}

#[test]
fn no_hail_no_targets_and_a_far_cloud_are_silence() {
    let ground = || [level([-1.0, -1.0], [1.0, 1.0], 0.0)];
    let silent = |hail: HailSettings, surfaces: Vec<Surface>| {
        let simulation = Arc::new(simulation(hail, surfaces));
        assert!(simulation.impacts(0.0, 20.0).unwrap().is_empty());
        let (mut stream, mut due) = (ImpactStream::new(simulation, 0.0).unwrap(), Vec::new());
        stream.advance(20.0, &mut due).unwrap();
        assert!(due.is_empty() && stream.pending() == 0);
    };
    silent(HailSettings::default().with_per_second(0.0), ground().into());
    silent(HailSettings::default(), Vec::new());
    silent(HailSettings::default().with_cloud(Cloud::disc([1e5, 0.0, 20.0], 5.0)), ground().into());
    // A cloud below the targets.
    silent(HailSettings::default().with_cloud(Cloud::disc([0.0, 0.0, -3.0], 5.0)), ground().into());
    silent(
        HailSettings::default()
            .with_cloud(Cloud::disc([0.0, 0.0, -3.0], 5.0))
            .with_fall(FallModel::free()),
        ground().into(),
    );
    // Before the start of the hail.
    silent(HailSettings::default().with_from_s(100.0), ground().into());
}

#[test]
fn shapes_are_checked_and_named_by_number() {
    let nan = f64::NAN;
    let quad = |corners_m| Surface::Quad { corners_m };
    let disc = |axis_u_m, axis_v_m| Surface::Disc { centre_m: [0.0; 3], axis_u_m, axis_v_m };
    let sphere = |radius_m| Surface::Sphere { centre_m: [0.0; 3], radius_m };
    let cylinder = |axis_m, radius_m| Surface::Cylinder { base_m: [0.0; 3], axis_m, radius_m };
    let cone = |base_radius_m, top_radius_m| Surface::Cone {
        base_m: [0.0; 3],
        axis_m: [0.0, 0.0, 1.0],
        base_radius_m,
        top_radius_m,
    };
    let [o, x, y, xy] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let wrong = [
        (quad([o; 4]), "area"),
        (quad([o, x, [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]), "area"),
        (quad([o, x, y, xy]), "order"),
        (quad([o, x, [1.0, 1.0, 0.3], y]), "plane"),
        (quad([o, x, [0.2, 0.2, 0.0], y]), "convex"),
        (quad([o, x, [nan, 1.0, 0.0], y]), "corners_m"),
        (disc(x, o), "axes"),
        (disc(x, [1.0, 1.0, 0.0]), "right angle"),
        (disc([nan, 0.0, 0.0], y), "axis_u_m"),
        (sphere(0.0), "radius_m"),
        (sphere(nan), "radius_m"),
        (sphere(-1.0), "radius_m"),
        (cylinder([0.0; 3], 1.0), "axis_m"),
        (cylinder([0.0, 0.0, 1.0], 0.0), "radius"),
        (cone(0.0, 0.0), "radius"),
        (cone(-1.0, 1.0), "base_radius_m"),
        (cone(1.0, nan), "top_radius_m"),
    ];
    for (surface, word) in wrong {
        let good = Target::new(level([0.0; 2], [1.0; 2], 0.0));
        let error = TargetSet::new([good, Target::new(surface.clone())]).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("target 1"), "{surface:?}: `{error}`");
    }
    assert!(
        TargetMesh::new(vec![o, x, y], vec![[0, 1, 3]])
            .unwrap_err()
            .to_string()
            .contains("corner 3")
    );
    assert!(
        TargetMesh::new(vec![o, x, x], vec![[0, 1, 2]]).unwrap_err().to_string().contains("area")
    );
    assert!(TargetMesh::new(Vec::new(), Vec::new()).is_err());
    assert!(TargetMesh::new(vec![o, x, [nan; 3]], vec![[0, 1, 2]]).is_err());
}

#[test]
fn regions_are_checked() {
    let with = |region| {
        let table = Target::new(level([0.0; 2], [1.0; 2], 0.0));
        TargetSet::new([table.with_part(region, PartRole::Sounding(1))])
    };
    let [from_uv, to_uv] = [[0.5, 0.5], [0.5, 0.9]];
    for region in [
        Region::Ellipse { centre_uv: [0.5; 2], radii_uv: [0.0, 0.1] },
        Region::Ellipse { centre_uv: [f64::NAN; 2], radii_uv: [0.1; 2] },
        Region::Rectangle { from_uv, to_uv },
        Region::Rectangle { from_uv, to_uv: [f64::INFINITY, 1.0] },
    ] {
        assert!(with(region).unwrap_err().to_string().contains("parts."), "{region:?}");
    }
    let many = (0..300).fold(Target::new(level([0.0; 2], [1.0; 2], 0.0)), |table, _| {
        table.with_part(Region::Everywhere, PartRole::Hole)
    });
    assert!(matches!(TargetSet::new([many]), Err(HailError::TooMany { .. })));
}

#[test]
fn requests_without_bound_in_time_or_memory_are_rejected() {
    let ground = || TargetSet::new([level([0.0; 2], [1.0; 2], 0.0).into()]).unwrap();
    let emitter = |hail| ParticleEmitter::new(hail).unwrap();
    let high = Cloud::disc([0.0, 0.0, 1e5], 5.0);
    let error = HailSimulation::new(emitter(HailSettings::default().with_cloud(high)), ground())
        .unwrap_err();
    assert!(matches!(error, HailError::NeverLands { .. }), "{error}");
    let dense = HailSettings::default()
        .with_cloud(Cloud::disc([0.0, 0.0, 1000.0], 5.0))
        .with_per_second(1e6);
    let error = HailSimulation::new(emitter(dense), ground()).unwrap_err();
    assert!(matches!(error, HailError::TooMany { .. }), "{error}");

    let simulation =
        HailSimulation::new(emitter(HailSettings::default().with_per_second(1e6)), ground())
            .unwrap();
    assert!(matches!(simulation.impacts(0.0, 1e6), Err(HailError::TooMany { .. })));
    for (from_s, until_s) in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN), (0.0, f64::INFINITY)] {
        assert!(matches!(simulation.impacts(from_s, until_s), Err(HailError::Interval { .. })));
    }
    let mut stream = ImpactStream::new(Arc::new(simulation), 5.0).unwrap();
    assert!(stream.advance(4.0, &mut Vec::new()).is_err());
    assert!(stream.advance(f64::NAN, &mut Vec::new()).is_err());
    // An error leaves the stream unchanged.
    let mut due = Vec::new();
    assert!(stream.advance(1e6, &mut due).is_err());
    assert!(stream.advance(5.001, &mut due).is_ok() && stream.now_s() == 5.001);
    for size in [[0, 5], [5, 100_000]] {
        assert!(Atlas::new(&ground(), size).unwrap_err().to_string().contains("map size"));
    }
    let many = (0..50).map(|k| level([0.0; 2], [1.0; 2], f64::from(k)).into());
    let many = TargetSet::new(many).unwrap();
    assert!(matches!(Atlas::new(&many, [7, 7]), Err(HailError::TooMany { .. })));
    assert!(Atlas::new(&many, [10, 5]).is_ok());
}

/// A step over a day with few stones does not need a bucket for every moment between.
#[test]
fn a_stream_may_take_long_steps() {
    let hail =
        HailSettings::default().with_per_second(1.0).with_cloud(Cloud::disc([0.5, 0.5, 20.0], 0.1));
    let simulation = Arc::new(simulation(hail, [level([0.0; 2], [1.0; 2], 0.0)]));
    let (mut stream, mut due) = (ImpactStream::new(simulation, 0.0).unwrap(), Vec::new());
    stream.advance(1e5, &mut due).unwrap();
    assert!((due.len() as f64 - 1e5).abs() < 10.0);
}

/// Trajectories and times that are not finite cause neither a panic nor a hang.
#[test]
fn impossible_trajectories_hit_nothing() {
    let mut rng = TestRng::new(41);
    let targets = TargetSet::new(one_of_each(&mut rng).into_iter().map(Target::new)).unwrap();
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e-320, 0.0, 1.0];
    for k in 0..20_000 {
        let mut number = || match rng.unit() < 0.7 {
            true => rng.between(-5.0, 5.0),
            false => odd[(rng.unit() * 8.0) as usize],
        };
        let mut vector = || [number(), number(), number()];
        let [position_m, velocity_m_s, acceleration_m_s2] = [vector(), vector(), vector()];
        let trajectory = Trajectory { position_m, velocity_m_s, acceleration_m_s2 };
        let (from, to) = (number(), number());
        let hit = targets.first_hit(&trajectory, from, to);
        if let Some(hit) = hit {
            assert!(hit.t_s >= from && hit.t_s <= to, "case {k}: {hit:?}");
            let numbers = hit.position_m.iter().chain(&hit.normal).chain(&hit.uv);
            assert!(numbers.copied().all(f64::is_finite), "case {k}: {hit:?} of {trajectory:?}");
        }
    }
}
