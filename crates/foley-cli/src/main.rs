//! Trial of the pictures and of the comparison.
mod bench;
mod plot;

use std::path::Path;

use foley_dsp::model::{Body, ModalModel, ModalParts};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, wav, out] = &arguments[..] {
        return plot::plot_spectrogram_of_wav(Path::new(wav), Path::new(out));
    }
    if let [_, out] = &arguments[..] {
        let model = ModalModel::new(ModalParts {
            name: "tine".into(),
            frequencies_hz: vec![440.0],
            decays: vec![3.0],
            points: vec![[0.0; 3]],
            triangles: vec![],
            gains: vec![1.0],
            body: Body { mass_kg: 0.1, young_pa: 2e11, poisson: 0.29, radius_m: f64::INFINITY },
        })?;
        plot::plot_model(&model, Path::new(out))?;
        plot::plot_model_at_point(&model, 0, Path::new(out))?;
        plot::plot_sheet(&[("tine".into(), &model)], Path::new(out))?;
        return plot::plot_audio(&[vec![0.5; 100]], 48_000, "half", Path::new(out));
    }
    for modes in [200, 500, 1000, 2000] {
        if let Some(figure) = bench::klank::measure(modes, 20.0)? {
            println!(
                "{} modes, {} s: {:.3} s (baseline {:.3} s) -> {:.0} modes in real time",
                figure.modes,
                figure.seconds,
                figure.cpu_seconds,
                figure.baseline_cpu_seconds,
                figure.modes_in_real_time
            );
        }
    }
    Ok(())
}
