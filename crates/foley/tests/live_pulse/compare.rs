//! What was heard against what was meant.

/// Beginning of the sound that is searched for.
const TEMPLATE_FRAMES: usize = 2048;
/// A dropout is looked for in every 10 ms.
const BLOCK_FRAMES: usize = 480;
/// Energy of the difference in a block, relative to the block.
const DROPOUT: f64 = 1e-3;

/// A whole, faithful sound.
#[derive(Debug)]
pub(crate) struct Faithful {
    pub summary: String,
    /// Of the worse channel.
    pub correlation: f64,
    /// Blocks that differ.
    pub dropouts: usize,
}

/// Aligns by cross-correlation and demands a whole, faithful sound.
pub(crate) fn compare(meant: &[[f32; 2]], heard: &[[f32; 2]]) -> Result<Faithful, String> {
    let last_lag = heard
        .len()
        .checked_sub(meant.len())
        .ok_or_else(|| format!("heard only {} of {} frames", heard.len(), meant.len()))?;
    let template = &meant[..TEMPLATE_FRAMES];
    let lag = (0..=last_lag)
        .map(|lag| (lag, dot(template, &heard[lag..lag + TEMPLATE_FRAMES])))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(0, |(lag, _)| lag);
    let heard = &heard[lag..lag + meant.len()];

    let correlations = [0, 1].map(|channel| correlation(meant, heard, channel));
    let dropouts: Vec<usize> = meant
        .chunks(BLOCK_FRAMES)
        .zip(heard.chunks(BLOCK_FRAMES))
        .enumerate()
        .filter(|(_, (meant, heard))| energy(&difference(meant, heard)) > DROPOUT * energy(meant))
        .map(|(block, _)| block)
        .collect();
    let summary = format!(
        "correlation {:.6} left, {:.6} right, {} of {} blocks differ",
        correlations[0],
        correlations[1],
        dropouts.len(),
        meant.len().div_ceil(BLOCK_FRAMES)
    );
    let (correlation, dropouts) = (correlations[0].min(correlations[1]), dropouts.len());
    let kept = |id, figure| foley_measured::targets::find(id).unwrap().bound.is_kept_by(figure);
    let faithful = correlations.iter().all(|c| kept("live.correlation", *c))
        && kept("live.dropouts", dropouts as f64);
    if faithful { Ok(Faithful { summary, correlation, dropouts }) } else { Err(summary) }
}

fn dot(a: &[[f32; 2]], b: &[[f32; 2]]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum()
}

fn energy(frames: &[[f32; 2]]) -> f64 {
    frames.iter().flatten().map(|&s| f64::from(s).powi(2)).sum()
}

fn difference(a: &[[f32; 2]], b: &[[f32; 2]]) -> Vec<[f32; 2]> {
    a.iter().zip(b).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]).collect()
}

fn correlation(a: &[[f32; 2]], b: &[[f32; 2]], channel: usize) -> f64 {
    let pairs = || a.iter().zip(b).map(|(a, b)| (f64::from(a[channel]), f64::from(b[channel])));
    let ab: f64 = pairs().map(|(a, b)| a * b).sum();
    let aa: f64 = pairs().map(|(a, _)| a * a).sum();
    let bb: f64 = pairs().map(|(_, b)| b * b).sum();
    ab / (aa * bb).sqrt().max(f64::MIN_POSITIVE)
}

#[test]
fn the_comparison_notices_what_a_listener_would() {
    let meant = crate::reference::Reference::new(48_000).frames();
    let shifted = |edit: fn(&mut Vec<[f32; 2]>)| {
        let mut heard = vec![[0.0; 2]; 5000];
        heard.extend_from_slice(&meant);
        heard.extend([[0.0; 2]; 5000]);
        edit(&mut heard);
        compare(&meant, &heard)
    };
    shifted(|_| {}).unwrap();
    shifted(|heard| heard[60_000..60_100].fill([0.0; 2])).unwrap_err();
    shifted(|heard| drop(heard.drain(60_000..60_007))).unwrap_err();
    shifted(|heard| heard.iter_mut().for_each(|frame| frame.reverse())).unwrap_err();
    shifted(|heard| heard.iter_mut().for_each(|frame| frame[1] = 0.0)).unwrap_err();
    shifted(|heard| heard.truncate(50_000)).unwrap_err();
}
