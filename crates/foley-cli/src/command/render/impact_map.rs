//! Where hail struck what sounds: the impact map of [CS], Fig. 5, as a picture.
//!
//! The paper reads the map once in a frame and loses impacts that meet in a texel. Foley sounds
//! every impact; what the map would have lost is counted beside what chance predicts.

use anyhow::{Result, bail};
use foley_hail::map::{Atlas, ImpactMap, Shade};
use foley_hail::{Collider, Impact, Stream, Targets};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::stage::Storm;
use std::path::Path;
use std::sync::Arc;

use crate::plot;
use crate::whole::Whole;

/// Texels of the map, across and down.
const SIZE: [u32; 2] = [1024, 640];
/// The paper's map is read and cleared so often, Hz.
const FRAMES_HZ: f64 = 60.0;

/// Impacts on what sounds, and those that met in a texel.
#[derive(Debug, Clone, Copy, Default, serde::Serialize)]
pub(crate) struct Met {
    impacts: u64,
    met: u64,
    predicted: f64,
}

impl Met {
    pub(crate) fn told(&self) -> String {
        let Self { impacts, met, predicted } = self;
        format!(
            "impact map: {impacts} impacts, {met} met in a texel within a frame ({predicted:.1} by chance)"
        )
    }
}

/// Draws the map of the whole scene.
pub(crate) fn draw(scene: &Scene, prepared: &Prepared, path: &Path) -> Result<(Whole, Met)> {
    let Some(storm) = Storm::over(scene, prepared)? else {
        bail!("no impact map of {}: it does not hail in this scene; give it a [hail]", scene.title);
    };
    let (targets, numbers) = sounding(&storm, prepared)?;
    let atlas = Atlas::new(&targets, SIZE)?;
    let mut frame = ImpactMap::new(atlas.clone());
    let (mut whole, mut met) = (ImpactMap::new(atlas), Met::default());
    let mut stream = Stream::new(Arc::clone(storm.shower()), 0.0)?;
    let mut due: Vec<Impact> = Vec::new();
    for number in 1..=(scene.seconds * FRAMES_HZ).ceil() as u64 {
        due.clear();
        stream.advance((number as f64 / FRAMES_HZ).min(scene.seconds), &mut due)?;
        // Colliders have other numbers on the map, where only what sounds has a place.
        due.retain_mut(|impact| {
            let known = numbers.get(impact.collider as usize).copied().flatten();
            impact.collider = known.unwrap_or(impact.collider);
            known.is_some()
        });
        let mut each = vec![0; targets.as_slice().len()];
        due.iter().for_each(|impact| each[impact.collider as usize] += 1);
        frame.clear();
        frame.mark(&due);
        whole.mark(&due);
        met.impacts += due.len() as u64;
        met.met += frame.lost();
        met.predicted += frame.atlas().expected_lost(&each);
    }
    let pixels: Vec<[u8; 3]> = whole
        .to_rgba(Shade::Speed)
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&[r, g, b, _]| [r, g, b])
        .collect();
    let size = SIZE.map(|side| side as usize);
    Ok((plot::draw_pixels((size[0], size[1]), pixels, path)?, met))
}

/// The colliders of what sounds, and the number that each collider of the storm has among them.
fn sounding(storm: &Storm, prepared: &Prepared) -> Result<(Targets, Vec<Option<u32>>)> {
    let (mut chosen, mut numbers) = (Vec::<Collider>::new(), Vec::new());
    for (collider, target) in (0..).zip(storm.shower().targets().as_slice()) {
        let thing = prepared.things.get(storm.object_of(collider) as usize);
        let sounds = thing.is_some_and(|thing| thing.model.is_some());
        numbers.push(sounds.then_some(chosen.len() as u32));
        if sounds {
            chosen.push(target.shape().clone().into());
        }
    }
    Ok((Targets::new(chosen)?, numbers))
}
