//! Times of a render are processor time. A program by itself: it measures that of the process.

use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use foley_scene::sonify::{RenderSettings, render};
use std::sync::Arc;
use std::time::Duration;

const SCENE: &str = r#"
    seconds = 1
    full_scale_pa = 5
    ground = "concrete"
    [[object]]
    shape = "bar:300x30x8mm"
    material = "steel"
    position = [0, 0, 0.2]
    max_modes = 12
"#;

/// The simulation waits a second and computes for some milliseconds.
#[test]
fn time_that_a_render_waits_does_not_count() {
    let scene = Arc::new(Scene::parse(SCENE).unwrap());
    let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
    let settings = RenderSettings::default();
    let rendered = render(&scene, &prepared, &settings, &mut |_| {
        std::thread::sleep(Duration::from_millis(50));
        true
    });
    let rendered = rendered.unwrap().unwrap();
    let took_s = rendered.physics_s + rendered.sound_s;
    assert!(rendered.physics_s > 0.0 && rendered.sound_s > 0.0);
    assert!(took_s < 0.5, "{took_s} s");
}
