//! Touches that last: scraping and rolling of one body as another feels it.

use foley_dsp::excitation::HertzPair;
use foley_dsp::excitation::{
    ContactPatch, Coupling, ForceError, ModalCouplingFilter, Profile, Roll, Scrape, strongest_modes,
};
use foley_dsp::model::ModalModel;
use foley_engine::{Engine, ForceController, Motion, ObjectHandle, force_channel};
use foley_physics::SustainedContact;
use std::sync::Arc;

use crate::sonify::SonifyError;

/// Motions that fit between the threads.
const QUEUED_MOTIONS: usize = 512;
/// Modes that rolling enhances.
const ENHANCED_MODES: usize = 24;
/// How much of rolling is heard at the modes.
const ENHANCEMENT: f64 = 0.7;
/// Slower than this, nothing is heard, m/s.
pub(crate) const MIN_SPEED_M_S: f64 = 2e-3;
/// Contacts break within this, s.
const FADE_OUT_S: f64 = 0.01;
/// After this the force is over and its contact can be used again, s.
pub(crate) const RELEASE_S: f64 = 3.0 * FADE_OUT_S;
/// A force is as fast as it should be after this, s, and may then be heard.
const ONSET_DELAY_S: f64 = 1.0 / 480.0;

/// What is rubbed: one side of a touch.
pub(crate) struct SustainedExcitation {
    /// Which object, from where, at which of its contacts.
    pub(crate) number: usize,
    pub(crate) direction: usize,
    pub(crate) contact: usize,
    pub(crate) object: ObjectHandle,
    /// How much power of it may be heard, W/m².
    pub(crate) power: f64,
    /// When it moved last.
    pub(crate) moved_s: f64,
    scrape: ForceTrack,
    roll: ForceTrack,
}

/// A force, once it has begun, and how fast it moves.
#[derive(Default)]
struct ForceTrack {
    steering: Option<ForceController>,
    speed_m_s: f64,
}

/// What rubs on it.
pub(crate) struct SurfaceContact<'a> {
    pub(crate) model: &'a ModalModel,
    pub(crate) profile: Arc<Profile>,
    /// The model's own modes, as rolling is enhanced by them.
    pub(crate) enhance: Arc<ModalCouplingFilter>,
    pub(crate) friction: f64,
    /// Radius of what rolls, and the modulus of the pair.
    pub(crate) patch: ContactPatch,
    pub(crate) seed: u64,
}

impl SustainedExcitation {
    pub(crate) fn new(
        [number, direction, contact]: [usize; 3],
        object: ObjectHandle,
        power: f64,
        moved_s: f64,
    ) -> Self {
        let (scrape, roll) = (ForceTrack::default(), ForceTrack::default());
        Self { number, direction, contact, object, power, moved_s, scrape, roll }
    }

    /// Goes on as a touch says.
    pub(crate) fn update(
        &mut self,
        engine: &mut Engine,
        touch: &SustainedContact,
        gains: &[f32],
        surface: &SurfaceContact<'_>,
        glide_s: f64,
    ) -> Result<(), SonifyError> {
        engine.set_contact_gains(self.object, self.contact, gains)?;
        let at = MotionUpdate { touch, glide_s, rate: f64::from(engine.settings().sample_rate_hz) };
        let moves = |speed: f64| speed > MIN_SPEED_M_S && touch.force_n > 0.0;
        if self.scrape.steering.is_none() && moves(touch.slip_m_s) {
            let scrape =
                Scrape::new(Arc::clone(&surface.profile), scrape_coupling(surface), surface.seed)?;
            let (steering, force) = force_channel(scrape, QUEUED_MOTIONS);
            engine.attach_force(self.object, self.contact, force)?;
            self.scrape.start(steering, touch.slip_m_s, &at);
        } else {
            self.scrape.update(touch.slip_m_s, &at);
        }
        if self.roll.steering.is_none() && moves(touch.roll_m_s) {
            let (steering, force) = force_channel(roll(surface)?, QUEUED_MOTIONS);
            engine.attach_force(self.object, self.contact, force)?;
            self.roll.start(steering, touch.roll_m_s, &at);
        } else {
            self.roll.update(touch.roll_m_s, &at);
        }
        Ok(())
    }

    /// The contact breaks.
    pub(crate) fn end(self, at_s: f64, sample_rate_hz: f64) {
        for force in [self.scrape, self.roll] {
            force.end(at_s, sample_rate_hz);
        }
    }
}

