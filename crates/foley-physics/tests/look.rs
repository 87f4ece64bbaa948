#![allow(missing_docs)]
use foley_physics::*;
use std::time::Instant;
fn world(rate: f64, e: f64) -> World {
    let mut w = World::new(Settings { rate_hz: rate, ..Default::default() }).unwrap();
    w.add(
        &Body::fixed("floor", Shape::cuboid(20.0, 1.0, 20.0)).at([0.0, -0.5, 0.0]).surface(0.5, e),
    )
    .unwrap();
    w
}
fn run(name: &str, w: &mut World, secs: f64, show: usize) {
    let t0 = Instant::now();
    let (mut ni, mut nt, mut nover, mut last_imp, mut shown) = (0, 0, 0, 0.0, 0);
    let (mut slip, mut roll, mut late_slip, mut late_roll) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    let mut worst: f64 = 0.0;
    let mut starts = std::collections::BTreeSet::new();
    while w.time_s() < secs {
        let t1 = Instant::now();
        let ev = w.step();
        worst = worst.max(t1.elapsed().as_secs_f64());
        for e in ev {
            match e {
                Event::Impact(i) => {
                    ni += 1;
                    last_imp = i.at_s;
                    if shown < show {
                        shown += 1;
                        println!(
                            "    hit {:.4} {:?} v {:.3} J {:.4} at {:.3?}",
                            i.at_s, i.bodies, i.speed_m_s, i.impulse_ns, i.places
                        );
                    }
                }
                Event::Touch(t) => {
                    nt += 1;
                    nover += t.over as usize;
                    starts.insert(t.contact);
                    slip = slip.max(t.slip_m_s);
                    roll = roll.max(t.roll_m_s);
                    if t.at_s > secs * 0.5 {
                        late_slip = late_slip.max(t.slip_m_s);
                        late_roll = late_roll.max(t.roll_m_s);
                    }
                    if shown < show {
                        shown += 1;
                        println!(
                            "    touch {:.4} #{} F {:.4} slip {:.5} roll {:.5} {}",
                            t.at_s, t.contact, t.force_n, t.slip_m_s, t.roll_m_s, t.over
                        );
                    }
                }
                _ => {}
            }
        }
    }
    let awake = (0..w.len() as u32).filter(|&b| w.is_awake(b)).count();
    println!(
        "{name}: impacts {ni} last {last_imp:.3}; touches {} events {nt} over {nover} live {}; slip {slip:.5} roll {roll:.5} late {late_slip:.5} {late_roll:.5}; awake {awake}; lost {}; {:.1} ms/sim s, worst step {:.2} ms",
        starts.len(),
        w.touches(),
        w.take_lost().len(),
        t0.elapsed().as_secs_f64() / secs * 1e3,
        worst * 1e3
    );
}
#[test]
fn look() {
    for rate in [60.0, 120.0, 240.0, 480.0] {
        println!("== {rate}");
        for sleep in [true, false] {
            let mut w = world(rate, 0.3);
            let mut b = Body::dynamic("box", Shape::cuboid(0.1, 0.1, 0.1), Mass::Kilograms(1.0))
                .at([0.0, 0.07, 0.0]);
            b.may_sleep = sleep;
            w.add(&b).unwrap();
            run(&format!("rest sleep={sleep}"), &mut w, 10.0, 0);
            let mut w = world(rate, 0.3);
            for k in 0..50 {
                let mut b =
                    Body::dynamic("box", Shape::cuboid(0.1, 0.1, 0.1), Mass::Kilograms(1.0)).at([
                        0.0,
                        0.05 + 0.1 * k as f64,
                        0.0,
                    ]);
                b.may_sleep = sleep;
                w.add(&b).unwrap();
            }
            run(&format!("stack sleep={sleep}"), &mut w, 20.0, 0);
        }
        let mut w = world(rate, 0.3);
        w.add(
            &Body::dynamic("ball", Shape::ball(0.1), Mass::Kilograms(1.0))
                .at([-5.0, 0.1, 0.0])
                .moving([2.0, 0.0, 0.0])
                .spinning([0.0, 0.0, -20.0]),
        )
        .unwrap();
        run("roll", &mut w, 2.0, 6);
        let mut w = world(rate, 0.3);
        w.add(
            &Body::dynamic(
                "cyl",
                Shape::Cylinder { radius_m: 0.1, half_height_m: 0.1 },
                Mass::Kilograms(1.0),
            )
            .at([-5.0, 0.1, 0.0])
            .turned([0.70710678, 0.0, 0.0, 0.70710678])
            .moving([2.0, 0.0, 0.0])
            .spinning([0.0, 0.0, -20.0]),
        )
        .unwrap();
        run("roll cylinder", &mut w, 2.0, 6);
        // incline
        let a: f64 = 0.5;
        let mut w = World::new(Settings { rate_hz: rate, ..Default::default() }).unwrap();
        let q = [0.0, 0.0, (-a / 2.0).sin(), (a / 2.0).cos()];
        w.add(&Body::fixed("slope", Shape::cuboid(40.0, 1.0, 4.0)).turned(q).surface(0.2, 0.0))
            .unwrap();
        let up = [a.sin() * 0.55, a.cos() * 0.55, 0.0];
        w.add(
            &Body::dynamic("box", Shape::cuboid(0.3, 0.1, 0.3), Mass::Kilograms(1.0))
                .turned(q)
                .at(up)
                .surface(0.2, 0.0),
        )
        .unwrap();
        run("slide", &mut w, 1.0, 8);
        println!("   analytic v {:.5} F {:.5}", 9.81 * (a.sin() - 0.2 * a.cos()), 9.81 * a.cos());
        let mut w = world(rate, 0.3);
        w.add(
            &Body::dynamic("box", Shape::cuboid(0.2, 0.1, 0.15), Mass::Kilograms(1.0))
                .at([0.0, 0.5, 0.0])
                .turned([0.1, 0.05, 0.12, 0.9]),
        )
        .unwrap();
        run("tumble", &mut w, 4.0, 30);
    }
}
#[test]
fn dbg() {
    let mut w = world(240.0, 0.3);
    w.add(
        &Body::dynamic("ball", Shape::ball(0.1), Mass::Kilograms(1.0))
            .at([-5.0, 0.1, 0.0])
            .moving([2.0, 0.0, 0.0])
            .spinning([0.0, 0.0, -20.0]),
    )
    .unwrap();
    for _ in 0..20 {
        for e in w.step() {
            println!("{e:?}");
        }
    }
}
#[test]
fn heap() {
    for rate in [240.0] {
        let mut w = world(rate, 0.3);
        for k in 0..2000 {
            let (x, z, y) = (k % 10, (k / 10) % 10, k / 100);
            let shape = match k % 3 {
                0 => Shape::ball(0.05),
                1 => Shape::cuboid(0.1, 0.08, 0.06),
                _ => Shape::Capsule { radius_m: 0.03, half_height_m: 0.04 },
            };
            w.add(&Body::dynamic("b", shape, Mass::Density(1000.0)).at([
                x as f64 * 0.13 + 0.01 * (y % 3) as f64,
                0.2 + 0.13 * y as f64,
                z as f64 * 0.13 + 0.013 * (y % 2) as f64,
            ]))
            .unwrap();
        }
        run(&format!("heap {rate}"), &mut w, 5.0, 0);
    }
}
#[test]
fn rings() {
    for rate in [240.0] {
        let mut w = world(rate, 0.3);
        for k in 0..100 {
            let (x, z, y) = (k % 5, (k / 5) % 5, k / 25);
            w.add(
                &Body::dynamic(
                    "ring",
                    Shape::Ring { radius_m: 0.03, tube_m: 0.004 },
                    Mass::Density(7800.0),
                )
                .at([x as f64 * 0.1, 0.5 + 0.1 * y as f64, z as f64 * 0.1])
                .turned([0.3 * (k % 7) as f64, 0.1, 0.2 * (k % 3) as f64, 1.0]),
            )
            .unwrap();
        }
        run(&format!("rings {rate}"), &mut w, 5.0, 0);
    }
}
