//! Decays of recorded strikes against those of the material library.
//!
//! The environment variable `EARS` names a folder of recordings `MATERIAL-STRIKER-on-OBJECT-N.flac`, one
//! clean strike each; they are no part of the project (`scripts/decays`). The decay of a recording is
//! that of the material plus radiation, supports and fixture, so that the ratio of the two says what is
//! left for these. Second, it is compared with the total decay of a like object: a built-in mesh of that kind and
//! material, free and held. The recordings' page says that objects lie on or are held by a fixture; a wooden table is
//! the default for what lies, and no fixture is fitted: `decays.*` in MEASURED.md are those of the like object that rests on it.

use foley_modal::fit::{Options, Recording, fit};
use foley_modal::material::Bending;
use foley_modal::source::{ModelOptions, ModelSource};
use foley_modal::support::loss_factor;
use foley_modal::{Held, HeldBody, Material};
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

/// An object like the recorded ones of a material: a built-in mesh, what it is made of, and its wall, m. None is the recorded
/// one: sizes are of the same order. Bowls for the table are of stainless steel; an open tube stands for the wooden holder.
struct Like {
    recorded: &'static str,
    mesh: &'static str,
    material: &'static str,
    wall_m: f64,
}

const LIKE: [Like; 4] = [
    Like { recorded: "ceramic", mesh: "mug", material: "ceramic", wall_m: 4e-3 },
    Like { recorded: "polycarbonate", mesh: "mug", material: "polycarbonate", wall_m: 2.5e-3 },
    Like { recorded: "steel", mesh: "bowl", material: "stainless-steel", wall_m: 1e-3 },
    Like { recorded: "wood", mesh: "cylinder", material: "wood", wall_m: 6e-3 },
];

/// Range around a recorded mode from which modes of the like object count, as a ratio of frequencies: a third of an octave.
const NEAR: f64 = 1.122_462_048_309_373;

/// Frequencies and total decays of the like object of a material up to a frequency, held in all ways.
fn like(material: &str, max_hz: f64) -> Vec<(Held, Vec<(f64, f64)>)> {
    let Some(Like { mesh, material, wall_m, .. }) =
        LIKE.iter().find(|like| like.recorded == material)
    else {
        return Vec::new();
    };
    let options = ModelOptions::default()
        .with_material(*material)
        .with_max_hz(max_hz)
        .with_thickness_m(*wall_m)
        .with_method(foley_modal::bake::Method::Shell)
        .with_density(foley_geometry::mesh::Density::Coarse)
        .with_compress(false);
    let free = ModelSource::parse(mesh).unwrap().load(&options, None).unwrap().model;
    let loss = Material::named(material).map_or(0.0, loss_factor);
    let held = |held: Held| {
        let model = held.model(&HeldBody::new(&free).with_loss_factor(loss)).unwrap();
        let modes = model.frequencies_hz.iter().copied().zip(model.decays.iter().copied());
        (held, modes.collect())
    };
    [Held::Free, Held::Resting, Held::Hand].map(held).into()
}

/// Returns the median decay of the modes near a frequency, or that of the nearest mode.
fn decay_near(modes: &[(f64, f64)], f: f64) -> f64 {
    let near: Vec<f64> =
        modes.iter().filter(|m| (f / NEAR..f * NEAR).contains(&m.0)).map(|m| m.1).collect();
    if !near.is_empty() {
        return median(near);
    }
    let nearest = modes.iter().min_by(|a, b| (a.0 / f).ln().abs().total_cmp(&(b.0 / f).ln().abs()));
    nearest.map_or(f64::NAN, |mode| mode.1)
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

/// Reports the median ratio of a material.
fn record(material: &str, ratio: f64) {
    match material {
        "ceramic" => foley_measured::check!("decays.ceramic", ratio),
        "polycarbonate" => foley_measured::check!("decays.polycarbonate", ratio),
        "steel" => foley_measured::check!("decays.steel", ratio),
        "wood" => foley_measured::check!("decays.wood", ratio),
        _ => {}
    }
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
        let highest_hz = rows.iter().map(|row| row[0]).fold(0.0, f64::max);
        for (held, modes) in like(material, highest_hz * NEAR) {
            let ratio = |row: &[f64; 3]| row[1] * PI * row[0] / decay_near(&modes, row[0]);
            let of = |part: &dyn Fn(&[f64; 3]) -> bool| {
                let values: Vec<f64> = rows.iter().filter(|row| part(row)).map(ratio).collect();
                if values.is_empty() { f64::NAN } else { median(values) }
            };
            let all = of(&|_| true);
            println!(
                "{material}, like object {held}: median ratio of total decays {all:.2} ({}); below 3 kHz {:.2}, above {:.2}",
                if (0.67..=1.5).contains(&all) {
                    "within 0.67 to 1.5"
                } else {
                    "outside 0.67 to 1.5"
                },
                of(&|row| row[0] < 3e3),
                of(&|row| row[0] >= 3e3),
            );
            if held == Held::Resting {
                record(material, all);
            }
        }
    }
    for (material, rows) in &ratios {
        let ratio = median(rows.iter().map(|row| row[2]).collect());
        assert!(ratio > 0.67, "{material}: the library damps more than the recordings, {ratio:.2}");
    }
}
