//! `foley plot model.modal --output modes.png`: a picture of a model or of a sound.

use foley::{modal, plot};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args().skip(1).map(PathBuf::from);
    let (file, output) = paths.next().zip(paths.next()).ok_or("a file and a picture")?;
    let picture = match file.extension().is_some_and(|ending| ending == "modal") {
        true => plot::modes_picture(&modal::file::load(&file)?, None)?,
        false => plot::file_spectrogram_picture(&file)?,
    };
    picture.draw(&output)?.keep()?;
    Ok(())
}
