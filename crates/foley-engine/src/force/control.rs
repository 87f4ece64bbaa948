//! A force on the audio thread, controlled from another thread.
//!
//! Motions carry the sample at which they take effect and travel first-in-first-out: one that
//! arrives in time takes effect at that sample, so that a render does not depend on the host's
//! block lengths. One that arrives late takes effect at once. The queue is here and not in
//! `foley-dsp`, which knows nothing of threads.

use foley_dsp::excitation::{AudioForce, Motion};
use rtrb::{Consumer, Producer, RingBuffer};
use thiserror::Error;

use super::Force;

/// A motion was refused.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForceControlError {
    /// The queue is full.
    #[error("{0} motions wait for the audio thread already; render or play first")]
    Busy(usize),
}

/// A motion and the sample at which it takes effect.
#[derive(Debug, Clone, Copy)]
struct TimedMotion {
    at: u64,
    motion: Motion,
    glide_samples: u32,
    is_last: bool,
}

/// The controlling half: sends the motion of a contact. When dropped, it ends the force.
#[derive(Debug)]
pub struct ForceController {
    motions: Producer<TimedMotion>,
}

impl ForceController {
    /// From absolute sample `at` on, interpolates to this motion within `glide_samples`, usually
    /// a step of the simulation. Motions are sent in order of time.
    pub fn set_motion(
        &mut self,
        at: u64,
        motion: Motion,
        glide_samples: u32,
    ) -> Result<(), ForceControlError> {
        self.send(TimedMotion { at, motion, glide_samples, is_last: false })
    }

    /// Ends the contact at this sample: the force fades within `glide_samples`.
    pub fn end(&mut self, at: u64, glide_samples: u32) -> Result<(), ForceControlError> {
        self.send(TimedMotion { at, motion: Motion::default(), glide_samples, is_last: true })
    }

    /// Returns the number of free slots in the queue.
    pub fn free_slots(&self) -> usize {
        self.motions.slots()
    }

    fn send(&mut self, motion: TimedMotion) -> Result<(), ForceControlError> {
        let capacity = self.motions.buffer().capacity();
        self.motions.push(motion).map_err(|_| ForceControlError::Busy(capacity))
    }
}

/// The controlled half: a [`Force`] to attach to an object. Real-time, as its force is.
#[derive(Debug)]
pub struct ControlledForce<F> {
    force: F,
    motions: Consumer<TimedMotion>,
    next: Option<TimedMotion>,
    ends: bool,
}

/// Returns the controller of a force and the force, with a queue of `capacity` motions.
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
/// let (mut controller, force) = force_channel(scrape, 64);
/// engine.move_contact(plate, 0, SurfacePoint::At([0.05, 0.03, 0.0]))?;
/// engine.attach_force(plate, 0, force)?;
/// controller.set_motion(0, Motion { speed_m_s: 0.3, normal_force_n: 2.0 }, 800)?;
/// controller.end(48_000, 800)?;
/// let mut sound = vec![0.0; 96_000];
/// Offline::new(engine, renderer).fill(&mut sound);
/// assert!(sound.iter().any(|y| y.abs() > 1e-3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn force_channel<F: AudioForce>(
    force: F,
    capacity: usize,
) -> (ForceController, ControlledForce<F>) {
    let (sender, motions) = RingBuffer::new(capacity.max(1));
    (
        ForceController { motions: sender },
        ControlledForce { force, motions, next: None, ends: false },
    )
}

impl<F: AudioForce> ControlledForce<F> {
    fn apply(&mut self, motion: TimedMotion) {
        if !self.ends {
            self.force.aim(motion.motion, motion.glide_samples);
            self.ends = motion.is_last;
        }
    }
}

impl<F: AudioForce + Send> Force for ControlledForce<F> {
    fn add(&mut self, start: u64, force: &mut [f32]) -> bool {
        // Read first: motions sent before the controller was dropped are still in the queue.
        let is_alone = self.motions.is_abandoned();
        let mut done = 0;
        loop {
            self.next = self.next.or_else(|| self.motions.pop().ok());
            let now = start.saturating_add(done as u64);
            match self.next {
                Some(motion) if motion.at <= now => {
                    self.next = None;
                    self.apply(motion);
                    continue;
                }
                None if is_alone && !self.ends => {
                    let (motion, glide_samples) = (Motion::default(), 0);
                    self.apply(TimedMotion { at: now, motion, glide_samples, is_last: true });
                }
                _ => {}
            }
            let until = self.next.map_or(u64::MAX, |motion| motion.at - now);
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
