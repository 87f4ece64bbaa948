//! Remarks on a model: what is allowed but worth knowing.

use foley_dsp::model::ModalModel;

/// Returns remarks on a model, in sentences: modes that are not heard or never decay, silence.
pub fn remarks(model: &ModalModel) -> Vec<String> {
    let count = |test: fn(f64) -> bool, values: &[f64]| values.iter().filter(|v| test(**v)).count();
    let mut remarks = Vec::new();
    let above = count(|f| f >= 24_000.0, &model.frequencies_hz);
    if above > 0 {
        remarks.push(format!("{above} modes lie above 24 kHz and are silent at 48 kHz"));
    }
    let below = count(|f| f < 20.0, &model.frequencies_hz);
    if below > 0 {
        remarks.push(format!("{below} modes lie below 20 Hz and are not audible"));
    }
    let endless = count(|d| d == 0.0, &model.decays);
    if endless > 0 {
        remarks.push(format!("{endless} modes never decay"));
    }
    if model.gains.is_silent() {
        remarks.push("all gains are zero: this model is silent wherever it is struck".into());
    }
    remarks
}

/// Returns a remark if a model has as many modes as were allowed: there may be more.
pub fn limit_remark(frequencies_hz: &[f64], max_modes: usize) -> Option<String> {
    let highest_hz = frequencies_hz.last()?;
    (frequencies_hz.len() >= max_modes).then(|| {
        format!("limited to the lowest {max_modes} modes, up to {highest_hz:.0} Hz; allow more for the rest")
    })
}
