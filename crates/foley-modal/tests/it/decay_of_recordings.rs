//! Decays of recorded strikes against those of the material library.
//!
//! The environment variable `EARS` names a folder of recordings `MATERIAL-STRIKER-on-OBJECT-N.flac`, one
//! clean strike each; they are no part of the project (`scripts/decays`). The decay of a recording is
//! that of the material plus radiation, supports and fixture, so that the ratio of the two says what is
//! left for these.

use foley_modal::Material;
use foley_modal::fit::{Options, Recording, fit};
use foley_modal::material::Bending;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::path::Path;

/// Modes of a strike that count, the strongest.
const STRONGEST: usize = 10;

/// Contact and fixture sound for this long after the onset, s: broad bands, which the fit describes by
/// modes of high decay.
const THUMP_S: f64 = 0.01;

/// A wall of the recorded objects that is thin enough to warm, m.
fn wall(material: &str) -> Option<f64> {
    (material == "steel").then_some(1e-3)
}

fn read(path: &Path) -> Recording {
    let mut reader = claxon::FlacReader::open(path).unwrap();
    let info = reader.streaminfo();
    let scale = (1u64 << (info.bits_per_sample - 1)) as f32;
    let samples = reader.samples().step_by(info.channels as usize);
    Recording {
        samples: samples.map(|s| s.unwrap() as f32 / scale).collect(),
        sample_rate_hz: f64::from(info.sample_rate),
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns frequency and decay of the modes that have most energy left after the thump, a²/4d e^{−2dt}.
fn strongest(recording: Recording) -> Vec<(f64, f64)> {
    let options = Options::default().with_min_hz(100.0).with_max_hz(18e3);
    let model = fit(&[recording], &options).unwrap().model;
    let gains = model.gains_at([0.0; 3]);
    let energy = |n: usize| {
        let d = model.decays[n];
        f64::from(gains[n]).powi(2) / d * (-2.0 * d * THUMP_S).exp()
    };
    let mut order: Vec<usize> = (0..gains.len()).collect();
    order.sort_by(|a, b| energy(*b).total_cmp(&energy(*a)));
    let mode = |n: &usize| (model.frequencies_hz[*n], model.decays[*n]);
    order.iter().take(STRONGEST).map(mode).collect()
}

#[test]
#[ignore = "needs recordings: `EARS=folder scripts/decays`"]
fn strikes_decay_no_slower_than_their_material() {
    let Ok(folder) = std::env::var("EARS") else {
        println!("EARS names no folder of recordings: nothing compared");
        return;
    };
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut ratios = BTreeMap::<String, Vec<[f64; 3]>>::new();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut words = name.split('-');
        let (Some(material), Some(striker), true) =
            (words.next(), words.next(), name.contains("-on-"))
        else {
            continue;
        };
        let (Ok(library), Ok(striker)) = (Material::named(material), Material::named(striker))
        else {
            continue;
        };
        // A striker that rings longer than the object is heard itself.
        let loss = |material: &Material| material.damping.decay(TAU * 3e3);
        if loss(striker) < loss(library) {
            continue;
        }
        println!("{name}");
        for (f, d) in strongest(read(&path)) {
            let sheet = wall(material).map(|thickness_m| Bending::Plate { thickness_m });
            let heat = sheet.map_or(0.0, |sheet| library.thermoelastic_loss(sheet, f, 1.0));
            let own = library.damping.decay(TAU * f) + PI * f * heat;
            println!(
                "  {f:8.1} Hz  d {d:8.2}  η {:.2e}  library {:.2e}  ratio {:.2}",
                d / (PI * f),
                own / (PI * f),
                d / own
            );
            ratios.entry(material.into()).or_default().push([f, d / (PI * f), d / own]);
        }
    }
    for (material, rows) in &ratios {
        let of = |part: &dyn Fn(&[f64; 3]) -> bool, k: usize| {
            let values: Vec<f64> = rows.iter().filter(|row| part(row)).map(|row| row[k]).collect();
            if values.is_empty() { f64::NAN } else { median(values) }
        };
        println!(
            "{material}: {} modes, median η {:.2e}, ratio {:.2}; below 3 kHz {:.2}, above {:.2}",
            rows.len(),
            of(&|_| true, 1),
            of(&|_| true, 2),
            of(&|row| row[0] < 3e3, 2),
            of(&|row| row[0] >= 3e3, 2),
        );
    }
    for (material, rows) in &ratios {
        let ratio = median(rows.iter().map(|row| row[2]).collect());
        assert!(ratio > 0.67, "{material}: the library damps more than the recordings, {ratio:.2}");
    }
}
