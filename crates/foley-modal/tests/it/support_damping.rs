//! Damping by supports against closed forms, complex eigenvalues and the energy that supports take.

use faer::Mat;
use foley_modal::source::{ModelOptions, ModelSource};
use foley_modal::support::{
    ContactSpring, Foundation, Support, SupportContact, edge_decays, support_decays, supported,
};
use foley_modal::{Edge, Held, HeldBody, Material, ModalModel, Shape};
use std::f64::consts::TAU;

fn model(shape: &str, material: &str, max_hz: f64) -> ModalModel {
    let options = ModelOptions::default().with_material(material).with_max_hz(max_hz);
    ModelSource::parse(shape).unwrap().load(&options, None).unwrap().model
}

fn damper(at_m: [f64; 3], damping_kg_s: f64) -> SupportContact {
    SupportContact {
        at_m,
        direction: [0.0, 0.0, 1.0],
        spring: None,
        support: Support::Lumped { mass_kg: 0.0, damping_kg_s, stiffness_n_m: 0.0 },
    }
}

/// The shape of the n-th mode of a free bar at x from its end, over its length; its mean square is 1.
fn free_bar(n: usize, x: f64) -> f64 {
    let beta = [4.730_040_745, 7.853_204_624, 10.995_607_838, 14.137_165_491];
    let beta = beta.get(n).copied().unwrap_or((n as f64 + 1.5) * std::f64::consts::PI);
    let sigma = (beta.cosh() - beta.cos()) / (beta.sinh() - beta.sin());
    let z = beta * x;
    // cosh − σ sinh without the difference of large numbers.
    let hyperbolic = 0.5 * ((1.0 - sigma) * z.exp() + (1.0 + sigma) * (-z).exp());
    hyperbolic + z.cos() - sigma * z.sin()
}

#[test]
fn a_bar_on_two_dampers_decays_as_half_the_impedance_times_its_squared_shape() {
    let bar = model("bar:300x30x8mm", "steel", 20e3);
    let (mass, b) = (bar.body.mass_kg, 0.01);
    let mut worst: f64 = 0.0;
    for [left, right] in [[0.0, 1.0], [0.1, 0.7], [0.3, 0.5]] {
        let contacts = [left, right].map(|x| damper([0.3 * (x - 0.5), 0.0, 0.0], b));
        let found = support_decays(&bar, &contacts);
        for (n, d) in found.iter().enumerate().take(6) {
            let squares = free_bar(n, left).powi(2) + free_bar(n, right).powi(2);
            if squares < 0.05 {
                continue;
            }
            let truth = 0.5 * b * squares / mass;
            println!("{left} {right} mode {n}: {d:.5} {truth:.5}");
            worst = worst.max(100.0 * (d / truth - 1.0).abs());
        }
    }
    foley_measured::check!("supports.bar_on_dampers", worst);
}

#[test]
fn dampers_at_the_nodes_leave_a_mode_alone() {
    let bar = model("bar:300x30x8mm", "steel", 5e3);
    let first = |x: f64| {
        let contacts = [x, 1.0 - x].map(|x| damper([0.3 * (x - 0.5), 0.0, 0.0], 1.0));
        support_decays(&bar, &contacts)[0]
    };
    foley_measured::check!("supports.nodes", 100.0 * first(0.2242) / first(0.0));
}

/// Mode shapes at the touches, and with them the rigid modes of a plate that moves along z: frequency 0.
fn all_shapes(
    plate: &ModalModel,
    contacts: &[SupportContact],
    [a, b]: [f64; 2],
) -> Vec<(f64, f64, Vec<f64>)> {
    let vibration = plate.vibration.as_ref().unwrap();
    let elastic: Vec<Vec<f64>> = contacts
        .iter()
        .map(|t| vibration.mode_shapes(&plate.gains_along(t.at_m, t.direction)).collect())
        .collect();
    let m = plate.body.mass_kg;
    let (heave, roll, pitch) =
        (1.0 / m.sqrt(), (12.0 / (m * b * b)).sqrt(), (12.0 / (m * a * a)).sqrt());
    let of = |u: &dyn Fn(&SupportContact) -> f64| contacts.iter().map(u).collect::<Vec<f64>>();
    let mut modes = vec![
        (0.0, 0.0, of(&|_| heave)),
        (0.0, 0.0, of(&|t| roll * t.at_m[1])),
        (0.0, 0.0, of(&|t| pitch * t.at_m[0])),
    ];
    for (n, f) in plate.frequencies_hz.iter().enumerate() {
        let shape = elastic.iter().map(|u| u[n]).collect();
        modes.push((TAU * f, plate.decays[n], shape));
    }
    modes
}

