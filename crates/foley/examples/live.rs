//! Plays strikes on the sound card while they are made. `live null` plays to nowhere.

use foley::device::{self, Device};
use foley::mock::{Blocks, MockDevice};
use foley::prelude::*;
use std::time::Duration;

fn main() -> Result<(), foley::Error> {
    let device = match std::env::args().nth(1).as_deref() {
        Some("null") => None,
        _ => Some(Device::open(None, &device::Settings::default())?),
    };
    let rate_hz = device.as_ref().map_or(48_000, Device::sample_rate_hz);
    let (mut engine, mut renderer) = Engine::new(Settings::live(rate_hz))?;
    let bar = engine.add(foley::model("bar:300x30x8mm", "aluminium")?)?;
    let mallet = Striker::named("wooden mallet")?;
    let strike = |engine: &mut Engine, x: f64| {
        let point = SurfacePoint::At([x, 0.0, 0.0]);
        engine.strike(bar, point, &mallet, MetresPerSecond(1.5), Time::Now)
    };
    let Some(device) = device else {
        let mut x = 0.0;
        let played =
            MockDevice::new(Blocks::Fixed(512)).play_with(&mut renderer, 96_000, |_, _| {
                x += 1e-3;
                let _ = strike(&mut engine, x);
                engine.update();
            });
        assert!(played.samples.iter().any(|y| y.abs() > 1e-3));
        return Ok(());
    };
    let stream = device.play(renderer)?;
    for beat in 0..8 {
        strike(&mut engine, 0.02 * f64::from(beat))?;
        stream.wait(Duration::from_millis(250))?;
        engine.update();
    }
    Ok(())
}
