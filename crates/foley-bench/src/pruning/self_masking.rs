//! Self-masking of each object: the audible modes, as in Table 1 of \[CS\].

use foley_dsp::model::ModalModel;
use foley_dsp::perception::{Audibility, Calibration, Masking, Tone, prune_2004};
use serde_json::{Value, json};

use crate::scene::BenchScene;

/// The paper's a_v and the level of all modes together, dB.
const A_V_DB: f64 = 5.0;
const LOUDNESS_DB: f64 = 70.0;
/// Approximate number of surface points that are struck.
const POINTS: usize = 100;
/// The objects of the picnic and the paper's counts.
const PAPER: [(&str, usize); 9] = [
    ("roof pane 1", 93),
    ("roof pane 2", 128),
    ("roof pane 3", 176),
    ("roof pane 4", 206),
    ("plate 1", 97),
    ("plate 2", 105),
    ("plate 3", 98),
    ("table", 60),
    ("garbage can", 72),
];

/// Returns a row for each object of the picnic; `None` for other scenes.
pub(crate) fn table(scene: &BenchScene) -> Option<Vec<Value>> {
    let row = |(name, paper): (&str, usize)| {
        let object = scene.scene.objects.iter().position(|object| object.name == name)?;
        let model = scene.prepared.objects[object].model.as_ref()?;
        let (modes, audible) = (model.mode_count(), audible(model));
        Some(json!({ "name": name, "modes": modes, "left": audible, "left_in_the_paper": paper }))
    };
    PAPER.into_iter().map(row).collect()
}

/// Returns the number of audible modes after a strike of flat spectrum, the median over surface points.
fn audible(model: &ModalModel) -> usize {
    let step = model.point_count().div_ceil(POINTS);
    let mut counts: Vec<usize> =
        (0..model.point_count()).step_by(step).map(|k| audible_at(model, k)).collect();
    counts.sort_unstable();
    counts[counts.len() / 2]
}

fn audible_at(model: &ModalModel, k: usize) -> usize {
    let gains = model.gains_of_point(k);
    let energies = gains.iter().map(|gain| f64::from(*gain).powi(2));
    let calibration = Calibration::to_playback_level(energies.clone(), LOUDNESS_DB);
    let modes = model.frequencies_hz.iter().zip(energies);
    let tones: Vec<Tone> =
        modes.map(|(f, energy)| Tone::new(*f, calibration.level_db(energy))).collect();
    let audibilities = prune_2004(Masking::new(A_V_DB), &tones, None);
    audibilities.iter().filter(|one| **one == Audibility::Audible).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_modal::{Material, Shape, ShapeOptions};

    #[test]
    fn modes_far_apart_all_stay_and_many_together_do_not() {
        let count = |shape: &str| {
            let shape: Shape = shape.parse().unwrap();
            let model = shape.model(Material::named("steel").unwrap(), &ShapeOptions::default());
            let model = model.unwrap();
            (audible(&model), model.mode_count())
        };
        let (audible, all) = count("plate:900x600x1mm");
        assert!(audible > 10 && audible < all / 2, "{audible} of {all}");
        let plates = BenchScene::plates(2, 5, 1.0, 0.1, &crate::Silent).unwrap();
        assert!(table(&plates).is_none());
    }
}
