//! Impact map of hail on sounding objects, as \[CS\], Fig. 5.
//!
//! The paper reads the map once per frame and loses impacts that fall on the same texel. Foley sounds
//! every impact; the losses of such a map are counted and compared with their expectation.

use anyhow::{Result, bail};
use foley_hail::map::{Atlas, ImpactMap, Shade};
use foley_hail::{Impact, ImpactStream, Target, TargetSet};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::sonify::HailGeometry;
use std::path::Path;
use std::sync::Arc;

use crate::{AtomicFile, Picture};

/// Width and height of the map in texels, and pixels per texel side.
const SIZE: [u32; 2] = [512, 320];
const PIXELS: usize = 2;
/// Most impacts that are drawn.
const MOST_DRAWN: usize = 1 << 21;
/// Rate at which the paper's map is read and cleared, Hz.
const FRAMES_HZ: f64 = 60.0;

/// Impacts on sounding objects, and those that share a texel within a frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct TexelCollisions {
    /// Number of impacts.
    pub impacts: u64,
    /// Impacts on a texel that was hit before in the same frame.
    pub collisions: u64,
    /// Expected number of such impacts.
    pub expected: f64,
}

/// Draws the impact map of a scene over its duration.
pub fn draw_impact_map(
    scene: &Scene,
    prepared: &Prepared,
    path: &Path,
) -> Result<(AtomicFile, TexelCollisions)> {
    let Some(geometry) = HailGeometry::new(scene, prepared)? else {
        bail!("no impact map of {}: the scene has no hail", scene.title);
    };
    let impacts = sounding_impacts(&geometry, prepared, scene.seconds)?;
    let (targets, numbers) = struck(&geometry, &impacts)?;
    let atlas = Atlas::new(&targets, SIZE)?;
    let mut frame = ImpactMap::new(atlas.clone());
    let (mut map, mut counts) = (ImpactMap::new(atlas), TexelCollisions::default());
    let number = |impact: &Impact| (impact.at_s * FRAMES_HZ) as u64;
    for due in impacts.chunk_by(|a, b| number(a) == number(b)) {
        let due: Vec<Impact> = due.iter().map(|impact| numbered(impact, &numbers)).collect();
        let mut each = vec![0; targets.as_slice().len()];
        due.iter().for_each(|impact| each[impact.target as usize] += 1);
        frame.clear();
        frame.mark(&due);
        map.mark(&due);
        counts.impacts += due.len() as u64;
        counts.collisions += frame.lost();
        counts.expected += frame.atlas().expected_lost(&each);
    }
    let texels = map.to_rgba(Shade::Speed);
    let (texels, _) = texels.as_chunks::<4>();
    let [width, height] = SIZE.map(|side| side as usize * PIXELS);
    let texel = |k: usize| (k / width / PIXELS) * SIZE[0] as usize + k % width / PIXELS;
    let pixels = (0..width * height).map(|k| texels[texel(k)]).map(|[r, g, b, _]| [r, g, b]);
    Ok((Picture::of_pixels((width, height), pixels.collect()).draw(path)?, counts))
}

/// Returns the impacts on sounding objects, in order of time.
fn sounding_impacts(
    geometry: &HailGeometry,
    prepared: &Prepared,
    seconds: f64,
) -> Result<Vec<Impact>> {
    let sounds = |impact: &Impact| {
        let object = prepared.objects.get(geometry.object_of(impact.target) as usize);
        object.is_some_and(|object| object.model.is_some())
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

/// Returns an impact with the index of its collider on the map.
fn numbered(impact: &Impact, numbers: &[Option<u32>]) -> Impact {
    let known = numbers.get(impact.target as usize).copied().flatten();
    Impact { target: known.unwrap_or(0), ..*impact }
}

/// Returns the struck targets, and the index of each target of the geometry among them.
fn struck(geometry: &HailGeometry, impacts: &[Impact]) -> Result<(TargetSet, Vec<Option<u32>>)> {
    let all = geometry.simulation().targets().as_slice();
    let mut is_struck = vec![false; all.len()];
    impacts.iter().for_each(|impact| is_struck[impact.target as usize] = true);
    let (mut chosen, mut numbers) = (Vec::<Target>::new(), Vec::new());
    for (target, is_struck) in all.iter().zip(is_struck) {
        numbers.push(is_struck.then_some(chosen.len() as u32));
        if is_struck {
            chosen.push(target.target().surface.clone().into());
        }
    }
    Ok((TargetSet::new(chosen)?, numbers))
}
