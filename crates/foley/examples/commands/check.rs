//! `foley check FILE`: is this mesh, scene, model or sound file valid?

use foley::geometry::mesh;
use foley::scene::sonify::HailGeometry;
use foley::{Scene, audio_file, modal};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = PathBuf::from(std::env::args().nth(1).ok_or("a file")?);
    let remarks = match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => {
            let scene = Scene::load(&path)?;
            let prepared = scene.prepare_geometry()?;
            HailGeometry::new(&scene, &prepared)?;
            prepared.notes
        }
        Some("modal") => modal::remarks(&modal::file::load(&path)?),
        Some("wav" | "flac") => audio_file::examine(&path)?.remarks(),
        _ => mesh::load(&path, &Default::default())?.report.notes,
    };
    remarks.iter().for_each(|remark| println!("note: {remark}"));
    println!("{}: good", path.display());
    Ok(())
}
