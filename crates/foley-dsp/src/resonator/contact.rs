//! A point of an object where a force acts for some time: scraping, rolling, rubbing.
//!
//! The gains of a moving contact are interpolated linearly over a block. A force x on moving gains
//! is the sum of two forces on fixed ones, `(1 − n/B) x` on the old and `(n/B) x` on the new: exact
//! in every kernel, without zipper noise.

use num_complex::Complex32;

use crate::resonator::layout::Gains;

/// The memory of a contact that acts on a voice. Made off the audio thread.
#[derive(Debug)]
pub struct ContactBuffers {
    force: Vec<f32>,
    response: Vec<Complex32>,
}

impl ContactBuffers {
    /// Makes buffers for blocks of this length.
    pub fn new(block: usize) -> Self {
        Self { force: vec![0.0; block], response: vec![Complex32::ZERO; block + 1] }
    }
}

/// One contact of a voice. Owned by the audio thread once its voice is.
#[derive(Debug, Default)]
pub(crate) struct Contact {
    pub(crate) gains: Option<Gains>,
    pub(crate) next: Option<Gains>,
    /// Former gains, kept until they can be freed off the audio thread.
    old: Option<Gains>,
    pub(crate) force: Vec<f32>,
    pub(crate) driven: bool,
    /// Spectrum of the first B samples of the impulse response at `gains`.
    pub(crate) response: Vec<Complex32>,
    pub(crate) response_known: bool,
}

impl Contact {
    /// Makes a contact with its buffers.
    pub(crate) fn new(block: usize) -> Self {
        let ContactBuffers { force, response } = ContactBuffers::new(block);
        Self { force, response, ..Self::default() }
    }

    /// Gives its buffers to a contact without any; returns them when it has some.
    pub(crate) fn set_buffers(&mut self, buffers: ContactBuffers) -> Option<ContactBuffers> {
        if !self.force.is_empty() {
            return Some(buffers);
        }
        ContactBuffers { force: self.force, response: self.response } = buffers;
        None
    }

    /// Interpolates the gains to these over the next block. Returns gains that are no longer
    /// needed.
    pub(crate) fn move_to(&mut self, gains: Gains) -> Option<Gains> {
        if self.gains.is_none() {
            self.gains = Some(gains);
            self.response_known = false;
            return self.old.take();
        }
        self.next.replace(gains).or_else(|| self.old.take())
    }

    /// Returns the force over the next block, N·s per sample, to be added to; zeroed after the
    /// block. `None` without buffers.
    pub(crate) fn force(&mut self) -> Option<&mut [f32]> {
        if self.force.is_empty() {
            return None;
        }
        self.driven = true;
        Some(&mut self.force)
    }

    /// Silences non-finite samples. Returns whether there were any.
    pub(crate) fn sanitise(&mut self) -> bool {
        let mut bad = false;
        for x in &mut self.force {
            if !x.is_finite() {
                *x = 0.0;
                bad = true;
            }
        }
        bad
    }

    /// Ends the block: the new gains are reached, the force is cleared.
    pub(crate) fn end_block(&mut self) {
        if let Some(next) = self.next.take() {
            // `move_to` has emptied `old`, so nothing is freed here.
            self.old = self.gains.replace(next);
            self.response_known = false;
        }
        if self.driven {
            self.force.fill(0.0);
            self.driven = false;
        }
    }
}

/// Window of a fixed-gain force over a block: a contact, or half of an interpolation.
pub(crate) enum Shape {
    Full,
    FadingOut,
    FadingIn,
}

impl Shape {
    pub(crate) fn apply(&self, force: &[f32], x: &mut [f32]) {
        let slope = 1.0 / force.len() as f32;
        for (n, (x, f)) in x.iter_mut().zip(force).enumerate() {
            *x = f * match self {
                Shape::Full => 1.0,
                Shape::FadingOut => 1.0 - n as f32 * slope,
                Shape::FadingIn => n as f32 * slope,
            };
        }
    }
}
