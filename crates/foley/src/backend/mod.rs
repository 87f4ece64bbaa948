//! Where the sound goes: a sound card, a file, or a device that only exists in tests.
//!
//! Every backend pulls frames from one [`Source`], so a scene sounds the same live and written
//! to disk:
//!
//! | backend | clock | for |
//! |---|---|---|
//! | [`device`] | the sound card's | listening |
//! | [`file`](mod@file) | none: as fast as it goes | WAV and FLAC |
//! | [`mock`] | virtual, or the wall's | tests and benchmarks |
//!
//! ```
//! use foley::backend::{Source, mock::MockDevice};
//!
//! /// A 440 Hz tone.
//! struct Tone(u64);
//!
//! impl Source for Tone {
//!     fn sample_rate_hz(&self) -> u32 {
//!         48_000
//!     }
//!     fn channels(&self) -> usize {
//!         1
//!     }
//!     fn fill(&mut self, interleaved: &mut [f32]) {
//!         for sample in interleaved {
//!             let t = self.0 as f64 / 48_000.0;
//!             *sample = (std::f64::consts::TAU * 440.0 * t).sin() as f32;
//!             self.0 += 1;
//!         }
//!     }
//! }
//!
//! let played = MockDevice::default().play(&mut Tone(0), 480);
//! assert_eq!(played.samples.len(), 480);
//! ```

pub mod device;
pub mod file;
pub mod mock;

mod prng;
mod source;

pub use source::Source;
