//! `foley strike bar:300x30x8mm --material steel --output strike.wav`: one impact.

use foley::AudioBuffer;
use foley::modal::source::{ModelOptions, ModelSource};
use foley::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, material, output] = &arguments[..] else { return Err("three arguments".into()) };
    let options = ModelOptions::default().with_material(material);
    let model = ModelSource::parse(target)?.load(&options, None)?.model;
    let point = SurfacePoint::default_of(&model);
    let seconds = model.ring_time_s(&point.gains(&model)?);
    let mallet = Striker::named("wooden mallet")?;
    let mut struck =
        Offline::of_strike(model, point, &mallet, MetresPerSecond(1.0), Settings::default())?;
    let mut sound = AudioBuffer::render(&mut struck, seconds, |_| ());
    sound.fade_out(f64::min(0.01, seconds / 4.0));
    sound.level(-16.0, 12.0)?;
    Ok(sound.save(output)?)
}
