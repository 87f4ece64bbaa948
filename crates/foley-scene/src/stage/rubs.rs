//! Touches that last: scraping and rolling of one body as another feels it.

use foley::{Engine, Motion, Object, Steered, Steering, steered};
use foley_dsp::contact::HertzPair;
use foley_dsp::force::{Coupling, Patch, Profile, Roll, Rolling, Scrape, strongest};
use foley_dsp::model::ModalModel;
use foley_physics::Touch;
use std::sync::Arc;

use super::StageError;

/// Motions that fit between the threads.
const AHEAD: usize = 512;
/// Modes that rolling enhances.
const ENHANCED: usize = 24;
/// How much of rolling is heard at the modes.
const ENHANCEMENT: f64 = 0.7;
/// Slower than this, nothing is heard, m/s.
pub(super) const SLOWEST_M_S: f64 = 2e-3;
/// Contacts break within this, s.
const ENDS_S: f64 = 0.01;

/// What is rubbed: one side of a touch.
pub(super) struct Rub {
    /// Which object, from where, at which of its contacts.
    pub(super) number: usize,
    pub(super) direction: usize,
    pub(super) contact: usize,
    pub(super) object: Object,
    scrape: Option<Steering>,
    roll: Option<Steering>,
}

/// What rubs on it.
pub(super) struct Rubbing<'a> {
    pub(super) model: &'a ModalModel,
    pub(super) profile: Arc<Profile>,
    pub(super) friction: f64,
    /// Radius of what rolls, and the modulus of the pair.
    pub(super) patch: Patch,
    pub(super) seed: u64,
}

impl Rub {
    pub(super) fn new(number: usize, direction: usize, contact: usize, object: Object) -> Self {
        Self { number, direction, contact, object, scrape: None, roll: None }
    }

    /// Goes on as a touch says.
    pub(super) fn go_on(
        &mut self,
        engine: &mut Engine,
        touch: &Touch,
        gains: &[f32],
        rubbing: &Rubbing<'_>,
        glide_s: f64,
    ) -> Result<(), StageError> {
        let rate = f64::from(engine.settings().sample_rate_hz);
        let (at, glide) = ((touch.at_s * rate) as u64, (glide_s * rate) as u32);
        engine.move_contact_by(self.object, self.contact, gains)?;
        let moves = |speed: f64| speed > SLOWEST_M_S && touch.force_n > 0.0;
        if self.scrape.is_none() && moves(touch.slip_m_s) {
            let scrape =
                Scrape::new(Arc::clone(&rubbing.profile), scraping(rubbing), rubbing.seed)?;
            self.scrape = Some(self.begin(engine, steered(scrape, AHEAD))?);
        }
        if self.roll.is_none() && moves(touch.roll_m_s) {
            self.roll = Some(self.begin(engine, steered(roll(rubbing, gains)?, AHEAD))?);
        }
        let motion = |speed_m_s| Motion { speed_m_s, normal_force_n: touch.force_n };
        // A full queue means that nobody listens: what comes later counts.
        if let Some(scrape) = &mut self.scrape {
            let _ = scrape.aim(at, motion(touch.slip_m_s), glide);
        }
        if let Some(roll) = &mut self.roll {
            let _ = roll.aim(at, motion(touch.roll_m_s), glide);
        }
        Ok(())
    }

    fn begin<F>(
        &self,
        engine: &mut Engine,
        (steering, force): (Steering, Steered<F>),
    ) -> Result<Steering, StageError>
    where
        Steered<F>: foley::Force + 'static,
    {
        engine.push(self.object, self.contact, force)?;
        Ok(steering)
    }

    /// The contact breaks.
    pub(super) fn end(self, at_s: f64, sample_rate_hz: f64) {
        let (at, glide) = ((at_s * sample_rate_hz) as u64, (ENDS_S * sample_rate_hz) as u32);
        for mut steering in [self.scrape, self.roll].into_iter().flatten() {
            let _ = steering.end(at, glide);
        }
    }
}

fn scraping(rubbing: &Rubbing<'_>) -> Coupling {
    Coupling {
        loss: rubbing.friction,
        impedance_kg_s: impedance_kg_s(rubbing.model),
        ..Coupling::default()
    }
}

fn roll(rubbing: &Rubbing<'_>, gains: &[f32]) -> Result<Roll, StageError> {
    let model = rubbing.model;
    let chosen = strongest(&model.decays, gains, ENHANCED);
    let of = |values: &[f64]| chosen.iter().map(|m| values[*m]).collect::<Vec<f64>>();
    let coupling = Coupling { impedance_kg_s: impedance_kg_s(model), ..Coupling::rolling() };
    let rolling = Rolling { patch: rubbing.patch, enhancement: ENHANCEMENT };
    let (f, d) = (of(&model.frequencies_hz), of(&model.decays));
    Ok(Roll::new(Arc::clone(&rubbing.profile), coupling, rolling, &f, &d, rubbing.seed)?)
}

/// Z of a body: the inverse of its mobility, on average over its modes, `4 M Δf` with the mean
/// distance Δf of their frequencies.
fn impedance_kg_s(model: &ModalModel) -> f64 {
    let f = &model.frequencies_hz;
    let (low, high) = f.iter().fold((f64::INFINITY, 0f64), |(l, h), f| (l.min(*f), h.max(*f)));
    let apart_hz = if f.len() > 1 { (high - low) / (f.len() - 1) as f64 } else { high };
    (4.0 * model.body.mass_kg * apart_hz).clamp(1e-3, 1e7)
}

/// The contact of two pairs of elastic constants, where one rolls.
pub(super) fn patch(pair: Option<HertzPair>) -> Patch {
    let usual = Patch { radius_m: 0.01, modulus_pa: 1e10 };
    pair.map_or(usual, |pair| Patch {
        radius_m: pair.radius_m().clamp(1e-4, 100.0),
        modulus_pa: pair.modulus_pa().clamp(1e3, 1e14),
    })
}
