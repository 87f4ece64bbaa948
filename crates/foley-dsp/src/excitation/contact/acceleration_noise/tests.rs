use super::*;
use crate::excitation::ForceCurve;
use crate::excitation::{Approach, HertzPair, PATIENCE_S, PointMobility, Striker};
use crate::model::ContactBody;
use foley_geometry::constants::{ICE, STEEL};
use foley_measured::check;

const F_S: f64 = 48_000.0;

/// The collision of two free spheres.
fn collision(a: &ContactBody, b: &ContactBody, speed_m_s: f64, restitution: f64) -> Impact {
    let approach = Approach {
        pair: HertzPair::of_bodies(a, b).unwrap(),
        speed_m_s,
        contact_restitution: restitution,
        bodies: [&PointMobility::rigid(a.mass_kg), &PointMobility::rigid(b.mass_kg)],
        patience_s: PATIENCE_S,
    };
    Impact::of_curve(approach.collide().unwrap().unwrap().force).unwrap()
}

fn wall() -> ContactBody {
    ContactBody { mass_kg: 1e9, young_pa: 2e11, poisson: 0.29, radius_m: f64::INFINITY }
}

/// Far pressure over distance of a sphere with unit velocity, mean over directions, e^{−iωt}: `iρc / (√3 k h₁'(ka))` times the
/// large-argument limit of h₁, with the spherical Hankel function in closed form and its derivative by
/// `h₁' = h₀ − 2h₁/x`.
fn exact_sphere(radius_m: f64, omega: f64) -> f64 {
    let (k, i) = (omega / SOUND_SPEED_M_S, Complex64::I);
    let x = k * radius_m;
    let h0 = Complex64::cis(x) / (i * x);
    let h1 = -Complex64::cis(x) * (1.0 / x + i / (x * x));
    let derivative = h0 - 2.0 / x * h1;
    (i * AIR_IMPEDANCE_PA_S_M / (k * derivative)).norm() / 3f64.sqrt()
}

/// The spectrum of samples, N s times Pa.
fn spectrum(burst: &Burst, omega: f64) -> Complex64 {
    let term = |(n, y): (usize, &f32)| {
        let t = (burst.first as f64 + n as f64) / F_S;
        Complex64::from_polar(f64::from(*y) / F_S, -omega * t)
    };
    burst.samples.iter().enumerate().map(term).sum()
}

/// The two poles are the exact solution, and a burst is its product with the spectrum of the force, in level and phase, with
/// starts between samples.
#[test]
fn the_burst_of_a_sphere_is_that_of_the_exact_solution() {
    let mut worst: f64 = 0.0;
    for radius_m in [0.003, 0.005, 0.01, 0.03, 0.1, 0.4] {
        let radiation = RigidRadiation::sphere(radius_m);
        let ball = Striker::sphere(radius_m, if radius_m < 0.006 { ICE } else { STEEL });
        let soft = Striker { young_pa: 1e8, ..ball };
        for (striker, start) in [(ball, 100.0), (ball, 100.37), (soft, 100.9), (soft, 2000.5)] {
            let impact = collision(&striker, &wall(), 1.0, 0.7);
            let body = AcceleratedBody::new(radiation, ball.mass_kg);
            let burst = impact.acceleration_noise(&[body], F_S, start).unwrap();
            let truth = |f: f64| {
                let omega = 2.0 * PI * f;
                // Acceleration is iω times velocity.
                let level = exact_sphere(radius_m, omega) / omega;
                assert!((radiation.response(omega).norm() / level - 1.0).abs() < 1e-9);
                let centre = start / F_S + impact.centre_s();
                let force = impact.response(omega) * impact.impulse_ns();
                radiation.response(omega) * force * Complex64::cis(-omega * centre) / ball.mass_kg
            };
            let highest = (10.0 * SOUND_SPEED_M_S / (2.0 * PI * radius_m)).min(20e3);
            let all: Vec<f64> = (1..=200).map(|i| highest * f64::from(i) / 200.0).collect();
            let peak = all.iter().map(|f| truth(*f).norm()).fold(0.0, f64::max);
            for f in all {
                let (found, wanted) = (spectrum(&burst, 2.0 * PI * f), truth(f));
                // Levels more than 50 dB below the loudest frequency are not compared: there, the
                // force of soft contacts has its zeros.
                if wanted.norm() > 3e-3 * peak {
                    let db = 20.0 * (1.0 + (found - wanted).norm() / wanted.norm()).log10();
                    worst = worst.max(db);
                    assert!(db < 0.5, "{radius_m} m, {f} Hz: {db} dB");
                }
            }
        }
    }
    check!("click.sphere", worst);
}

