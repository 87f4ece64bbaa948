//! Writes the contact trace of a scene.

use crate::scene::Scene;
use foley_physics::Event;
use foley_physics::trace::{TraceError, Writer};
use std::io::Write;

use super::SceneEvent;
use super::scripted_events::scrape_of;

/// Writes all events except scripted ones, which the scene file contains.
pub fn write_trace(
    scene: &Scene,
    events: &[SceneEvent],
    output: impl Write,
) -> Result<(), TraceError> {
    let names = scene.objects.iter().map(|object| object.name.as_str());
    let mut writer = Writer::new(output, names)?;
    let is_scripted = |event: &Event| match event {
        Event::SustainedContact(touch) => {
            touch.bodies.iter().any(|body| scrape_of(*body).is_some())
        }
        _ => false,
    };
    for event in events {
        if let SceneEvent::Physics(event) = event
            && !is_scripted(event)
        {
            writer.write(event)?;
        }
    }
    writer.finish()?;
    Ok(())
}
