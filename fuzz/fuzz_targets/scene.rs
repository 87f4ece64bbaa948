//! Reader of scene files; the files that they name are in memory.
#![no_main]

use foley_fuzz::{assets, seeds, write_seeds};
use foley_scene::{Assets, Scene};
use libfuzzer_sys::fuzz_target;

/// Objects of which geometry is prepared: more are only slow.
const MOST_OBJECTS: usize = 8;

fuzz_target!(init: write_seeds(seeds::scene), |text: &str| {
    let assets = Assets::new(assets().clone());
    if let Ok(scene) = Scene::parse_from(assets.clone(), text) {
        let written = scene.to_toml();
        let again = Scene::parse_from(assets, &written).expect("what was written can be read");
        assert_eq!(again.to_toml(), written, "it reads back as it was written");
        if scene.objects.len() <= MOST_OBJECTS {
            // Sizes may be refused.
            let _ = scene.prepare_geometry();
        }
    }
});
