//! A place on an object where a force excitation for a while: scraping, rolling, rubbing.
//!
//! The gains of a moving contact glide linearly over a block. A force x on gliding gains
//! is the sum of two forces on fixed ones, `(1 − n/B) x` on the old and `(n/B) x` on
//! the new: exact, in every kernel, without zipper noise.

use num_complex::Complex32;

use crate::resonator::layout::Gains;

/// One contact of a voice. Belongs to the audio thread once its voice does.
#[derive(Debug)]
pub(crate) struct Contact {
    pub(crate) gains: Option<Gains>,
    pub(crate) next: Option<Gains>,
    /// Gains of the past, kept until somebody off the audio thread takes them.
    old: Option<Gains>,
    pub(crate) force: Vec<f32>,
    pub(crate) driven: bool,
    /// Spectrum of the first B samples of the impulse response at `gains`.
    pub(crate) response: Vec<Complex32>,
    pub(crate) response_known: bool,
}

impl Contact {
    pub(crate) fn new(block: usize) -> Self {
        Self {
            gains: None,
            next: None,
            old: None,
            force: vec![0.0; block],
            driven: false,
            response: vec![Complex32::ZERO; block + 1],
            response_known: false,
        }
    }

    /// From the next block's start to its end the gains glide here. Gives back gains that
    /// are no longer needed.
    pub(crate) fn move_to(&mut self, gains: Gains) -> Option<Gains> {
        if self.gains.is_none() {
            self.gains = Some(gains);
            self.response_known = false;
            return self.old.take();
        }
        self.next.replace(gains).or_else(|| self.old.take())
    }

    /// The force over the next block, N·s per sample, to be added to; zero again after it.
    pub(crate) fn force(&mut self) -> &mut [f32] {
        self.driven = true;
        &mut self.force
    }

    /// Silences what is not a number; returns whether there was anything to silence.
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

    /// After a block: the glide has arrived, the force is spent.
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

/// One fixed-gain force of a block: a contact, half of a glide, or a pulse.
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
