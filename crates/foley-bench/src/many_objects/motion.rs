//! Motion of the plates: every plate sways, two hundred are scraped.

use foley_physics::{Event, PoseEvent, SustainedContact};
use foley_scene::Scene;
use foley_scene::sonify::SceneEvent;
use std::f64::consts::TAU;

/// Amplitude of the swaying, m, and its frequency, Hz: up to 1.9 m/s.
const SWAY_M: f64 = 0.3;
const SWAY_HZ: f64 = 1.0;
/// Force and speed of a scrape.
const FORCE_N: f64 = 2.0;
const SLIP_M_S: f64 = 0.4;

/// Returns poses of all objects and states of `contacts` scraped ones at a time.
pub(crate) fn events_at(
    scene: &Scene,
    contacts: usize,
    at_s: f64,
) -> impl Iterator<Item = SceneEvent> {
    let poses = scene.objects.iter().enumerate().map(move |(number, object)| {
        let phase = TAU * (SWAY_HZ * at_s + number as f64 / 7.3);
        let mut position = object.pose.position_m;
        position[0] += SWAY_M * phase.sin();
        let velocity = [SWAY_M * TAU * SWAY_HZ * phase.cos(), 0.0, 0.0];
        let rotation = object.pose.rotation;
        Event::Pose(PoseEvent { at_s, body: number as u32, position, rotation, velocity })
    });
    let spread = (scene.objects.len() / contacts.max(1)).max(1);
    let silent = scene.objects.len() as u32;
    let scrapes = (0..contacts).map(move |contact| {
        // The other body is none of the scene: it makes no sound of its own.
        let bodies = [(contact * spread) as u32, silent];
        Event::SustainedContact(SustainedContact {
            at_s,
            contact: contact as u64,
            bodies,
            places: [[0.05 * (TAU * at_s).sin(), 0.02, 0.0], [0.0; 3]],
            normal: [0.0, 0.0, -1.0],
            force_n: FORCE_N,
            slip_m_s: SLIP_M_S,
            roll_m_s: 0.0,
            over: false,
        })
    });
    poses.chain(scrapes).map(SceneEvent::Physics)
}
