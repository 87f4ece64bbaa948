//! Strikes a steel bar with a wooden mallet and writes `strike.wav`.

use foley::prelude::*;

fn main() -> Result<(), foley::Error> {
    let (mut engine, renderer) = Engine::new(Settings::default())?;
    let bar = engine.add(foley::model("bar:300x30x8mm", "steel")?)?;
    let mallet = Striker::named("wooden mallet")?;
    // At once near the middle, and a second later near the end.
    let speed = MetresPerSecond(1.0);
    engine.strike(bar, SurfacePoint::At([0.02, 0.0, 0.0]), &mallet, speed, Time::Now)?;
    engine.strike(bar, SurfacePoint::At([0.14, 0.0, 0.0]), &mallet, speed, Time::Seconds(1.0))?;
    Offline::new(engine, renderer).write("strike.wav", 3.0)?;
    Ok(())
}
