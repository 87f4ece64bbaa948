//! The mode bank: forces in, sound of damped oscillators out.
//!
//! A bank holds the objects of a scene, each a [`Voice`] of N damped oscillators, and renders them
//! block by block. Three kernels give the same sound: a per-sample recurrence for small or freshly
//! struck objects, the spectral block for all others, and an f64 reference for tests. With
//! [`Synthesis::Perceptual`] only audible sound is computed.
//!
//! ```
//! use foley_dsp::resonator::{Bank, BankSettings, Strike, Voice};
//! let mut bank = Bank::new(BankSettings::default())?;
//! let layout = bank.layout(&[440.0, 1210.0], &[3.0, 9.0]);
//! bank.insert(0, Box::new(Voice::new(layout.clone(), 0, 0))).ok();
//! bank.strike(0, Strike::impulse(&layout, &[0.5, 0.2], 1.0, 10.25)).ok();
//! let mut sound = vec![0.0; 512];
//! bank.render(&mut sound);
//! assert!(sound[10] == 0.0 && sound[11] > 0.0);
//! # Ok::<(), foley_dsp::resonator::BankError>(())
//! ```

mod layout;
mod strike;
mod contact;
mod route;
mod voice;
mod kernels;
mod cost_model;
mod perceptual;
mod scratch;
mod bank;
mod synthesis_switch;
mod decay_change;
mod voice_status;

pub use bank::{Bank, BankError, BankReport, BankSettings, Kernel, Retired};
pub use contact::ContactBuffers;
pub use cost_model::Costs;
pub use decay_change::DecayChange;
pub use layout::{Gains, Jump, Layout};
pub use perceptual::{Budget, Clock, Listening, Synthesis};
pub use route::Route;
pub use strike::{SAMPLED_FROM, Strike};
pub use synthesis_switch::{SlotMap, SynthesisSwitch};
pub use voice::Voice;
pub use voice_status::{Silence, VoiceStatus};
