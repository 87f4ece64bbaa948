//! A busy scene under the real-time sanitizer: `make rtsan`.
//!
//! Without the sanitizer it only renders. With it, the first allocation, lock, wait or
//! other system call on the rendering path ends the program with a stack trace. The
//! argument `oops` allocates on purpose, to show that the sanitizer watches.

use foley_dsp::excitation::{Impact, Striker};
use foley_engine::Source;
use foley_engine::{Engine, MetresPerSecond, RecordedForce, Renderer, Settings, SurfacePoint};
use foley_modal::{Material, Shape, ShapeOptions};
use rtsan_standalone::nonblocking;

#[nonblocking]
fn render(renderer: &mut Renderer, frames: &mut [f32], oops: bool) {
    if oops {
        std::hint::black_box(vec![0.0; frames.len()]);
    }
    renderer.fill(frames);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let oops = std::env::args().any(|argument| argument == "oops");
    let bar: Shape = "bar:300x30x8mm".parse()?;
    let plate: Shape = "plate:300x200x2mm".parse()?;
    let steel = Material::named("steel")?;
    let models = [bar, plate].map(|shape| shape.model(steel, &ShapeOptions::default()));
    let [bar_model, plate_model] = models;
    let (bar_model, plate_model) = (bar_model?, plate_model?);
    for block in [64, 512] {
        let (mut engine, mut renderer) = Engine::new(Settings::default().with_block(block))?;
        let bar = engine.add(bar_model.clone())?;
        let plate = engine.add(plate_model.clone())?;
        let ball = Striker::named("steel ball")?;
        let mut frames = vec![0.0; 480];
        engine.move_contact(plate, 0, SurfacePoint::Point(0))?;
        engine.attach_force(plate, 0, RecordedForce { start: 0, samples: vec![1e-6; 96_000] })?;
        let mut guest = None;
        for round in 0..400 {
            let now = engine.now_s();
            let place = SurfacePoint::Point(round % 50);
            engine.strike(bar, place, &ball, MetresPerSecond(1.0), now + 0.001)?;
            engine.strike_with(plate, place, Impact::new(1e-3, 0.005)?, now)?;
            engine.move_contact(plate, 0, place)?;
            match guest.take() {
                None => guest = Some(engine.add(bar_model.clone())?),
                Some(old) => engine.remove(old)?,
            }
            render(&mut renderer, &mut frames, oops);
            engine.update();
        }
        let report = engine.report();
        println!("block {block}: {} samples, {} refused", report.clock, report.refused);
    }
    Ok(())
}
