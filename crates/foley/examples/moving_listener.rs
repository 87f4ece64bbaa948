//! A listener walks past a ringing disc, and a ringing rod flies past the listener: `moving_listener.wav`.

use foley::prelude::*;

fn main() -> Result<(), foley::Error> {
    let settings = Settings::default().audible().spatial().with_full_scale_pa(2.0);
    let (mut engine, mut renderer) = Engine::new(settings)?;
    let plate = engine.add_at(foley::model("disc:300x4mm", "bronze")?, [0.0, 2.0, 0.0])?;
    let rod = engine.add_at(foley::model("rod:400x10mm", "aluminium")?, [-30.0, 1.0, 0.0])?;
    let mallet = Striker::named("wooden mallet")?;
    for (object, at_s) in [(plate, 0.0), (plate, 2.0), (rod, 3.0)] {
        engine.strike(object, SurfacePoint::Point(3), &mallet, MetresPerSecond(2.0), at_s)?;
    }

    let mut sound = Vec::new();
    let mut block = vec![0.0; 2 * renderer.block()];
    while engine.now_s() < 6.0 {
        // Positions are those at the end of the coming block.
        let t = engine.next_tick_s();
        engine.set_listener(Listener::at([-3.0 + t, 0.0, 0.0]))?;
        engine.move_at(rod, [-30.0 + 15.0 * (t - 3.0).max(0.0), 1.0, 0.0], None, t)?;
        engine.update();
        renderer.fill(&mut block);
        sound.extend_from_slice(&block);
    }
    let sound = foley::AudioBuffer { samples: sound, channels: 2, sample_rate_hz: 48_000 };
    sound.save("moving_listener.wav")?;
    Ok(())
}
