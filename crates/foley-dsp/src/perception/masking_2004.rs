//! Reference pruner: the pseudo-code of \[CS\] §4 (2004), steps 5 to 7, implemented literally.
//!
//! The modes are processed from loud to quiet. A mode under the curve of an earlier masker is
//! masked. A mode that would be masked with a_v = 0, or that is less than a_v above the *hearing
//! threshold* when an earlier masker exists, is audible but masks nothing: `m(f; …)` is all of
//! eq. 4, including the threshold.
//!
//! O(N) per masker; \[CS\] expects O(√N) maskers.

use super::{Audibility, Masking, Tone, spatial_release_between_db};

/// Returns the audibility of each tone, in the order of `tones`. Among equal levels the tone with
/// the smaller index counts as the louder one.
///
/// `directions` are unit vectors from the listener to each tone. With them, a_v grows by the
/// [spatial release](crate::perception::spatial_release_between_db) between masker and target
/// wherever the pseudo-code uses a_v. A tone without a direction gets no release.
///
/// Allocates: not for the audio thread; see [`EnvelopePruner`](super::EnvelopePruner).
///
/// ```
/// use foley_dsp::perception::{Audibility, Masking, Tone, prune_2004};
/// let tones = [Tone::new(1000.0, 60.0), Tone::new(1100.0, 45.0)];
/// let masking = Masking::new(5.0);
/// assert_eq!(prune_2004(masking, &tones, None), [Audibility::Audible, Audibility::Masked]);
/// let ahead_and_left = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// assert_eq!(prune_2004(masking, &tones, Some(&ahead_and_left)), [Audibility::Audible; 2]);
/// ```
pub fn prune_2004(
    masking: Masking,
    tones: &[Tone],
    directions: Option<&[[f64; 3]]>,
) -> Vec<Audibility> {
    let masking_between = |i: usize, k: usize| match directions.map(|d| (d.get(i), d.get(k))) {
        Some((Some(i), Some(k))) => {
            Masking::new(masking.a_v_db() + spatial_release_between_db(*i, *k))
        }
        _ => masking,
    };

    // Steps 5 and 6: tones above the hearing threshold, from loud to quiet.
    let mut audibility = vec![Audibility::BelowThreshold; tones.len()];
    let mut heard: Vec<usize> =
        (0..tones.len()).filter(|&i| tones[i].is_above_threshold()).collect();
    heard.sort_by(|&i, &k| tones[k].level_db().total_cmp(&tones[i].level_db()));

    // Step 7, one mode at a time: all its maskers are known by then.
    let mut maskers = Vec::new();
    for k in heard {
        let (level, mut is_masker) = (tones[k].level_db(), true);
        audibility[k] = Audibility::Audible;
        for &i in &maskers {
            let masking = masking_between(i, k);
            let th = masking.curve(&tones[i]).threshold_db(&tones[k]);
            if level < th {
                audibility[k] = Audibility::Masked;
                break;
            }
            is_masker &= !(level < th + masking.a_v_db());
        }
        if is_masker && audibility[k] == Audibility::Audible {
            maskers.push(k);
        }
    }
    audibility
}

#[cfg(test)]
mod tests {
    use super::*;
    use Audibility::*;

    #[test]
    fn nothing_and_alone() {
        let masking = Masking::default();
        assert_eq!(prune_2004(masking, &[], None), []);
        assert_eq!(prune_2004(masking, &[Tone::new(1000.0, 30.0)], None), [Audible]);
        let silent = [0.0, f64::NEG_INFINITY, f64::NAN].map(|level| Tone::new(1000.0, level));
        assert_eq!(prune_2004(masking, &silent, None), [BelowThreshold; 3]);
    }

    /// Masker at 60 dB, a_v = 5 dB: half a Bark above, the curve is at 50 dB.
    #[test]
    fn a_louder_neighbour_masks() {
        let b = Tone::new(1000.0, 60.0).bark();
        let above = |level| Tone::new(crate::perception::hz_from_bark(b + 0.5), level);
        for (level, audibility) in [(49.9, Masked), (50.1, Audible)] {
            let tones = [above(level), Tone::new(1000.0, 60.0)];
            assert_eq!(prune_2004(Masking::new(5.0), &tones, None), [audibility, Audible]);
        }
    }

    /// A rumble just above the hearing threshold would mask 100 Hz, since the threshold falls faster
    /// than its curve. The pseudo-code allows that if it is the loudest tone, and excludes it as
    /// soon as another masker exists, however distant.
    #[test]
    fn a_mode_near_the_hearing_threshold_is_no_masker_unless_it_is_the_loudest() {
        let rumble = Tone::new(30.0, 62.0);
        let low = Tone::new(100.0, 40.0);
        let far = Tone::new(5000.0, 70.0);
        assert!(rumble.is_above_threshold() && rumble.level_db() < rumble.threshold_db() + 5.0);
        let masking = Masking::new(5.0);
        assert_eq!(prune_2004(masking, &[rumble, low], None), [Audible, Masked]);
        assert_eq!(prune_2004(masking, &[rumble, low, far], None), [Audible; 3]);
    }

    #[test]
    fn equal_tones_never_mask_each_other() {
        let tones = [Tone::new(700.0, 50.0); 20];
        for a_v in [0.0, 5.0] {
            assert_eq!(prune_2004(Masking::new(a_v), &tones, None), [Audible; 20]);
        }
    }

    #[test]
    fn a_tone_without_direction_gets_no_release() {
        let tones = [Tone::new(1000.0, 60.0), Tone::new(1100.0, 45.0)];
        for directions in [&[][..], &[[1.0, 0.0, 0.0]], &[[1.0, 0.0, 0.0], [f64::NAN; 3]]] {
            let audibility = prune_2004(Masking::new(5.0), &tones, Some(directions));
            assert_eq!(audibility, [Audible, Masked]);
        }
    }
}
