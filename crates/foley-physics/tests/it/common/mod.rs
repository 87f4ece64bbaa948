//! Scenes and helpers shared by tests.
#![allow(dead_code, missing_docs, unreachable_pub)]

use foley_geometry::{Collider, Pose};
use foley_physics::{Body, Event, Impact, Mass, Settings, SustainedContact, World};
use std::f64::consts::FRAC_1_SQRT_2;

pub use foley_geometry::constants::GRAVITY_M_S2 as G;
/// Gravity of these worlds. They have y up, unlike scenes: a world has no preferred axis.
pub const DOWN: [f64; 3] = [0.0, -G, 0.0];
pub const RATES_HZ: [f64; 4] = [60.0, 120.0, 240.0, 480.0];

/// Makes a world with a floor, body 0, whose top is at y = 0.
pub fn floor(rate_hz: f64, friction: f64, restitution: f64) -> World {
    let mut world =
        World::new(Settings::default().with_gravity(DOWN).with_rate_hz(rate_hz)).unwrap();
    let floor = Body::fixed("floor", Collider::cuboid(40.0, 1.0, 40.0)).at([0.0, -0.5, 0.0]);
    world.add(&floor.with_surface(friction, restitution)).unwrap();
    world
}

/// Rotates a collider's axis of symmetry from z to y, which is up.
pub fn along_y(collider: Collider) -> Collider {
    let rotation = [-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];
    collider.at(Pose { position_m: [0.0; 3], rotation })
}

/// Makes a box of one kilogram.
pub fn crate_at(position: [f64; 3], edge_m: f64) -> Body {
    Body::dynamic("crate", Collider::cuboid(edge_m, edge_m, edge_m), Mass::Kilograms(1.0))
        .at(position)
}

pub fn run(world: &mut World, until_s: f64) -> Vec<Event> {
    let mut events = Vec::new();
    while world.time_s() < until_s - 1e-9 {
        events.extend_from_slice(world.step());
    }
    events
}

pub fn impacts(events: &[Event]) -> Vec<Impact> {
    let impact = |event: &Event| match event {
        Event::Impact(impact) => Some(*impact),
        _ => None,
    };
    events.iter().filter_map(impact).collect()
}

pub fn contacts(events: &[Event]) -> Vec<SustainedContact> {
    let contact = |event: &Event| match event {
        Event::SustainedContact(contact) => Some(*contact),
        _ => None,
    };
    events.iter().filter_map(contact).collect()
}

/// Returns the processor time of this thread, s.
pub fn processor_s() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9
}
