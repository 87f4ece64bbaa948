//! Writes the contact trace of a scene.

use crate::scene::Scene;
use foley_geometry::atomic_file::AtomicFile;
use foley_physics::Event;
use foley_physics::trace::Writer;
use std::path::Path;

use super::SceneEvent;
use super::scripted_events::scrape_of;
use crate::sonify::{Rendered, SonifyError};

impl Rendered {
    /// Writes all events except scripted ones, which the scene file contains.
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
                && !is_scripted(event)
            {
                writer.write(event).map_err(failed)?;
            }
        }
        writer.finish().map_err(failed)?;
        Ok(file.keep()?)
    }
}
