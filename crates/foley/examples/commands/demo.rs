//! `foley demo picnic`: a built-in scene to sound, pictures, a film and its scene file in `out`.

use foley::geometry::atomic_file::AtomicFile;
use foley::plot::{self, SceneView, computed_modes};
use foley::scene::{demos, prepare::ModelCache, sonify::render};
use std::{error::Error, path::Path, sync::Arc};

fn main() -> Result<(), Box<dyn Error>> {
    let (name, folder) = (std::env::args().nth(1).unwrap_or("picnic".into()), Path::new("out"));
    let (demo, cache) = (demos::named(&name).ok_or("no such demo")?, ModelCache::user());
    let scene = Arc::new(demo.save(folder, &cache, &mut |_, _| true)?.0);
    let (prepared, settings) = (scene.prepare(&cache, &mut |_| true)?, Default::default());
    let mut rendered = render(&scene, &prepared, &settings, &mut |_| true)?.ok_or("cancelled")?;
    demos::level(&mut rendered.sound)?;
    let file = |end: &str| folder.join(name.clone() + end);
    rendered.sound.save(file(".wav"))?;
    let view = SceneView::new(&scene, &prepared, &rendered.events);
    plot::draw_still(&view, &file(".png"))?.keep()?;
    plot::draw_spectrogram(&rendered.sound, &scene.title, &file("-spectrogram.png"))?.keep()?;
    if scene.hail.is_some() {
        plot::draw_line_chart(&computed_modes(&scene, &rendered), &file("-modes.png"))?.keep()?;
        plot::draw_impact_map(&scene, &prepared, &file("-impact-map.png"))?.0.keep()?;
        let film = plot::film(&view, &file(".wav"), &file(".mp4"), &mut |_| ())?;
        film.map(AtomicFile::keep).transpose()?;
    }
    Ok(())
}
