//! What happened in a scene, written down.

use crate::scene::Scene;
use foley_physics::Event;
use foley_physics::trace::{TraceError, Writer};
use std::io::Write;

use super::Told;
use super::by_hand::scrape_of;

/// Writes everything that happened but what hands did: the scene file tells that itself.
pub fn write_trace(scene: &Scene, told: &[Told], output: impl Write) -> Result<(), TraceError> {
    let names = scene.objects.iter().map(|object| object.name.as_str());
    let mut writer = Writer::new(output, names)?;
    let by_hand = |event: &Event| match event {
        Event::SustainedContact(touch) => {
            touch.bodies.iter().any(|body| scrape_of(*body).is_some())
        }
        _ => false,
    };
    for told in told {
        if let Told::Event(event) = told
            && !by_hand(event)
        {
            writer.write(event)?;
        }
    }
    writer.finish()?;
    Ok(())
}
