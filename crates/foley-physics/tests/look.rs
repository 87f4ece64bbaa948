use foley_physics::*;
fn world(rate: f64) -> World {
    let mut w = World::new(Settings { rate_hz: rate, ..Default::default() }).unwrap();
    w.add(
        &Body::fixed("floor", Shape::cuboid(20.0, 1.0, 20.0))
            .at([0.0, -0.5, 0.0])
            .surface(0.5, 0.7),
    )
    .unwrap();
    w
}
#[test]
fn look_bounce() {
    for rate in [60.0, 120.0, 240.0, 480.0] {
        let mut w = world(rate);
        let b = w
            .add(
                &Body::dynamic("ball", Shape::ball(0.05), Mass::Kilograms(0.1))
                    .at([0.0, 1.05, 0.0])
                    .surface(0.5, 0.7),
            )
            .unwrap();
        let _ = b;
        let g: f64 = 9.81;
        let mut v = (2.0 * g).sqrt();
        let mut t = v / g;
        let mut n = 0;
        while w.time_s() < 5.0 {
            for e in w.step().to_vec() {
                match e {
                    Event::Impact(i) => {
                        let j = 0.1 * 1.7 * v;
                        println!(
                            "{rate} {n}: t {:.5} err {:+.3} ms  v {:.4} ({:.4})  J {:+.3} dB",
                            i.at_s,
                            (i.at_s - t) * 1e3,
                            i.speed_m_s,
                            v,
                            20.0 * (i.impulse_ns / j).log10()
                        );
                        n += 1;
                        v *= 0.7;
                        t += 2.0 * v / g;
                    }
                    Event::Touch(k) => {
                        if false {
                            println!(
                                "   touch {:.4} {} F {:.4} slip {:.5} roll {:.5} over {}",
                                k.at_s, k.contact, k.force_n, k.slip_m_s, k.roll_m_s, k.over
                            )
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