/// Eigenvalues (ω, d) of q̈ + (2D + b UᵀU) q̇ + Ω² q = 0 by its companion matrix, by rising frequency.
fn complex_modes(modes: &[(f64, f64, Vec<f64>)], b: f64) -> Vec<(f64, f64)> {
    let n = modes.len();
    let scale = modes.last().unwrap().0;
    let companion = Mat::<f64>::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
        (true, true) => 0.0,
        (true, false) => f64::from(u8::from(j - n == i)),
        (false, true) => {
            let omega = modes[i - n].0 / scale;
            if i - n == j { -omega * omega } else { 0.0 }
        }
        (false, false) => {
            let (p, q) = (&modes[i - n], &modes[j - n]);
            let coupled: f64 = p.2.iter().zip(&q.2).map(|(u, v)| u * v).sum();
            let own = if i == j { 2.0 * p.1 } else { 0.0 };
            -(own + b * coupled) / scale
        }
    });
    let mut found: Vec<(f64, f64)> = companion
        .eigenvalues()
        .unwrap()
        .into_iter()
        .filter(|s| s.im > 1e-6)
        .map(|s| (scale * s.im, -scale * s.re))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

fn plate_on_dampers(b: f64) -> (ModalModel, Vec<SupportContact>) {
    let plate = model("plate:300x210x3mm", "aluminium", 6e3);
    let contacts = [[-0.13, -0.09], [0.14, -0.02], [-0.01, 0.1]];
    (plate, contacts.map(|[x, y]| damper([x, y, 0.0], b)).to_vec())
}

#[test]
fn light_dampers_give_the_decays_of_the_complex_eigenvalues() {
    let (plate, contacts) = plate_on_dampers(0.02);
    let modes = all_shapes(&plate, &contacts, [0.3, 0.21]);
    let truth = complex_modes(&modes, 0.02);
    assert_eq!(truth.len(), plate.mode_count());
    let mut worst: f64 = 0.0;
    for (n, added) in support_decays(&plate, &contacts).into_iter().enumerate() {
        let (omega, d) = truth[n];
        let found = plate.decays[n] + added;
        println!("{:.1} Hz: {found:.4} ({d:.4}, of which {:.4} own)", omega / TAU, plate.decays[n]);
        worst = worst.max(100.0 * (found / d - 1.0).abs());
    }
    foley_measured::check!("supports.dense_eigenvalues", worst);
}

/// Dampers whose widths exceed the spacing of the modes, and whose plain sum is too much: what the body's other motion gives
/// way limits them. Modes mix, so that medians are compared.
#[test]
fn strong_dampers_do_not_damp_beyond_what_the_body_gives_way() {
    let median = |mut d: Vec<f64>| {
        d.sort_by(f64::total_cmp);
        d[d.len() / 2]
    };
    for b in [2.0, 20.0, 200.0] {
        let (plate, contacts) = plate_on_dampers(b);
        let modes = all_shapes(&plate, &contacts, [0.3, 0.21]);
        let truth = median(complex_modes(&modes, b).into_iter().map(|(_, d)| d).collect());
        let own = |n: usize| plate.decays[n];
        let added = support_decays(&plate, &contacts);
        let found = median(added.iter().enumerate().map(|(n, d)| own(n) + d).collect());
        let squares = |n: usize| modes[n + 3].2.iter().map(|u| u * u).sum::<f64>();
        let plain = median((0..added.len()).map(|n| own(n) + 0.5 * b * squares(n)).collect());
        println!("{b} N s/m: median {found:.1}, truth {truth:.1}, plain sum {plain:.1}");
        assert!((found / truth).ln().abs() <= (plain / truth).ln().abs() + 0.01);
        if b == 20.0 {
            foley_measured::check!("supports.strong_dampers", 100.0 * (found / truth - 1.0).abs());
        }
    }
}

