//! Table 1 of [CS]: what self-masking leaves of each object.

use foley_dsp::model::ModalModel;
use foley_dsp::perception::{Calibration, Fate, Masking, Tone, prune_by_paper};
use serde_json::{Value, json};

use crate::scene::Scene;

/// The paper's a_v and the loudness of all modes together, dB.
const A_V_DB: f64 = 5.0;
const LOUDNESS_DB: f64 = 70.0;
/// So many places on each object are tried, about.
const PLACES: usize = 100;
/// The paper's figures.
const PAPER: [usize; 9] = [93, 128, 176, 206, 97, 105, 98, 60, 72];

/// A row for each object of the picnic; `None` for other scenes.
pub(super) fn table(scene: &Scene) -> Option<Vec<Value>> {
    let is_picnic = scene.objects.len() == PAPER.len() && scene.objects[8].name == "garbage can";
    let rows = scene.objects.iter().zip(PAPER).map(|(thing, paper)| {
        let (modes, left) = (thing.model.mode_count(), left(&thing.model));
        json!({ "name": thing.name, "modes": modes, "left": left, "left_in_the_paper": paper })
    });
    is_picnic.then(|| rows.collect())
}

/// Modes that are heard after a blow of a flat spectrum: the median over places on the surface.
fn left(model: &ModalModel) -> usize {
    let step = model.point_count().div_ceil(PLACES);
    let mut counts: Vec<usize> =
        (0..model.point_count()).step_by(step).map(|k| left_at(model, k)).collect();
    counts.sort_unstable();
    counts[counts.len() / 2]
}

fn left_at(model: &ModalModel, k: usize) -> usize {
    let gains = model.gains_of_point(k);
    let energies = gains.iter().map(|gain| f64::from(*gain).powi(2));
    let calibration = Calibration::to_playback_level(energies.clone(), LOUDNESS_DB);
    let modes = model.frequencies_hz.iter().zip(energies);
    let tones: Vec<Tone> =
        modes.map(|(f, energy)| Tone::new(*f, calibration.level_db(energy))).collect();
    let fates = prune_by_paper(Masking::new(A_V_DB), &tones, None);
    fates.iter().filter(|fate| **fate == Fate::Audible).count()
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
            (left(&model), model.mode_count())
        };
        let (left, all) = count("plate:900x600x1mm");
        assert!(left > 10 && left < all / 2, "{left} of {all}");
        let crowd = crate::scene::crowd(2, 5, 1.0, 0.0, 1).unwrap();
        assert!(table(&crowd).is_none());
    }
}
