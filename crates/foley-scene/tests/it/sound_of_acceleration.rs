//! Clicks of bodies without modes: level, the setting, and bodies that are held.

use crate::common;

use common::sound::{ahead, db, render_text};
use foley_dsp::excitation::{
    AcceleratedBody, Approach, HertzPair, Impact, PointMobility, RigidRadiation, Striker,
};
use foley_dsp::model::ContactBody;
use foley_modal::Material;

const MARBLE_M: f64 = 0.016;
const RESTITUTION: f64 = 0.9;

fn marble() -> Striker {
    let glass = Material::named("glass").unwrap();
    Striker::sphere(0.5 * MARBLE_M, [glass.density, glass.young_pa, glass.poisson])
}

/// A marble flies at 1 m/s away from the listener towards something 1 m away.
fn scene(settings: &str, other: &str) -> String {
    format!(
        "seconds = 0.6\nfull_scale_pa = 1e4\ngravity = 0\n{settings}\n[listener]\nposition = [0, 0, 0]\n\
         [[object]]\nname = \"flying\"\nshape = \"ball:16mm\"\nmaterial = \"glass\"\nsilent = true\n\
         restitution = {RESTITUTION}\nposition = [0, 0.8, 0]\nvelocity = [0, 1, 0]\n{other}"
    )
}

fn at_rest(motion: &str) -> String {
    format!(
        "[[object]]\nname = \"at rest\"\nshape = \"ball:16mm\"\nmaterial = \"glass\"\nsilent = true\n\
         restitution = {RESTITUTION}\nposition = [0, 1, 0]\nmotion = \"{motion}\""
    )
}

/// ∫ p² of the sound.
fn energy(text: &str) -> f64 {
    ahead(&render_text(text)).iter().map(|y| y * y).sum()
}

fn impact(other: &ContactBody) -> Impact {
    let marble = marble();
    let bodies = [marble.mass_kg, other.mass_kg].map(PointMobility::rigid);
    let approach = Approach {
        pair: HertzPair::of_bodies(&marble, other).unwrap(),
        speed_m_s: 1.0,
        contact_restitution: RESTITUTION,
        bodies: bodies.each_ref(),
        patience_s: 0.0,
    };
    Impact::of_curve(approach.collide().unwrap().unwrap().force).unwrap()
}

fn expected(impact: &Impact, bodies: &[AcceleratedBody]) -> f64 {
    let burst = impact.acceleration_noise(bodies, 48e3, 1000.3).unwrap();
    burst.samples().iter().map(|y| f64::from(*y).powi(2)).sum()
}

#[test]
fn two_marbles_click_as_loud_as_physics_says() {
    let radiation = RigidRadiation::sphere(0.5 * MARBLE_M);
    let near = AcceleratedBody::new(radiation, marble().mass_kg);
    // One behind the other: the far one comes later by the way between their centres.
    let far = AcceleratedBody { sign: -1.0, delay_s: MARBLE_M / 343.2, ..near };
    let truth = expected(&impact(&marble()), &[near, far]);
    let found = energy(&scene("", &at_rest("dynamic")));
    println!("{:.1} dB SPL·s", 10.0 * (found / 48e3 / 4e-10).log10());
    foley_measured::check!("click.marbles", db((found / truth).sqrt()).abs());
    assert_eq!(energy(&scene("acceleration_noise = false", &at_rest("dynamic"))), 0.0);
}

/// What is fixed does not move as a whole: only the marble that hits it clicks.
#[test]
fn a_fixed_body_does_not_click() {
    let radiation = RigidRadiation::sphere(0.5 * MARBLE_M);
    let body = AcceleratedBody::new(radiation, marble().mass_kg);
    let truth = expected(&impact(&ContactBody { mass_kg: 1e9, ..marble() }), &[body]);
    let found = energy(&scene("", &at_rest("fixed")));
    foley_measured::check!("click.marbles", db((found / truth).sqrt()).abs());
}

/// A scripted strike on a body without modes: it and the ball click if it can move.
#[test]
fn a_struck_body_without_modes_clicks() {
    let sound = |motion: &str, setting: &str| {
        energy(&format!(
            "seconds = 0.3\nfull_scale_pa = 1e4\ngravity = 0\n{setting}\n[listener]\nposition = [0, 0, 0]\n\
             [[object]]\nname = \"marble\"\nshape = \"ball:16mm\"\nmaterial = \"glass\"\nposition = [0, 1, 0]\n\
             motion = \"{motion}\"\n[[strike]]\nobject = \"marble\"\nat_s = 0.01\nwith = \"glass marble\""
        ))
    };
    let glass = Striker::named("glass marble").unwrap();
    let first = AcceleratedBody::new(RigidRadiation::sphere(0.5 * MARBLE_M), marble().mass_kg);
    let second = glass.accelerated_body().unwrap().striking(Some(&first));
    let bodies = [glass.mass_kg, marble().mass_kg].map(PointMobility::rigid);
    let approach = Approach {
        pair: HertzPair::of_bodies(&glass, &marble()).unwrap(),
        speed_m_s: 1.0,
        contact_restitution: glass.contact_restitution(),
        bodies: bodies.each_ref(),
        patience_s: 0.0,
    };
    let force = approach.collide().unwrap().unwrap().force;
    let truth = expected(&Impact::of_curve(force).unwrap(), &[first, second]);
    let found = sound("dynamic", "");
    foley_measured::check!("click.marbles", db((found / truth).sqrt()).abs());
    assert_eq!(sound("fixed", ""), 0.0);
    assert_eq!(sound("dynamic", "acceleration_noise = false"), 0.0);
}
