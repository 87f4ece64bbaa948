//! What a fit found, in words or JSON.

use anyhow::Result;
use foley::dsp::model::ModalModel;
use foley::modal::fit::{Fitted, FittedStrike};
use serde_json::json;
use std::path::{Path, PathBuf};

use super::Args;
use super::inputs::Heard;
use super::outputs::Outputs;
use crate::command::modes::t60;
use crate::output::{counted, print_line};

/// Rows of the table, at most.
const ROWS: usize = 12;

pub(super) fn facts(
    args: &Args,
    outputs: &Outputs,
    fitted: &Fitted,
    channels: &[usize],
) -> Result<()> {
    let model = &fitted.model;
    let name = |path: &Path| path.display().to_string();
    let one = |paths: &[PathBuf], k: usize| paths.get(k).map(|p| name(p));
    let strike = |(k, s): (usize, &FittedStrike)| {
        json!({
            "file": name(&args.recordings[k]),
            "channel": channels[k],
            "place_m": model.points[k],
            "onset_s": s.onset_s,
            "fitted_from_s": s.fitted_from_s,
            "residual_db": s.residual_db,
            "noise_db": s.noise_db,
            "clipped_samples": s.clipped_samples,
            "resynthesis": one(&outputs.resyntheses, k),
            "residual": one(&outputs.residuals, k),
            "picture": one(&outputs.pictures, k),
        })
    };
    let mode = |n: usize| {
        json!({
            "frequency_hz": model.frequencies_hz[n],
            "decay_per_s": model.decays[n],
            "t60_s": t60(model.decays[n]),
            "above_noise_db": fitted.modes[n].level_db,
            "gains": gains(model, n).collect::<Vec<_>>(),
        })
    };
    let facts = json!({
        "name": model.name,
        "modes": (0..model.mode_count()).map(mode).collect::<Vec<_>>(),
        "recordings": fitted.strikes.iter().enumerate().map(strike).collect::<Vec<_>>(),
        "written": name(&outputs.model),
    });
    print_line!("{facts}")
}

fn gains(model: &ModalModel, n: usize) -> impl Iterator<Item = f32> {
    (0..model.point_count()).map(move |k| model.gains_of_point(k)[n])
}

/// The loudest modes as a table, and what is left of each recording.
pub(super) fn print(
    args: &Args,
    outputs: &Outputs,
    fitted: &Fitted,
    heard: &Heard,
    max_modes: usize,
) -> Result<()> {
    let model = &fitted.model;
    let (modes, places) = (model.mode_count(), model.point_count());
    print_line!("{}: {}, {}", model.name, counted(modes, "mode"), counted(places, "place"))?;
    print_line!("  mode        Hz    T60 s   gain dB   above noise dB")?;
    let gain = |n: usize| gains(model, n).fold(0.0f32, |most, g| most.max(g.abs()));
    let mut loudest: Vec<usize> = (0..modes).collect();
    loudest.sort_by(|a, b| gain(*b).total_cmp(&gain(*a)));
    loudest.truncate(ROWS);
    loudest.sort_unstable();
    for &n in &loudest {
        let (f, t, trust) = (model.frequencies_hz[n], t60(model.decays[n]), &fitted.modes[n]);
        let db = 20.0 * gain(n).log10();
        print_line!("  {:>4} {f:>9.1} {t:>8.3} {db:>9.1} {:>16.0}", n + 1, trust.level_db)?;
    }
    if modes > ROWS {
        print_line!("     … and {} quieter ones", modes - ROWS)?;
    }
    if modes >= max_modes {
        print_line!("note: limited to the {max_modes} clearest modes; --max-modes allows more")?;
    }
    for (k, (path, strike)) in args.recordings.iter().zip(&fitted.strikes).enumerate() {
        let file = path.display();
        let FittedStrike { onset_s, fitted_from_s, residual_db, noise_db, .. } = strike;
        let later = match fitted_from_s > onset_s {
            true => format!(", fitted from {fitted_from_s:.3} s on"),
            false => String::new(),
        };
        print_line!(
            "{file}: struck at {onset_s:.3} s{later}, residual {residual_db:.1} dB (noise \
             {noise_db:.1} dB)"
        )?;
        heard.channel_note(k, path).iter().try_for_each(|note| print_line!("note: {note}"))?;
        if strike.clipped_samples > 0 {
            let clipped = strike.clipped_samples;
            print_line!(
                "note: {file} is clipped at {clipped} samples; modes that die with them are missed"
            )?;
        }
    }
    outputs.all().try_for_each(|path| print_line!("written: {}", path.display()))
}
