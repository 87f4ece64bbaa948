//! When the striker has let go.
//!
//! Modes ring freely once the contact is over, and a soft contact takes several
//! milliseconds. What the striker forces on the object before is no sum of exponentials
//! and would be taken for many short modes. So the fit begins at the onset, and if that
//! leaves more than it should, but only at first, it begins later.

use super::search::Search;
use super::strike::{Mode, Strikes};
use super::{FitError, Options, Recording, prepare};

/// How long after the onset the fit begins, s: at hard contacts, soft ones, very soft ones.
const DELAYS_S: [f64; 3] = [0.0, 0.004, 0.016];
/// Less than this part of a recording's energy left over is good enough (−40 dB)…
const GOOD: f64 = 1e-4;
/// … as is this many times the noise.
const NOISY: f64 = 4.0;
/// If as much of the later sound is left over, relatively, it was not the contact.
const EARLY: f64 = 0.1;
/// A later beginning misses the shortest modes; it must leave half the energy to be better.
const BETTER: f64 = 0.5;

/// The modes of the best beginning, the lowest first, and the strikes they begin in.
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
            // Too little is left: the beginning was the best there is.
            Err(_) => break,
        };
        // Each attempt is as likely to be the last as not.
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
