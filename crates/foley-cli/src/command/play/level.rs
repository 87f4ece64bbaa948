//! What full scale means while nobody knows how loud the rest will be.
//!
//! A scene that names its `full_scale_pa` is played so. One that names a loudness is rendered
//! quickly from its beginning, without being played, and gets the full scale that brings this
//! beginning to the loudness asked for; if nothing is heard there, twice as much is rendered.
//! What is louder later meets the limiter.

use anyhow::{Context, Result};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::scene::Level;
use foley_scene::sonify::{ImpactBackend, RenderSettings, render};
use std::sync::Arc;

/// Rendered at first, s.
const BEGINNING_S: f64 = 4.0;

pub(super) fn full_scale_pa(
    scene: &Scene,
    prepared: &Prepared,
    hail_backend: &ImpactBackend,
) -> Result<f64> {
    if let Level::FullScale(pascal) = scene.level {
        return Ok(pascal);
    }
    let rendering =
        RenderSettings { hail_backend: hail_backend.clone(), ..RenderSettings::default() };
    let mut seconds = BEGINNING_S;
    loop {
        let beginning = Arc::new(Scene { seconds: seconds.min(scene.seconds), ..scene.clone() });
        let rendered = render(&beginning, prepared, &rendering, &mut |_| true)?;
        let rendered = rendered.context("nobody stopped it")?;
        let silent = rendered.samples.iter().all(|y| *y == 0.0);
        if !silent || seconds >= scene.seconds {
            return Ok(rendered.full_scale_pa);
        }
        seconds *= 2.0;
    }
}
