//! Finds the modes of a recorded strike, and strikes them again: `fit.wav`.
//!
//! The recording is made here, of a glass plate; put the path of one of your own in its place.

use foley::modal::fit::{self, Recording};
use foley::prelude::*;

fn main() -> Result<(), foley::Error> {
    let plate = foley::model("plate:200x150x4mm", "glass")?;
    let (ball, speed) = (Striker::named("steel ball")?, MetresPerSecond(0.5));
    let point = SurfacePoint::default_of(&plate);
    Offline::of_strike(plate, point, &ball, speed, Settings::default())?
        .write("recording.wav", 2.0)?;

    let sound = foley::audio_file::read("recording.wav".as_ref())?;
    let recording = Recording {
        sample_rate_hz: f64::from(sound.sample_rate_hz),
        samples: sound.channels[0].clone(),
    };
    let model = fit::fit(&[recording], &fit::Options::default())?.model;
    println!("{} modes, the lowest at {:.1} Hz", model.mode_count(), model.frequencies_hz[0]);
    Offline::of_strike(model, SurfacePoint::Point(0), &ball, speed, Settings::default())?
        .write("fit.wav", 2.0)?;
    Ok(())
}
