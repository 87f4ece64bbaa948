//! Twelve objects of different materials and sizes under one striker, one after the other, each
//! brought to the same loudness.

use foley_dsp::excitation::Striker;
use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputSettings;
use foley_engine::{AudioBuffer, Engine, MetresPerSecond, Offline, Settings, SurfacePoint};
use foley_modal::{Material, Shape, ShapeOptions};
use std::sync::Arc;

/// Name of the demo.
pub const NAME: &str = "dozen";
/// Description in one line.
pub const ABOUT: &str = "one striker, a dozen objects of different materials and sizes";
/// Name of the striker.
pub const STRIKER: &str = "wooden mallet";
/// The three strikes on each object: seconds after the first, speed in m/s, and place from the
/// middle (0) to the edge (1).
pub const STRIKES: [(f64, f64, f64); 3] = [(0.0, 1.5, 0.12), (0.28, 1.2, 0.55), (0.56, 1.0, 0.93)];
/// Loudness of each object and of the whole, LUFS.
pub const LOUDNESS_LUFS: f64 = -16.0;
/// Seconds between objects.
const PAUSE_S: f64 = 1.5;
/// Seconds each object rings, and over which it then fades under the next ones.
const RING_S: (f64, f64) = (2.0, 2.0);

/// Name, shape and material of each object, in the order they are struck.
pub const OBJECTS: [(&str, &str, &str); 12] = [
    ("steel bar", "bar:300x30x8mm", "steel"),
    ("hardwood bar", "bar:320x40x16mm", "hardwood"),
    ("glass plate", "plate:220x180x4mm", "glass"),
    ("brass disc", "disc:300x2.5mm", "brass"),
    ("stone slab", "bar:420x60x25mm", "stone"),
    ("aluminium rod", "rod:350x14mm", "aluminium"),
    ("china plate", "disc:240x5mm", "bone-china"),
    ("steel sheet", "plate:500x320x1.5mm", "steel"),
    ("bronze plate", "disc:160x4mm", "bronze"),
    ("plastic tray", "plate:280x200x3mm", "plastic"),
    ("copper bar", "bar:260x25x6mm", "copper"),
    ("drum skin", "membrane:360mm,tension=1800N/m,density=0.26kg/m2", "plastic"),
];

/// An error of the demo: none is expected.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// Analyses the twelve objects, calling `progress` after each; returns names and models.
pub fn models(mut progress: impl FnMut()) -> Result<Vec<(&'static str, Arc<ModalModel>)>, Error> {
    let models = OBJECTS.iter().map(|(name, shape, material)| {
        let shape: Shape = shape.parse()?;
        let model = shape.model(Material::named(material)?, &ShapeOptions::default())?;
        progress();
        Ok((*name, Arc::new(model)))
    });
    models.collect()
}

/// Returns a point between the middle of an object (0) and its edge (1), off the axes.
pub fn point_towards_edge(model: &ModalModel, part: f64) -> [f64; 3] {
    let mut reach = [0.0f64; 3];
    for p in &model.points {
        for (r, x) in reach.iter_mut().zip(p) {
            *r = r.max(x.abs());
        }
    }
    [reach[0] * part, reach[1] * part * 0.37, 0.0]
}

/// Renders the sequence, calling `progress` after each object.
pub fn render(
    models: &[(&str, Arc<ModalModel>)],
    mut progress: impl FnMut(),
) -> Result<AudioBuffer, Error> {
    let striker = Striker::named(STRIKER)?;
    let mut sequence: Option<AudioBuffer> = None;
    for (i, (_, model)) in models.iter().enumerate() {
        let output = OutputSettings::default().with_limiter(None);
        let (mut engine, renderer) = Engine::new(Settings::default().with_output(output))?;
        let object = engine.add(Arc::clone(model))?;
        for (at, speed, out) in STRIKES {
            let point = SurfacePoint::At(point_towards_edge(model, out));
            engine.strike(object, point, &striker, MetresPerSecond(speed), at)?;
        }
        let mut part =
            AudioBuffer::render(&mut Offline::new(engine, renderer), RING_S.0 + RING_S.1, |_| ());
        part.fade_out(RING_S.1);
        part.scale(part.gain_to_loudness(LOUDNESS_LUFS, f64::INFINITY));
        let start = (i as f64 * PAUSE_S * f64::from(part.sample_rate_hz)) as usize;
        match &mut sequence {
            None => sequence = Some(part),
            Some(sequence) => {
                sequence.samples.resize(start + part.samples.len(), 0.0);
                for (sum, s) in sequence.samples[start..].iter_mut().zip(&part.samples) {
                    *sum += s;
                }
            }
        }
        progress();
    }
    let mut sequence = sequence.ok_or("there are no models to render")?;
    // Objects that ring longer than others fill the pauses.
    sequence.scale(sequence.gain_to_loudness(LOUDNESS_LUFS, f64::INFINITY));
    Ok(sequence)
}
