//! Sustained contact: the sliding and rolling forces on one of two bodies.

use foley_dsp::excitation::{
    ContactPatch, Coupling, ForceError, HertzPair, ModalCouplingFilter, Profile, Roll, Scrape,
    strongest_modes,
};
use foley_dsp::model::ModalModel;
use foley_engine::{Engine, ForceController, Motion, ObjectHandle, force_channel};
use foley_physics::SustainedContact;
use std::sync::Arc;

use crate::sonify::SonifyError;

/// Capacity of the queue of motions to the audio thread.
const QUEUED_MOTIONS: usize = 512;
/// Number of modes that the rolling filter enhances. Chosen without measurement: enough for the
/// strongest modes of a body, few enough to filter in real time.
const ENHANCED_MODES: usize = 24;
/// Share of the rolling force that passes the filter of the modes. Chosen without measurement.
const ENHANCED_SHARE: f64 = 0.7;
/// Contacts slower than this make no sound, m/s.
pub(crate) const MIN_SPEED_M_S: f64 = 2e-3;
/// Fade-out time of a contact that ends, s.
const FADE_OUT_S: f64 = 0.01;
/// Time after which an ended force is silent and its contact can be used again, s.
pub(crate) const RELEASE_S: f64 = 3.0 * FADE_OUT_S;
/// Time that a force takes to reach its speed before it is heard, s: half a step of the default
/// simulation.
const ONSET_DELAY_S: f64 = 1.0 / 480.0;

/// The sustained excitation of one side of a contact.
pub(crate) struct SustainedExcitation {
    /// Object number, and contact of the object.
    pub(crate) number: usize,
    pub(crate) contact: usize,
    pub(crate) object: ObjectHandle,
    /// Dissipated power over squared distance, W/m²: the priority of the contact.
    pub(crate) power: f64,
    /// Time at which it last moved.
    pub(crate) moved_s: f64,
    scrape: ForceTrack,
    roll: ForceTrack,
}

/// A scraping or rolling force and its last speed.
#[derive(Default)]
struct ForceTrack {
    controller: Option<ForceController>,
    speed_m_s: f64,
}

/// The parameters of a contact.
pub(crate) struct SurfaceContact<'a> {
    pub(crate) model: &'a ModalModel,
    pub(crate) profile: Arc<Profile>,
    /// Rolling filter of the excited body.
    pub(crate) filter: Arc<ModalCouplingFilter>,
    pub(crate) friction: f64,
    /// Radius of the rolling body and modulus of the pair.
    pub(crate) patch: ContactPatch,
    pub(crate) seed: u64,
}

impl SustainedExcitation {
    pub(crate) fn new(
        [number, contact]: [usize; 2],
        object: ObjectHandle,
        power: f64,
        moved_s: f64,
    ) -> Self {
        let (scrape, roll) = (ForceTrack::default(), ForceTrack::default());
        Self { number, contact, object, power, moved_s, scrape, roll }
    }

    /// Follows a contact event.
    pub(crate) fn update(
        &mut self,
        engine: &mut Engine,
        contact: &SustainedContact,
        gains: &[f32],
        surface: &SurfaceContact<'_>,
        glide_s: f64,
    ) -> Result<(), SonifyError> {
        engine.set_contact_gains(self.object, self.contact, gains)?;
        let at =
            MotionUpdate { contact, glide_s, rate: f64::from(engine.settings().sample_rate_hz) };
        let moves = |speed: f64| speed > MIN_SPEED_M_S && contact.force_n > 0.0;
        if self.scrape.controller.is_none() && moves(contact.slip_m_s) {
            let scrape =
                Scrape::new(Arc::clone(&surface.profile), scrape_coupling(surface), surface.seed)?;
            let (controller, force) = force_channel(scrape, QUEUED_MOTIONS);
            engine.attach_force(self.object, self.contact, force)?;
            self.scrape.start(controller, contact.slip_m_s, &at);
        } else {
            self.scrape.update(contact.slip_m_s, &at);
        }
        if self.roll.controller.is_none() && moves(contact.roll_m_s) {
            let (controller, force) = force_channel(roll(surface)?, QUEUED_MOTIONS);
            engine.attach_force(self.object, self.contact, force)?;
            self.roll.start(controller, contact.roll_m_s, &at);
        } else {
            self.roll.update(contact.roll_m_s, &at);
        }
        Ok(())
    }

