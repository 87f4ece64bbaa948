//! Strikes a steel bar with a wooden mallet and writes `strike.wav`.

use foley::prelude::*;

fn main() -> Result<(), foley::Error> {
    let (mut engine, renderer) = Engine::new(Settings::default())?;
    let bar = engine.add(foley::model("bar:300x30x8mm", "steel")?)?;
    let mallet = Striker::named("wooden mallet")?;
    // A metre a second, at once and a second later, near the middle and near the end.
    engine.strike(bar, SurfacePoint::At([0.02, 0.0, 0.0]), &mallet, 1.0, 0.0)?;
    engine.strike(bar, SurfacePoint::At([0.14, 0.0, 0.0]), &mallet, 1.0, 1.0)?;
    Offline::new(engine, renderer).write("strike.wav", 3.0)?;
    Ok(())
}
