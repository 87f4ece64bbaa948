//! `foley render scene.toml --output scene.wav`: a scene in motion, to a sound file.

use foley::scene::{prepare::ModelCache, sonify};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, output] = &arguments[..] else { return Err("a scene and a sound file".into()) };
    let scene = Arc::new(foley::Scene::load(path)?);
    let prepared = scene.prepare(&ModelCache::user(), &mut |_| true)?;
    let rendered = sonify::render(&scene, &prepared, &Default::default(), &mut |_| true)?;
    let sound = rendered.ok_or("cancelled")?.sound;
    println!("{:.1} LUFS, peak {:.1} dBFS", sound.loudness_lufs()?, sound.peak_dbfs());
    Ok(sound.save(output)?)
}
