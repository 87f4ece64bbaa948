//! Collision sounds for a Rapier world of one's own: a steel bar falls on a stone floor.
//!
//! Foley only reads the world: its bodies, solver and axes stay as they are.
//! Writes `own_physics.wav`.

use foley::dsp::excitation::HertzPair;
use foley::physics::{Axes, ContactTracker, Event, RapierView};
use foley::prelude::{
    Engine, Impact, Material, Offline, Settings, Shape, ShapeOptions, Striker, SurfacePoint,
};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, Vector};

const BAR: u32 = 1;

fn main() -> Result<(), foley::Error> {
    // A plain Rapier world: y up, 60 steps a second. The bar lies slightly tilted in the air.
    let mut world = PhysicsWorld::new();
    let floor = ColliderBuilder::cuboid(2.0, 0.1, 2.0).translation(Vector::new(0.0, -0.1, 0.0));
    world.insert(RigidBodyBuilder::fixed(), floor);
    let bar = RigidBodyBuilder::dynamic()
        .translation(Vector::new(0.0, 1.0, 0.0))
        .rotation(Vector::new(0.1, 0.0, 0.3))
        .user_data(u128::from(BAR));
    let steel = ColliderBuilder::cuboid(0.15, 0.004, 0.015).density(7850.0).restitution(0.4);
    world.insert(bar, steel);

    // The same bar for Foley: 300 mm along x, 8 mm thick.
    let shape: Shape = "bar:300x30x8mm".parse()?;
    let model = shape.model(Material::named("steel")?, &ShapeOptions::default())?;
    let on_stone = HertzPair::new(&Striker::named("pebble")?, &model.body)?;
    let (mut engine, renderer) = Engine::new(Settings::default())?;
    let bar = engine.add(model)?;

    let mut tracker = ContactTracker::new().with_axes(Axes::Y_UP);
    while tracker.time_s() < 3.0 {
        tracker.before_step(&view(&world));
        world.step();
        for event in tracker.after_step(&view(&world)) {
            let Event::Impact(hit) = event else { continue };
            let Some(side) = hit.bodies.iter().position(|&body| body == BAR) else { continue };
            println!("{:.3} s: {:.2} m/s, {:.3} N·s", hit.at_s, hit.speed_m_s, hit.impulse_ns);
            let impact = Impact::new(hit.impulse_ns, on_stone.contact_time_s(hit.speed_m_s))?;
            engine.strike_with(bar, SurfacePoint::At(hit.places[side]), impact, hit.at_s)?;
        }
    }
    Offline::new(engine, renderer).write("own_physics.wav", 4.0)?;
    Ok(())
}

/// What Foley reads, with the numbers that we gave to our bodies.
fn view(world: &PhysicsWorld) -> RapierView<'_> {
    RapierView::of(world).with_numbers(&|_, body| body.user_data as u32)
}