/// What is told when.
struct MotionUpdate<'a> {
    touch: &'a SustainedContact,
    glide_s: f64,
    rate: f64,
}

// A full queue means that nobody listens: what comes later counts.
impl ForceTrack {
    /// Up to speed first and heard then: gliding up from rest would be a chirp that nothing made.
    fn start(&mut self, mut steering: ForceController, speed_m_s: f64, at: &MotionUpdate<'_>) {
        let _ = steering.aim(at.sample(0.0), Motion { speed_m_s, normal_force_n: 0.0 }, 0);
        let _ = steering.aim(at.sample(ONSET_DELAY_S), at.motion(speed_m_s), at.glide());
        *self = Self { steering: Some(steering), speed_m_s };
    }

    fn update(&mut self, speed_m_s: f64, at: &MotionUpdate<'_>) {
        if let Some(steering) = &mut self.steering {
            let _ = steering.aim(at.sample(0.0), at.motion(speed_m_s), at.glide());
            self.speed_m_s = speed_m_s;
        }
    }

    /// Fades as fast as it was.
    fn end(mut self, at_s: f64, rate: f64) {
        let Some(steering) = &mut self.steering else { return };
        let (at, glide) = ((at_s * rate) as u64, (FADE_OUT_S * rate) as u32);
        let last = Motion { speed_m_s: self.speed_m_s, normal_force_n: 0.0 };
        let _ = steering.aim(at, last, glide);
        let _ = steering.end(at.saturating_add(u64::from(glide)), 0);
    }
}

impl MotionUpdate<'_> {
    fn sample(&self, later_s: f64) -> u64 {
        ((self.touch.at_s + later_s) * self.rate) as u64
    }

    fn glide(&self) -> u32 {
        (self.glide_s * self.rate) as u32
    }

    fn motion(&self, speed_m_s: f64) -> Motion {
        Motion { speed_m_s, normal_force_n: self.touch.force_n }
    }
}

fn scrape_coupling(surface: &SurfaceContact<'_>) -> Coupling {
    Coupling {
        loss: surface.friction,
        impedance_kg_s: impedance_kg_s(surface.model),
        ..Coupling::default()
    }
}

fn roll(surface: &SurfaceContact<'_>) -> Result<Roll, SonifyError> {
    let coupling =
        Coupling { impedance_kg_s: impedance_kg_s(surface.model), ..Coupling::rolling() };
    let (profile, enhance) =
        (Arc::clone(&surface.profile), ModalCouplingFilter::clone(&surface.enhance));
    Ok(Roll::with_filter(profile, coupling, surface.patch, enhance, surface.seed)?)
}

/// Rolling is heard at the modes of a body that answer most, wherever it is touched.
pub(crate) fn enhance(
    model: &ModalModel,
    sample_rate_hz: f64,
) -> Result<ModalCouplingFilter, ForceError> {
    let chosen = strongest_modes(&model.decays, &model.rms_gains(), ENHANCED_MODES);
    let of = |values: &[f64]| chosen.iter().map(|m| values[*m]).collect::<Vec<f64>>();
    ModalCouplingFilter::new(
        &of(&model.frequencies_hz),
        &of(&model.decays),
        ENHANCEMENT,
        sample_rate_hz,
    )
}

/// Z of a body: the inverse of its mobility, on average over its modes, `4 M Δf` with the mean
/// distance Δf of their frequencies.
fn impedance_kg_s(model: &ModalModel) -> f64 {
    let f = &model.frequencies_hz;
    let (low, high) = f.iter().fold((f64::INFINITY, 0f64), |(l, h), f| (l.min(*f), h.max(*f)));
    let spacing_hz = if f.len() > 1 { (high - low) / (f.len() - 1) as f64 } else { high };
    (4.0 * model.body.mass_kg * spacing_hz).clamp(1e-3, 1e7)
}

/// The contact of two pairs of elastic constants, where one rolls.
pub(crate) fn patch(pair: Option<HertzPair>) -> ContactPatch {
    let usual = ContactPatch { radius_m: 0.01, modulus_pa: 1e10 };
    pair.map_or(usual, |pair| ContactPatch {
        radius_m: pair.radius_m().clamp(1e-4, 100.0),
        modulus_pa: pair.modulus_pa().clamp(1e3, 1e14),
    })
}
