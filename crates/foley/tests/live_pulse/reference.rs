//! The known sound: silence, then two struck objects of three modes each, then silence.
//!
//! It is played by an engine and its renderer, and known in closed form.

use foley::Source;
use foley::{Engine, Renderer, Settings, SurfacePoint};
use foley_dsp::excitation::Impact;
use foley_dsp::model::{ContactBody, ModalModel, ModalParts};

pub(crate) const RATE_HZ: u32 = 48_000;
const SILENCE_S: f64 = 0.25;
const SOUND_S: f64 = 2.5;

/// Frequency, decay rate and amplitude in each ear: inharmonic, so that no shift looks
/// alike, and different left and right, so that swapped channels show.
const MODES: [(f64, f64, [f64; 2]); 3] =
    [(311.7, 0.8, [0.35, 0.1]), (1043.9, 1.3, [0.25, -0.3]), (2718.3, 1.9, [0.15, 0.3])];

/// What should be heard.
pub(crate) struct Reference {
    rate_hz: u32,
}

impl Reference {
    pub(crate) fn new(rate_hz: u32) -> Self {
        Self { rate_hz }
    }

    pub(crate) fn length(&self) -> u64 {
        ((SILENCE_S + SOUND_S) * f64::from(self.rate_hz)) as u64
    }

    /// The part that sounds.
    pub(crate) fn frames(&self) -> Vec<[f32; 2]> {
        let silence = (SILENCE_S * f64::from(self.rate_hz)) as u64;
        (silence..self.length()).map(|frame| self.at(frame)).collect()
    }

    fn at(&self, frame: u64) -> [f32; 2] {
        let t = frame as f64 / f64::from(self.rate_hz) - SILENCE_S;
        [0, 1].map(|ear| {
            let sum = MODES.iter().map(|&(hz, d, a)| {
                a[ear] * (-d * t).exp() * (std::f64::consts::TAU * hz * t).sin()
            });
            sum.sum::<f64>() as f32
        })
    }

    /// The engine that makes it, on the audio thread.
    pub(crate) fn source(&self) -> Live {
        let settings = Settings::live(self.rate_hz).with_channels(2);
        let (mut engine, renderer) = Engine::new(settings).unwrap();
        for ear in [0, 1] {
            let object = engine.add_on(model(ear), ear).unwrap();
            // Short enough to be an impulse for these modes.
            let impulse = Impact::new(1.0, 1e-7).unwrap();
            engine.strike_with(object, SurfacePoint::Point(0), impulse, SILENCE_S).unwrap();
        }
        assert_eq!(engine.waiting(), 0, "the strikes are on their way");
        Live { _engine: engine, renderer }
    }
}

fn model(ear: usize) -> ModalModel {
    ModalModel::new(ModalParts {
        name: "reference".into(),
        frequencies_hz: MODES.iter().map(|m| m.0).collect(),
        decays: MODES.iter().map(|m| m.1).collect(),
        points: vec![[0.0; 3]],
        triangles: vec![],
        gains: MODES.iter().map(|m| m.2[ear] as f32).collect(),
        body: ContactBody { mass_kg: 1.0, young_pa: 2e11, poisson: 0.3, radius_m: f64::INFINITY },
        ..ModalParts::default()
    })
    .unwrap()
}

/// The renderer, and the engine that must outlive it.
pub(crate) struct Live {
    _engine: Engine,
    renderer: Renderer,
}

impl Source for Live {
    fn sample_rate_hz(&self) -> u32 {
        self.renderer.sample_rate_hz()
    }
    fn channels(&self) -> usize {
        self.renderer.channels()
    }
    fn fill(&mut self, interleaved: &mut [f32]) {
        self.renderer.fill(interleaved);
    }
}
