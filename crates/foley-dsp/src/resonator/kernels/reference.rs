//! The reference kernel: f64, one mode after the other, no optimisation.
//!
//! `S_n = z S_{n−1} + a x_n`, sound `Σ Im S_n`: the other kernels must equal it.

use num_complex::Complex64;

use crate::resonator::kernels::per_sample::Force;
use crate::resonator::layout::Layout;
use crate::resonator::layout::modes::MAX_AMPLITUDE;
use crate::resonator::strike::TimedJump;
use crate::simd::flat;

/// The state of the modes of an object in double precision, at the start of the block.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    /// (slot, z, S).
    modes: Vec<(usize, Complex64, Complex64)>,
}

impl Reference {
    pub(crate) fn new(layout: &Layout) -> Self {
        let modes = layout
            .sounding()
            .map(|(m, slot)| (slot, layout.poles[m].power(1.0), Complex64::ZERO))
            .collect();
        Self { modes }
    }

    /// Adds a block of free sound to `out`.
    pub(crate) fn free(&mut self, out: &mut [f64]) {
        for (_, z, s) in &mut self.modes {
            for out in out.iter_mut() {
                *out += s.im;
                *s *= *z;
            }
            if s.norm_sqr() < 1e-60 {
                *s = Complex64::ZERO;
            }
        }
    }

    /// Adds the response to forces and impulses (sorted by sample) from zero state, in the block
    /// that [`Reference::free`] has just advanced over.
    pub(crate) fn forced(
        &mut self,
        forces: &[Force<'_>],
        jumps: &[TimedJump<'_>],
        out: &mut [f64],
    ) {
        if forces.is_empty() && jumps.is_empty() {
            return;
        }
        for (slot, z, end) in &mut self.modes {
            let mut jumps = jumps.iter().peekable();
            let mut s = Complex64::ZERO;
            for (n, out) in out.iter_mut().enumerate() {
                while let Some(jump) = jumps.next_if(|j| j.at <= n) {
                    s += Complex64::new(flat(jump.re)[*slot].into(), flat(jump.im)[*slot].into());
                }
                for (gains, x) in forces {
                    s.re += f64::from(flat(gains)[*slot]) * f64::from(x[n]);
                }
                *out += s.im;
                s *= *z;
            }
            *end += s;
        }
    }

    pub(crate) fn amplitude(&self, slot: usize) -> Option<Complex64> {
        self.modes.iter().find(|m| m.0 == slot).map(|m| m.2)
    }

    pub(crate) fn is_sounding(&self) -> bool {
        self.modes.iter().any(|m| m.2 != Complex64::ZERO)
    }

    pub(crate) fn reset_nonfinite(&mut self) {
        let loudest = f64::from(MAX_AMPLITUDE);
        if !self.modes.iter().all(|m| m.2.re.abs() <= loudest && m.2.im.abs() <= loudest) {
            self.modes.iter_mut().for_each(|m| m.2 = Complex64::ZERO);
        }
    }
}
