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
/// The paper's counts.
const PAPER: [usize; 9] = [93, 128, 176, 206, 97, 105, 98, 60, 72];

/// Returns a row for each object of the picnic; `None` for other scenes.
pub(crate) fn table(scene: &BenchScene) -> Option<Vec<Value>> {
    let is_picnic = scene.objects.len() == PAPER.len() && scene.objects[8].name == "garbage can";
    let rows = scene.objects.iter().zip(PAPER).map(|(object, paper)| {
        let (modes, audible) = (object.model.mode_count(), audible(&object.model));
        json!({ "name": object.name, "modes": modes, "left": audible, "left_in_the_paper": paper })
    });
    is_picnic.then(|| rows.collect())
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
        let plates = crate::scene::many_plates(2, 5, 1.0, 0.0, 1).unwrap();
        assert!(table(&plates).is_none());
    }
}