    /// Ends both forces.
    pub(crate) fn end(self, at_s: f64, sample_rate_hz: f64) {
        for force in [self.scrape, self.roll] {
            force.end(at_s, sample_rate_hz);
        }
    }
}

/// A contact event with its times in samples.
struct MotionUpdate<'a> {
    contact: &'a SustainedContact,
    glide_s: f64,
    rate: f64,
}

// A motion that does not fit into the queue is dropped: later ones replace it.
impl ForceTrack {
    /// Starts at full speed with zero force: a glide up in speed would be audible as a chirp.
    fn start(&mut self, mut controller: ForceController, speed_m_s: f64, at: &MotionUpdate<'_>) {
        let _ = controller.set_motion(at.sample(0.0), Motion { speed_m_s, normal_force_n: 0.0 }, 0);
        let _ = controller.set_motion(at.sample(ONSET_DELAY_S), at.motion(speed_m_s), at.glide());
        *self = Self { controller: Some(controller), speed_m_s };
    }

    fn update(&mut self, speed_m_s: f64, at: &MotionUpdate<'_>) {
        if let Some(controller) = &mut self.controller {
            let _ = controller.set_motion(at.sample(0.0), at.motion(speed_m_s), at.glide());
            self.speed_m_s = speed_m_s;
        }
    }

    /// Fades out at the last speed.
    fn end(mut self, at_s: f64, rate: f64) {
        let Some(controller) = &mut self.controller else { return };
        let (at, glide) = ((at_s * rate) as u64, (FADE_OUT_S * rate) as u32);
        let last = Motion { speed_m_s: self.speed_m_s, normal_force_n: 0.0 };
        let _ = controller.set_motion(at, last, glide);
        let _ = controller.end(at.saturating_add(u64::from(glide)), 0);
    }
}

impl MotionUpdate<'_> {
    fn sample(&self, later_s: f64) -> u64 {
        ((self.contact.at_s + later_s) * self.rate) as u64
    }

    fn glide(&self) -> u32 {
        (self.glide_s * self.rate) as u32
    }

    fn motion(&self, speed_m_s: f64) -> Motion {
        Motion { speed_m_s, normal_force_n: self.contact.force_n }
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
    let (profile, filter) =
        (Arc::clone(&surface.profile), ModalCouplingFilter::clone(&surface.filter));
    Ok(Roll::with_filter(profile, coupling, surface.patch, filter, surface.seed)?)
}

/// Returns the filter that enhances rolling at the strongest modes of a body, wherever the contact is.
pub(crate) fn coupling_filter(
    model: &ModalModel,
    sample_rate_hz: f64,
) -> Result<ModalCouplingFilter, ForceError> {
    let chosen = strongest_modes(&model.decays, &model.rms_gains(), ENHANCED_MODES);
    let of = |values: &[f64]| chosen.iter().map(|m| values[*m]).collect::<Vec<f64>>();
    ModalCouplingFilter::new(
        &of(&model.frequencies_hz),
        &of(&model.decays),
        ENHANCED_SHARE,
        sample_rate_hz,
    )
}

/// Returns the impedance Z of a body: the inverse of its mobility, averaged over its modes, `4 M Δf`
/// with the mean spacing Δf of their frequencies.
fn impedance_kg_s(model: &ModalModel) -> f64 {
    let f = &model.frequencies_hz;
    let (low, high) = f.iter().fold((f64::INFINITY, 0f64), |(l, h), f| (l.min(*f), h.max(*f)));
    let spacing_hz = if f.len() > 1 { (high - low) / (f.len() - 1) as f64 } else { high };
    (4.0 * model.body.mass_kg * spacing_hz).clamp(1e-3, 1e7)
}

/// Returns the contact patch of a rolling pair. Without a pair, that of a hard body of 1 cm radius:
/// assumed, not measured.
pub(crate) fn patch(pair: Option<HertzPair>) -> ContactPatch {
    let fallback = ContactPatch { radius_m: 0.01, modulus_pa: 1e10 };
    pair.map_or(fallback, |pair| ContactPatch {
        radius_m: pair.radius_m().clamp(1e-4, 100.0),
        modulus_pa: pair.modulus_pa().clamp(1e3, 1e14),
    })
}