/// All modes together in time, one of which rings at first: what its decay rate takes from its energy is what the dampers
/// take.
#[test]
fn what_a_mode_loses_goes_into_its_supports() {
    let b = 0.02;
    let (plate, contacts) = plate_on_dampers(b);
    let mut modes = all_shapes(&plate, &contacts, [0.3, 0.21]);
    modes.truncate(20);
    modes.iter_mut().for_each(|m| m.1 = 0.0);
    let added = support_decays(&plate, &contacts);
    let mut worst: f64 = 0.0;
    for rung in [3, 5, 8, 12] {
        let highest = modes.last().unwrap().0;
        let (h, steps) = (0.05 / highest, (40.0 * TAU / modes[rung].0 * highest / 0.05) as usize);
        // Midpoint steps of q̇ = p, ṗ = −Ω² q − b Uᵀ U p.
        let mut q = vec![0.0; modes.len()];
        let mut p = q.clone();
        p[rung] = 1.0;
        let rate = |q: &[f64], p: &[f64]| {
            let mut force = vec![0.0; contacts.len()];
            for (m, p) in modes.iter().zip(p) {
                force.iter_mut().zip(&m.2).for_each(|(f, u)| *f += b * u * p);
            }
            let power: f64 = force.iter().map(|f| f * f / b).sum();
            let acceleration: Vec<f64> = modes
                .iter()
                .zip(q)
                .map(|(m, q)| {
                    -m.0 * m.0 * q - m.2.iter().zip(&force).map(|(u, f)| u * f).sum::<f64>()
                })
                .collect();
            (acceleration, power)
        };
        let (mut taken, mut energy_time) = (0.0, 0.0);
        for _ in 0..steps {
            let (a, _) = rate(&q, &p);
            let half = |x: &[f64], v: &[f64]| -> Vec<f64> {
                x.iter().zip(v).map(|(x, v)| x + 0.5 * h * v).collect()
            };
            let (qm, pm) = (half(&q, &p), half(&p, &a));
            let (a, power) = rate(&qm, &pm);
            q.iter_mut().zip(&pm).for_each(|(q, p)| *q += h * p);
            p.iter_mut().zip(&a).for_each(|(p, a)| *p += h * a);
            taken += h * power;
            let omega = modes[rung].0;
            energy_time += h * 0.5 * (pm[rung].powi(2) + (omega * qm[rung]).powi(2));
        }
        let decay = taken / (2.0 * energy_time);
        println!("mode {rung}: {decay:.5} against {:.5}", added[rung - 3]);
        worst = worst.max(100.0 * (added[rung - 3] / decay - 1.0).abs());
    }
    foley_measured::check!("supports.energy", worst);
}

/// A hard contact with something immovable and lossless takes nothing; one that loses takes the more, the more it moves.
#[test]
fn only_what_gives_way_and_loses_damps() {
    let plate = model("plate:300x200x3mm", "glass", 8e3);
    let on = |support: Support, spring: Option<ContactSpring>| {
        let at = [[-0.15, -0.1], [0.15, -0.1], [0.15, 0.1], [-0.15, 0.1]];
        let contact = |[x, y]: [f64; 2]| SupportContact {
            at_m: [x, y, 0.0],
            direction: [0.0, 0.0, 1.0],
            spring,
            support: support.clone(),
        };
        support_decays(&plate, &at.map(contact)).iter().sum::<f64>()
    };
    let spring = |loss_factor| Some(ContactSpring { stiffness_n_m: 1e5, loss_factor });
    assert!(on(Support::Immovable, spring(0.0)) < 1e-6);
    let [little, more] = [0.01, 0.03].map(|loss| on(Support::Immovable, spring(loss)));
    assert!(little > 0.1 && more > 2.0 * little, "{little} {more}");
    let table = Foundation::table().support;
    assert!(on(table, spring(0.01)) > little);
}

#[test]
fn a_hand_damps_more_than_a_thread_and_edges_that_are_held_lie_on_nothing() {
    for (shape, material) in [("bar:300x30x8mm", "steel"), ("plate:240x180x4mm", "glass")] {
        let free = model(shape, material, 12e3);
        let of = |held: Held| {
            held.model(&HeldBody::new(&free).with_loss_factor(1e-3)).unwrap().decays.clone()
        };
        assert_eq!(of(Held::Free), free.decays);
        assert_eq!(of(Held::Hung), free.decays);
        for held in [Held::Resting, Held::Hand] {
            let decays = of(held);
            println!("{shape} {held}: {:.1?} (free {:.1?})", &decays[..6], &free.decays[..6]);
            assert!(decays.iter().zip(&free.decays).all(|(held, free)| held >= free));
            let low = |decays: &[f64]| decays.iter().take(6).sum::<f64>();
            assert!(low(&decays) > 1.5 * low(&free.decays));
        }
    }
    let skin = model("plate:240x180x1mm,edges=supported", "steel", 4e3);
    assert_eq!(Held::Resting.model(&HeldBody::new(&skin)).unwrap().decays, skin.decays);
    assert!(Held::Hand.model(&HeldBody::new(&skin)).unwrap().decays[0] > skin.decays[0]);
    let damped = supported(&skin, &[damper([0.0; 3], 0.1)]).unwrap();
    assert!(damped.decays[0] > skin.decays[0]);
}

