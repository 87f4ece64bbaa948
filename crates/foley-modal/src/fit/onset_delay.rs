//! Onset delay: the start of the fit after the end of the contact.
//!
//! Modes ring freely once the contact is over, and a soft contact lasts several
//! milliseconds. The forced motion before is no sum of exponentials and would be fitted by
//! many short modes. The fit starts at the onset; if its residual is large early and small
//! later, it starts later. The thresholds were set by trial; `a_soft_contact_is_waited_for` in
//! `tests/it/fit_synthetic.rs` checks them.

use super::search::Search;
use super::strike::{Mode, Strikes};
use super::{FitError, Options, Recording, prepare};

/// Delays tried, s: for hard, soft and very soft contacts.
const DELAYS_S: [f64; 3] = [0.0, 0.004, 0.016];
/// A residual below this part of the energy is accepted (−40 dB)…
const GOOD: f64 = 1e-4;
/// … after subtracting this multiple of the noise.
const NOISY: f64 = 4.0;
/// If the late residual is at least this part of the full one, the contact is not its cause.
const EARLY: f64 = 0.1;
/// A later start misses the shortest modes: it must halve the residual to be preferred.
const BETTER: f64 = 0.5;

/// Returns the strikes cut at the best start and their modes, the lowest first.
pub(super) fn fit(
    recordings: &[Recording],
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Result<(Strikes, Vec<Mode>), FitError> {
    let mut best: Option<(Strikes, Vec<Mode>)> = None;
    for (i, delay_s) in DELAYS_S.into_iter().enumerate() {
        let mut strikes = match prepare(recordings, delay_s) {
            Ok(strikes) => strikes,
            Err(error) if i == 0 => return Err(error),
            // Too little of the recording is left: keep the earlier start.
            Err(_) => break,
        };
        // Progress: each attempt is assumed to be the last with probability one half.
        let part = 0.5f64.powi(i as i32);
        let modes =
            search_from(&mut strikes, options, &mut |f| progress(1.0 - part * (1.0 - 0.5 * f)));
        let last = DELAYS_S[DELAYS_S.len() - 1];
        let (left, late) =
            (strikes.residual(&modes, 0.0, NOISY), strikes.residual(&modes, last, NOISY));
        let done = left <= GOOD || late >= EARLY * left;
        let better = best.as_ref().is_none_or(|(before, known)| {
            strikes.residual(&modes, last, 0.0) < BETTER * before.residual(known, last, 0.0)
        });
        if better {
            best = Some((strikes, modes));
        }
        if done {
            break;
        }
    }
    best.ok_or(FitError::NoModes)
}

fn search_from(
    strikes: &mut Strikes,
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Vec<Mode> {
    let mut search = Search { strikes, options, modes: Vec::new(), work: 0.0, progress };
    search.run();
    let mut modes = search.modes;
    modes.sort_by(|a, b| strikes.level_db(b).total_cmp(&strikes.level_db(a)));
    modes.truncate(options.max_modes);
    modes.sort_by(|a, b| a.s.im.total_cmp(&b.s.im));
    modes
}
