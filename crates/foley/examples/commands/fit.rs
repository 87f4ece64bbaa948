//! `foley fit bell.wav --output fitted.modal`: modes of a recorded strike, and their resynthesis.

use foley::modal::fit::{self, Options, Recording};
use foley::modal::{ContactBody, Material, file};
use foley::{AudioBuffer, audio_file};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args().skip(1).map(PathBuf::from);
    let (path, output) = paths.next().zip(paths.next()).ok_or("a recording and a model")?;
    let mut sound = audio_file::read(&path)?;
    let loudest = sound.loudest_channel().ok_or("no channels")?;
    let (samples, rate) = (sound.channels.swap_remove(loudest), sound.sample_rate_hz);
    let (glass, options) = (Material::named("glass")?, Options::default());
    let (young_pa, poisson) = (glass.young_pa, glass.poisson);
    let body = ContactBody { young_pa, poisson, ..options.body };
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let recording = Recording { samples, sample_rate_hz: f64::from(rate) };
    let fitted = fit::fit(&[recording], &options.with_name(name).with_body(body))?;
    file::save(&fitted.model, &output)?;
    let samples = fitted.strikes[0].resynthesis.clone();
    let resynthesis = AudioBuffer { samples, channels: 1, sample_rate_hz: rate };
    let stem = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    resynthesis.save(output.with_file_name(stem + "-resynthesis.wav"))?;
    Ok(())
}