/// The form of EN 12354-1, Annex C, with the critical frequency: η = c₀ Σ l α / (π² S √(f f_c)).
#[test]
fn edges_lose_as_by_the_critical_frequency_of_the_plate() {
    let (c0, h, [a, b]) = (343.0, 0.004, [0.8, 0.5]);
    let glass = Material::named("glass").unwrap();
    let bending = glass.young_pa * h * h * h / (12.0 * (1.0 - glass.poisson.powi(2)));
    let critical_hz = c0 * c0 / TAU * (glass.density * h / bending).sqrt();
    let shape = Shape::plate(a, b, h, Edge::Supported).unwrap();
    let pane = model("plate:800x500x4mm,edges=supported", "glass", 8e3);
    let mut worst: f64 = 0.0;
    for (f, d) in pane.frequencies_hz.iter().zip(edge_decays(&pane, &shape).unwrap()) {
        let absorbed = 0.2 * 2.0 * (a + b);
        let loss = c0 * absorbed / (TAU * TAU / 4.0 * a * b * (f * critical_hz).sqrt());
        worst = worst.max(100.0 * (d / (0.5 * loss * TAU * f) - 1.0).abs());
    }
    foley_measured::check!("supports.mounted", worst);
}

/// Packets of bending waves fly about a plate in all directions at c_g = 2 c_B, and leave a fifth of their energy at each edge.
#[test]
fn edges_take_what_wave_packets_lose_that_fly_about() {
    let [a, b] = [0.8, 0.5];
    let shape = Shape::plate(a, b, 0.004, Edge::Clamped).unwrap();
    let pane = model("plate:800x500x4mm,edges=clamped", "glass", 8e3);
    let glass = Material::named("glass").unwrap();
    let bending = glass.young_pa * 0.004_f64.powi(2) / (12.0 * (1.0 - glass.poisson.powi(2)));
    let decays = edge_decays(&pane, &shape).unwrap();
    let n = pane.mode_count() / 2;
    let omega = TAU * pane.frequencies_hz[n];
    let group_m_s = 2.0 * (omega * (bending / glass.density).sqrt()).sqrt();
    let directions = 3600;
    // Reflections do not turn the components of a velocity: it meets the edges of each pair at a constant rate.
    let hits: f64 = (0..directions)
        .map(|i| {
            let (sin, cos) = (TAU * (f64::from(i) + 0.5) / f64::from(directions)).sin_cos();
            group_m_s * (cos.abs() / a + sin.abs() / b)
        })
        .sum();
    let taken_per_s = 0.2 * hits / f64::from(directions);
    let found = 2.0 * decays[n];
    println!("{:.0} Hz: {found:.2} 1/s, packets {taken_per_s:.2} 1/s", omega / TAU);
    assert!((found / taken_per_s - 1.0).abs() < 1e-4);
}

#[test]
fn only_plates_with_held_edges_are_mounted() {
    for shape in ["plate:300x200x2mm", "bar:300x30x8mm", "disc:200x2mm"] {
        let body = model(shape, "steel", 4e3);
        let parsed: Shape = shape.parse().unwrap();
        let refused = Held::Mounted.model(&HeldBody::new(&body).with_shape(&parsed)).unwrap_err();
        assert!(refused.to_string().contains(shape), "{refused}");
        assert!(refused.to_string().contains("edges=supported"), "{refused}");
        assert!(Held::Mounted.model(&HeldBody::new(&body)).is_err());
    }
    let disc = model("disc:200x2mm,edges=clamped", "steel", 4e3);
    let parsed: Shape = "disc:200x2mm,edges=clamped".parse().unwrap();
    let mounted = Held::Mounted.model(&HeldBody::new(&disc).with_shape(&parsed)).unwrap();
    assert!(mounted.decays.iter().zip(&disc.decays).all(|(mounted, free)| mounted > free));
}