/// A slice of the exact solution in time: e^{−βt}(cos βt − sin βt), by quadrature.
fn naive(radius_m: f64, impact: &Impact, mass_kg: f64, t_s: f64) -> f64 {
    let beta = SOUND_SPEED_M_S / radius_m;
    let steps = 4000;
    let dt = impact.end_s() / f64::from(steps);
    let sum: f64 = (0..steps)
        .map(|k| (f64::from(k) + 0.5) * dt)
        .filter(|tau| *tau < t_s)
        .map(|tau| {
            let x = beta * (t_s - tau);
            impact.force_n(tau) * (-x).exp() * (x.cos() - x.sin()) * dt
        })
        .sum();
    AIR_IMPEDANCE_PA_S_M * radius_m / mass_kg * sum
}

/// The energy from the pressure over time, from the spectrum of the force, and its limit for an impulse.
#[test]
fn energies_in_time_and_in_frequency_agree() {
    let mut worst: f64 = 0.0;
    for (radius_m, elasticity) in [(0.005, ICE), (0.01, STEEL), (0.05, STEEL)] {
        let ball = Striker::sphere(radius_m, elasticity);
        let radiation = RigidRadiation::sphere(radius_m);
        let solved = collision(&ball, &wall(), 1.0, 0.8);
        for impact in [solved, Impact::new(0.1, 1e-4).unwrap(), Impact::new(0.1, 2e-3).unwrap()] {
            let found = radiation.energy_j(ball.mass_kg, &impact);
            let step = 0.002 / impact.duration_s().max(0.2 * radius_m / SOUND_SPEED_M_S);
            let power = |k: usize| {
                let omega = step * (k as f64 + 0.5);
                let force = impact.response(omega) * impact.impulse_ns() / ball.mass_kg;
                (radiation.response(omega) * force).norm_sqr() * step
            };
            // ∫₀^∞ over ω, with 4π r² p²/ρc and 1/π of Parseval's theorem.
            let sum: f64 = (0..100_000).map(power).sum::<f64>() * 4.0 / AIR_IMPEDANCE_PA_S_M;
            let kinetic = 0.5 * impact.impulse_ns().powi(2) / ball.mass_kg;
            println!("{radius_m}: {found:.3e} J, {sum:.3e} J, of kinetic {:.1e}", found / kinetic);
            worst = worst.max((found / sum - 1.0).abs());
            let most = radiation.impulsive_energy_j(ball.mass_kg, impact.impulse_ns());
            assert!(found < most && most < 0.01 * kinetic);
        }
        let short = Impact::new(0.1, 1e-3 * radius_m / SOUND_SPEED_M_S).unwrap();
        let most = radiation.impulsive_energy_j(ball.mass_kg, 0.1);
        // Half of the kinetic energy of the added mass, half of the sphere's volume of air.
        let air = 1.204 * 4.0 / 3.0 * PI * radius_m.powi(3);
        let closed = 0.25 * air * (0.1 / ball.mass_kg).powi(2);
        assert!((most / closed - 1.0).abs() < 1e-9, "{most} {closed}");
        assert!((radiation.energy_j(ball.mass_kg, &short) / most - 1.0).abs() < 0.01);
    }
    check!("click.energy", worst);
}

