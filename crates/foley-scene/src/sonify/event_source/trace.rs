//! Writes the contact trace of a scene, and counts what a trace has beyond the end of its scene.

use crate::scene::Scene;
use foley_geometry::atomic_file::AtomicFile;
use foley_physics::Event;
use foley_physics::trace::Writer;
use std::path::Path;

use super::scripted_events::scrape_of;
use super::{EventSource, PhysicsSource, SceneEvent};
use crate::sonify::{Rendered, SonifyError};

impl Rendered {
    /// Writes all events before the end of the scene, except scripted ones, which the scene file contains.
    pub fn write_trace(&self, scene: &Scene, path: &Path) -> Result<(), SonifyError> {
        let failed = |source| SonifyError::Trace { path: path.to_owned(), source };
        let file = AtomicFile::create(path)?;
        let names = scene.objects.iter().map(|object| object.name.as_str());
        let mut writer = Writer::new(file.file(), names).map_err(failed)?;
        let is_scripted = |event: &Event| match event {
            Event::SustainedContact(contact) => {
                contact.bodies.iter().any(|body| scrape_of(*body).is_some())
            }
            _ => false,
        };
        for event in &self.events {
            if let SceneEvent::Physics(event) = event
                && event.at_s() < scene.seconds
                && !is_scripted(event)
            {
                writer.write(event).map_err(failed)?;
            }
        }
        writer.finish().map_err(failed)?;
        Ok(file.keep()?)
    }
}

impl EventSource {
    /// Reads the rest of a trace. Returns a note on its contacts after the end of the scene; `None` without any, and
    /// for a simulation.
    pub(crate) fn read_rest_of_trace(
        &mut self,
        seconds: f64,
    ) -> Result<Option<String>, SonifyError> {
        let PhysicsSource::Trace { path, reader, next } = &mut self.source else { return Ok(None) };
        let (mut count, mut latest_s) = (0_u64, 0.0_f64);
        let failed = |source| SonifyError::Trace { path: path.clone(), source };
        while let Some(event) = next.take() {
            if !matches!(event, Event::Pose(_)) {
                count += 1;
                latest_s = latest_s.max(event.at_s());
            }
            *next = reader.next().transpose().map_err(failed)?;
        }
        let contacts = if count == 1 { "contact" } else { "contacts" };
        let note = || {
            format!(
                "{}: after the end of the scene at {seconds} s: {count} {contacts} (the last at {latest_s} s); write a \
                 larger `seconds`",
                path.display()
            )
        };
        Ok((count > 0).then(note))
    }
}
