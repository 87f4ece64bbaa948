//! Commands of every kind, sent to a scene while it plays.

use foley::dsp::excitation::{Impact, Striker};
use foley::dsp::model::ModalModel;
use foley::scene::edit::Edit;
use foley::scene::prepare::ModelCache;
use foley::scene::sonify::LiveScene;
use foley::{
    Engine, Force, Listening, MetresPerSecond, ObjectHandle, OutputTap, RecordedForce, Report,
    SurfacePoint, Synthesis,
};

use crate::Error;

/// Allocates on the audio thread.
pub(crate) struct AllocatingForce;

impl Force for AllocatingForce {
    fn add(&mut self, _: u64, force: &mut [f32]) -> bool {
        std::hint::black_box(vec![0.0f32; force.len()]);
        true
    }
}

/// Objects of its own, beside those of the scene, and the most that was seen of each kind of work.
pub(crate) struct Commands {
    model: ModalModel,
    ball: Striker,
    /// Stays.
    plate: ObjectHandle,
    /// Comes and goes.
    guest: Option<ObjectHandle>,
    tap: Option<OutputTap>,
    tapped_frames: usize,
    telemetry_voices: usize,
    /// Largest emitter separation, modes that partials replaced, modes left out.
    separation: f64,
    replaced: u64,
    left_out: u64,
    edits: usize,
}

impl Commands {
    pub(crate) fn new(engine: &mut Engine) -> Result<Self, Error> {
        let model = foley::model("plate:300x200x2mm", "steel")?;
        let plate = engine.add_at(model.clone(), [1.0, 0.0, 1.0])?;
        engine.move_contact(plate, 0, SurfacePoint::Point(0))?;
        Ok(Self {
            model,
            ball: Striker::named("steel ball")?,
            plate,
            guest: None,
            tap: engine.take_output_tap(),
            tapped_frames: 0,
            telemetry_voices: 0,
            separation: 0.0,
            replaced: 0,
            left_out: 0,
            edits: 0,
        })
    }

    pub(crate) fn attach(
        &self,
        engine: &mut Engine,
        force: impl Force + 'static,
    ) -> Result<(), Error> {
        Ok(engine.attach_force(self.plate, 0, force)?)
    }

    /// Sends what is due in this round, and looks at what came back.
    pub(crate) fn send(&mut self, live: &mut LiveScene, round: usize) -> Result<(), Error> {
        self.excite(live.engine(), round)?;
        self.come_and_go(live.engine(), round)?;
        let heard = Listening::default();
        match round % 60 {
            20 => live.engine().set_synthesis(Synthesis::Exact),
            30 => live.engine().set_synthesis(Synthesis::Masking2004(heard, 5.0)),
            40 => live.engine().set_synthesis(Synthesis::Perceptual(heard)),
            50 => live.engine().set_playback_db(70.0 + (round % 40) as f64)?,
            _ => {}
        }
        if round % 16 == 15 {
            self.edit(live)?;
        }
        self.look(live.engine());
        Ok(())
    }

    fn excite(&self, engine: &mut Engine, round: usize) -> Result<(), Error> {
        let now = engine.now_s();
        let point = SurfacePoint::Point(round % 50);
        engine.strike(self.plate, point, &self.ball, MetresPerSecond(1.0), now + 0.01)?;
        engine.strike_with(self.plate, point, Impact::new(1e-3, 0.005)?, now)?;
        engine.move_contact(self.plate, 0, point)?;
        engine.set_gain_db(self.plate, (round % 7) as f64 - 3.0)?;
        let angle = round as f64 / 20.0;
        // Jumps now and then, otherwise moves at 10 m/s.
        let position = [6.0 * angle.cos(), 6.0 * angle.sin(), 1.0];
        match round % 25 {
            0 => engine.place(self.plate, position.map(|x| -x))?,
            _ => engine.move_to(self.plate, position)?,
        }
        if round % 30 == 5 {
            let start = (now * f64::from(engine.settings().sample_rate_hz)) as u64;
            self.attach(engine, RecordedForce { start, samples: vec![1e-6; 4_800] })?;
        }
        Ok(())
    }

    /// Adds an object, strikes it, gives it another model, and removes it while it rings.
    fn come_and_go(&mut self, engine: &mut Engine, round: usize) -> Result<(), Error> {
        match (self.guest, round % 4) {
            (None, 0) => {
                let guest = engine.add_at(self.model.clone(), [0.0, round as f64 % 9.0, 1.0])?;
                let now = engine.now_s();
                engine.strike(
                    guest,
                    SurfacePoint::Point(1),
                    &self.ball,
                    MetresPerSecond(2.0),
                    now,
                )?;
                self.guest = Some(guest);
            }
            (Some(guest), 2) => engine.set_model(guest, self.model.clone())?,
            (Some(guest), 3) => {
                engine.remove(guest)?;
                self.guest = None;
            }
            _ => {}
        }
        Ok(())
    }

    /// Removes the last object of the scene and brings it back; changes the gain of the first.
    fn edit(&mut self, live: &mut LiveScene) -> Result<(), Error> {
        let cache = ModelCache::none();
        self.edits += 1;
        if self.edits % 3 == 2 {
            live.undo(&cache)?;
            return Ok(());
        }
        let objects = &live.scene().objects;
        let (Some(first), Some(ring)) =
            (objects.first(), objects.iter().rfind(|o| o.name.starts_with("ring")))
        else {
            return Err("the scene has lost its objects".into());
        };
        let edit = match self.edits % 3 {
            1 => Edit::RemoveObject(ring.id),
            _ => Edit::SetGain { object: first.id, gain_db: -((self.edits % 10) as f64) },
        };
        Ok(live.apply(edit, &cache)?)
    }

    fn look(&mut self, engine: &mut Engine) {
        let report = engine.report();
        self.separation = self.separation.max(report.emitter_separation);
        self.replaced = self.replaced.max(report.audible.saturating_sub(report.computed));
        self.left_out = self.left_out.max(report.left_out);
        let voices = engine.telemetry().map_or(0, |telemetry| telemetry.voices.len());
        self.telemetry_voices = self.telemetry_voices.max(voices);
        if let Some(tap) = &mut self.tap {
            self.tapped_frames += tap.read(&mut [0.0; 4096]);
        }
    }

    pub(crate) fn summary(&self, report: &Report) -> String {
        format!(
            "{} samples, {} edits, most modes replaced {}, most left out {}, emitter separation {:.2}, \
             voices in telemetry {}, frames tapped {}",
            report.clock,
            self.edits,
            self.replaced,
            self.left_out,
            self.separation,
            self.telemetry_voices,
            self.tapped_frames
        )
    }

    /// Checks that the audio thread did the work that is to be watched; with scarce time, that the budget
    /// was exceeded.
    pub(crate) fn check(&self, report: &Report, is_scarce: bool) -> Result<(), Error> {
        let is_watched = self.tap.is_some();
        let done = [
            (report.refused == 0, "a command was refused"),
            (self.edits >= 3, "the scene was not edited"),
            (self.separation > 0.0, "no objects shared an emitter"),
            (self.replaced > 100, "no modes became partials"),
            (!is_scarce || self.left_out > 100, "the budget left nothing out"),
            (!is_watched || self.tapped_frames > 1_000, "the tap gave nothing"),
            (!is_watched || self.telemetry_voices > 10, "there was no telemetry"),
        ];
        match done.iter().find(|(done, _)| !done) {
            Some((_, missing)) => Err((*missing).into()),
            None => Ok(()),
        }
    }
}