/// Two equal steel balls, on the axis of the collision: the closed form of Koss & Alfredson (1973) for an acceleration that
/// is a half-sine, in peak and duration of the first pulse.
#[test]
fn two_steel_balls_click_as_koss_and_alfredson_say() {
    let (radius_m, speed) = (0.019, 0.79);
    let ball = Striker::sphere(radius_m, STEEL);
    let hertz = collision(&ball, &ball, speed, 1.0);
    let (beta, tau) = (SOUND_SPEED_M_S / radius_m, hertz.duration_s());
    let b = PI / tau;
    let steps = 1000;
    let force = |k: usize| 0.5 * b * hertz.impulse_ns() * (PI * k as f64 / steps as f64).sin();
    let forces = (0..=steps).map(|k| force(k).max(0.0)).collect();
    let curve = ForceCurve::new(tau / steps as f64, forces, hertz.impulse_ns(), tau);
    let impact = Impact::of_curve(curve).unwrap();
    // F = F₀ sin bt with the impulse 2 F₀/b, through s/(s² + 2βs + 2β²).
    let amplitude = impact.impulse_ns() * b / 2.0 / ball.mass_kg;
    let half = |t: f64| {
        if t <= 0.0 {
            return 0.0;
        }
        // s b/((s² + b²)(s² + 2βs + 2β²)): the steady part is Im(H(ib) e^{ibt}), the transient takes its value and the
        // slope at t = 0 away.
        let s = Complex64::new(0.0, b);
        let h = s / (s * s + 2.0 * beta * s + 2.0 * beta * beta);
        let steady = (h * Complex64::cis(b * t)).im;
        let (value, slope) = (-h.im, -(h * s).im);
        let decay = (-beta * t).exp();
        steady + decay * (value * (beta * t).cos() + (slope / beta + value) * (beta * t).sin())
    };
    let one = |t: f64| AIR_IMPEDANCE_PA_S_M * radius_m * amplitude * (half(t) + half(t - tau));
    // The far ball is a diameter further away, and pushed the other way.
    let delay = 2.0 * radius_m / SOUND_SPEED_M_S;
    let closed = |t: f64| one(t) - one(t - delay);
    let solved = |t: f64| {
        let at = |t: f64| naive(radius_m, &hertz, ball.mass_kg, t);
        at(t) - at(t - delay)
    };
    // The burst, on a fast clock, has the mean over directions instead of the axis.
    let first = AcceleratedBody::new(RigidRadiation::sphere(radius_m), ball.mass_kg);
    let second = AcceleratedBody { sign: -1.0, delay_s: delay, ..first };
    let burst = |impact: &Impact| -> Vec<f64> {
        let burst = impact.acceleration_noise(&[first, second], 1e6, 100.0).unwrap();
        let at = |t: u64| burst.samples().get((100 + t - burst.first_sample()) as usize);
        (0..600).map(|t| at(t).map_or(0.0, |y| f64::from(*y) * 3f64.sqrt())).collect()
    };
    let [closed, solved]: [Vec<f64>; 2] = [
        (0..600).map(|n| closed(n as f64 * 1e-6)).collect(),
        (0..600).map(|n| solved(n as f64 * 1e-6)).collect(),
    ];
    let [half_sine, clicked] = [&impact, &hertz].map(burst);
    let peak = |y: &[f64]| y.iter().fold(0f64, |a, b| a.max(b.abs()));
    let width = |y: &[f64]| y.iter().skip(1).position(|y| *y < 0.0).unwrap() as f64;
    check!("click.two_balls_peak", 20.0 * (peak(&half_sine) / peak(&closed)).log10().abs());
    check!("click.two_balls_duration", (width(&half_sine) / width(&closed) - 1.0).abs());
    // Hertz's force is more peaked than a half-sine of the same impulse and duration.
    check!("click.two_balls_hertz", 20.0 * (peak(&solved) / peak(&closed)).log10());
    let error = clicked.iter().zip(&solved).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 0.01 * peak(&solved), "{error} of {}", peak(&solved));
}

/// Equal bodies that are heard from one place have a quadrupole: its mean over directions.
#[test]
fn opposed_dipoles_leave_a_quadrupole() {
    let radiation = RigidRadiation::sphere(0.01);
    let first = AcceleratedBody::new(radiation, 0.03);
    let second = first.striking(Some(&first));
    let impact = Impact::new(0.01, 1e-3).unwrap();
    let burst = impact.acceleration_noise(&[first, second], F_S, 50.0).unwrap();
    let alone = impact.acceleration_noise(&[first], F_S, 50.0).unwrap();
    for f in [100.0, 300.0, 900.0] {
        let omega = 2.0 * PI * f;
        let x = omega / SOUND_SPEED_M_S * 0.02;
        // ∫₀¹ 2u² (1 − cos xu) du, of 1/3.
        let cosines = x.sin() / x + 2.0 * x.cos() / (x * x) - 2.0 * x.sin() / x.powi(3);
        let truth = (2.0 * (1.0 - 3.0 * cosines)).sqrt();
        let found = (spectrum(&burst, omega) / spectrum(&alone, omega)).norm();
        assert!((found / truth - 1.0).abs() < 0.02, "{f} Hz: {found} {truth}");
    }
}

#[test]
fn bursts_begin_with_the_contact_and_end_in_silence() {
    let radiation = RigidRadiation::sphere(0.01);
    let body = AcceleratedBody::new(radiation, 0.03);
    let impact = Impact::new(0.06, 7e-5).unwrap();
    for start in [0.0, 3.3, 1000.25] {
        let burst = impact.acceleration_noise(&[body], F_S, start).unwrap();
        assert!(burst.first + REACH as u64 >= start as u64);
        let peak = burst.samples.iter().fold(0f32, |a, b| a.max(b.abs()));
        let loudest = burst.samples.iter().position(|y| y.abs() == peak).unwrap();
        let at = burst.first as f64 + loudest as f64;
        assert!(at >= start.floor() && at < start + 8.0, "{start}: {at}");
        assert!(burst.samples.len() < 200);
        assert!(burst.samples.last().unwrap().abs() < 1e-3 * peak);
    }
    assert!(impact.acceleration_noise(&[], F_S, 0.0).is_none());
    let slow = Impact::new(0.06, 100.0).unwrap();
    assert!(slow.acceleration_noise(&[body], F_S, 0.0).is_none());
    for start in [f64::NAN, f64::INFINITY, -1e9] {
        assert!(impact.acceleration_noise(&[body], F_S, start).is_some());
    }
    for mass_kg in [0.0, f64::NAN, f64::INFINITY] {
        let body = AcceleratedBody { mass_kg, ..body };
        assert!(impact.acceleration_noise(&[body], F_S, 0.0).is_none());
    }
}
