//! Where hail struck what sounds: the impact map of [CS], Fig. 5, as a picture.
//!
//! The paper reads the map once in a frame and loses impacts that meet in a texel. Foley sounds
//! every impact; what the map would have lost is counted beside what chance predicts.

use anyhow::{Result, bail};
use foley_hail::map::{Atlas, ImpactMap, Shade};
use foley_hail::{Collider, ColliderSet, Impact, ImpactStream};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::sonify::HailGeometry;
use std::path::Path;
use std::sync::Arc;

use foley_plot as plot;
use foley_plot::AtomicFile;

/// Texels of the map, across and down, and pixels to a texel.
const SIZE: [u32; 2] = [512, 320];
const PIXELS: usize = 2;
/// Impacts that are drawn, at most: the first.
const MOST_DRAWN: usize = 1 << 21;
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
pub(crate) fn draw(scene: &Scene, prepared: &Prepared, path: &Path) -> Result<(AtomicFile, Met)> {
    let Some(geometry) = HailGeometry::new(scene, prepared)? else {
        bail!("no impact map of {}: it does not hail in this scene; give it a [hail]", scene.title);
    };
    let impacts = all(&geometry, prepared, scene.seconds)?;
    let (targets, numbers) = struck(&geometry, &impacts)?;
    let atlas = Atlas::new(&targets, SIZE)?;
    let mut frame = ImpactMap::new(atlas.clone());
    let (mut whole, mut met) = (ImpactMap::new(atlas), Met::default());
    let number = |impact: &Impact| (impact.at_s * FRAMES_HZ) as u64;
    for due in impacts.chunk_by(|a, b| number(a) == number(b)) {
        let due: Vec<Impact> = due.iter().map(|impact| numbered(impact, &numbers)).collect();
        let mut each = vec![0; targets.as_slice().len()];
        due.iter().for_each(|impact| each[impact.collider as usize] += 1);
        frame.clear();
        frame.mark(&due);
        whole.mark(&due);
        met.impacts += due.len() as u64;
        met.met += frame.lost();
        met.predicted += frame.atlas().expected_lost(&each);
    }
    let texels = whole.to_rgba(Shade::Speed);
    let (texels, _) = texels.as_chunks::<4>();
    let [width, height] = SIZE.map(|side| side as usize * PIXELS);
    let texel = |k: usize| (k / width / PIXELS) * SIZE[0] as usize + k % width / PIXELS;
    let pixels = (0..width * height).map(|k| texels[texel(k)]).map(|[r, g, b, _]| [r, g, b]);
    Ok((plot::draw_pixels((width, height), pixels.collect(), path)?, met))
}

/// Impacts on what sounds, in order of time.
fn all(geometry: &HailGeometry, prepared: &Prepared, seconds: f64) -> Result<Vec<Impact>> {
    let sounds = |impact: &Impact| {
        let thing = prepared.objects.get(geometry.object_of(impact.collider) as usize);
        thing.is_some_and(|thing| thing.model.is_some())
    };
    let mut stream = ImpactStream::new(Arc::clone(geometry.simulation()), 0.0)?;
    let (mut impacts, mut due) = (Vec::new(), Vec::new());
    while stream.now_s() < seconds && impacts.len() < MOST_DRAWN {
        due.clear();
        stream.advance((stream.now_s() + 0.05).min(seconds), &mut due)?;
        impacts.extend(due.iter().filter(|impact| sounds(impact)).copied());
    }
    Ok(impacts)
}

/// With the number that its collider has on the map.
fn numbered(impact: &Impact, numbers: &[Option<u32>]) -> Impact {
    let known = numbers.get(impact.collider as usize).copied().flatten();
    Impact { collider: known.unwrap_or(0), ..*impact }
}

/// The colliders that are struck, and the number that each collider of the geometry has among them.
fn struck(geometry: &HailGeometry, impacts: &[Impact]) -> Result<(ColliderSet, Vec<Option<u32>>)> {
    let all = geometry.simulation().colliders().as_slice();
    let mut is_struck = vec![false; all.len()];
    impacts.iter().for_each(|impact| is_struck[impact.collider as usize] = true);
    let (mut chosen, mut numbers) = (Vec::<Collider>::new(), Vec::new());
    for (target, is_struck) in all.iter().zip(is_struck) {
        numbers.push(is_struck.then_some(chosen.len() as u32));
        if is_struck {
            chosen.push(target.shape().clone().into());
        }
    }
    Ok((ColliderSet::new(chosen)?, numbers))
}
