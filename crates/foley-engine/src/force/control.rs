//! An audio-force on the audio thread, steered from yours.
//!
//! What it is told carries the sample from which it counts, and travels first-in-first-out:
//! a motion that arrives in time takes effect at its very sample, so that a render does not
//! depend on who asked for how many samples when. One that arrives late counts at once.
//! The queue lives here and not beside the forces, which know nothing of threads.

use foley_dsp::excitation::{AudioForce, Motion};
use rtrb::{Consumer, Producer, RingBuffer};
use thiserror::Error;

use super::Force;

/// Why a force cannot be told more.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForceControlError {
    /// The audio thread has not listened to what was said before.
    #[error("{0} motions wait for the audio thread already; render or play first")]
    Busy(usize),
}

/// Something told, and when it counts.
#[derive(Debug, Clone, Copy)]
struct Told {
    at: u64,
    motion: Motion,
    glide_samples: u32,
    is_last: bool,
}

/// Your thread's half: tells a force how its contact moves. Dropped, it ends the force.
#[derive(Debug)]
pub struct ForceController {
    told: Producer<Told>,
}

impl ForceController {
    /// From absolute sample `at` on the force glides to this motion within so many samples,
    /// usually the length of a step of the simulation. Tell in order of time.
    pub fn aim(
        &mut self,
        at: u64,
        motion: Motion,
        glide_samples: u32,
    ) -> Result<(), ForceControlError> {
        self.tell(Told { at, motion, glide_samples, is_last: false })
    }

    /// At this sample the contact breaks: the force fades within so many samples and is over.
    pub fn end(&mut self, at: u64, glide_samples: u32) -> Result<(), ForceControlError> {
        self.tell(Told { at, motion: Motion::default(), glide_samples, is_last: true })
    }

    /// How many motions can be told before the audio thread listens again.
    pub fn room(&self) -> usize {
        self.told.slots()
    }

    fn tell(&mut self, told: Told) -> Result<(), ForceControlError> {
        let capacity = self.told.buffer().capacity();
        self.told.push(told).map_err(|_| ForceControlError::Busy(capacity))
    }
}

/// The audio thread's half: a [`Force`] to be pushed onto an object.
///
/// Real-time, as its force is.
#[derive(Debug)]
pub struct ControlledForce<F> {
    force: F,
    told: Consumer<Told>,
    next: Option<Told>,
    ends: bool,
}

/// A force and the handle that steers it, with room for `capacity` motions in between.
///
/// ```
/// use foley_engine::{Engine, Offline, SurfacePoint, Settings};
/// use foley_modal::{Material, ShapeOptions, Shape};
/// use foley_engine::Source;
/// use foley_engine::{Motion, force_channel};
/// use foley_dsp::excitation::{Coupling, Profile, Scrape, Surface};
/// use std::sync::Arc;
///
/// let (mut engine, renderer) = Engine::new(Settings::default())?;
/// let plate: Shape = "plate:300x200x2mm".parse()?;
/// let plate = engine.add(plate.model(Material::named("steel")?, &ShapeOptions::default())?)?;
/// let profile = Profile::new(&Surface::fractal(-2.0)?, 48_000.0, 1)?;
/// let scrape = Scrape::new(Arc::new(profile), Coupling::default(), 1)?;
/// let (mut steering, force) = force_channel(scrape, 64);
/// engine.move_contact(plate, 0, SurfacePoint::At([0.05, 0.03, 0.0]))?;
/// engine.attach_force(plate, 0, force)?;
/// steering.aim(0, Motion { speed_m_s: 0.3, normal_force_n: 2.0 }, 800)?;
/// steering.end(48_000, 800)?;
/// let mut sound = vec![0.0; 96_000];
/// Offline::new(engine, renderer).fill(&mut sound);
/// assert!(sound.iter().any(|y| y.abs() > 1e-3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn force_channel<F: AudioForce>(
    force: F,
    capacity: usize,
) -> (ForceController, ControlledForce<F>) {
    let (sender, told) = RingBuffer::new(capacity.max(1));
    (ForceController { told: sender }, ControlledForce { force, told, next: None, ends: false })
}

impl<F: AudioForce> ControlledForce<F> {
    fn obey(&mut self, told: Told) {
        if !self.ends {
            self.force.aim(told.motion, told.glide_samples);
            self.ends = told.is_last;
        }
    }
}

impl<F: AudioForce + Send> Force for ControlledForce<F> {
    fn add(&mut self, start: u64, force: &mut [f32]) -> bool {
        // Asked first: what was told before the handle went is still in the queue.
        let is_alone = self.told.is_abandoned();
        let mut done = 0;
        loop {
            self.next = self.next.or_else(|| self.told.pop().ok());
            let now = start.saturating_add(done as u64);
            match self.next {
                Some(told) if told.at <= now => {
                    self.next = None;
                    self.obey(told);
                    continue;
                }
                None if is_alone && !self.ends => {
                    let (motion, glide_samples) = (Motion::default(), 0);
                    self.obey(Told { at: now, motion, glide_samples, is_last: true });
                }
                _ => {}
            }
            let until = self.next.map_or(u64::MAX, |told| told.at - now);
            let count = usize::try_from(until).unwrap_or(usize::MAX).min(force.len() - done);
            if count == 0 {
                break;
            }
            self.force.add(&mut force[done..done + count]);
            done += count;
        }
        !(self.ends && self.force.is_silent())
    }
}
