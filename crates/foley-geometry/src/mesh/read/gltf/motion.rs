//! Where animations lead nodes: the map from node to scene over time.
//!
//! All animations of a file run from its beginning, together. A node also moves with the nodes it
//! hangs on. What lies straight between keys is told at the keys; arcs and cubics are told
//! [`FINE_HZ`] times a second as well.

use super::document::{Document, Node};
use super::scene::{self, Affine};
use super::track::{How, Track, What};
use super::{Gltf, wrong};
use crate::mesh::MeshError;
use std::collections::{BTreeMap, HashMap};

/// How often curved motion is told.
const FINE_HZ: f64 = 120.0;

/// Keys of all animations of a file, and places of all nodes it moves.
const MAX_KEYS: usize = 1 << 20;
const MAX_PLACES: usize = 200_000;
/// Nodes that move hang on at most so many others.
const MAX_DEPTH: usize = 1000;
/// A value that jumps holds until so long before, s.
const JUMP_S: f64 = 0.001;

/// Where a node is at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GltfPlace {
    /// When, in seconds from the beginning.
    pub at_s: f64,
    /// Columns of the map from the node to the scene: three directions and the origin.
    pub scene_from_node: [[f64; 3]; 4],
}

/// What animations do to one node.
#[derive(Default)]
struct Moved {
    translation: Option<Track>,
    rotation: Option<Track>,
    scale: Option<Track>,
    /// By which animation, to be named.
    animation: String,
}

impl Moved {
    fn tracks(&self) -> impl Iterator<Item = &Track> {
        [&self.translation, &self.rotation, &self.scale].into_iter().flatten()
    }

    /// The map to the node's parent at a time.
    fn at(&self, node: &Node, time_s: f64) -> Affine {
        let three = |track: &Option<Track>, rest: Option<[f64; 3]>| {
            track.as_ref().map_or(rest, |track| {
                let [x, y, z, _] = track.at(time_s);
                Some([x, y, z])
            })
        };
        let rotation = self.rotation.as_ref().map_or(node.rotation, |t| Some(t.at(time_s)));
        let translation = three(&self.translation, node.translation);
        scene::composed(translation, rotation, three(&self.scale, node.scale))
    }
}

impl Gltf {
    /// Where the animations lead those of these nodes that they move, by [number]: straight from
    /// place to place, turning evenly.
    ///
    /// [number]: super::GltfNode::number
    pub fn motions(&self, nodes: &[usize]) -> Result<BTreeMap<usize, Vec<GltfPlace>>, MeshError> {
        let mut motions = BTreeMap::new();
        if self.document.animations.is_empty() {
            return Ok(motions);
        }
        let moved = self.moved()?;
        let tree = Tree::new(&self.document, &moved);
        let mut left = MAX_PLACES;
        for &number in nodes.iter().filter(|number| tree.moves.get(**number) == Some(&true)) {
            let fail = |problem: &str| wrong(named(&self.document, number), problem);
            let chain = tree.chain(number).ok_or_else(|| fail("it hangs on too many nodes"))?;
            let times_s = times(&chain, &moved, number, left).ok_or_else(|| {
                let name = chain.iter().find_map(|k| moved.get(k)).map_or("", |m| &*m.animation);
                let problem = format!(
                    "with {name}, more than {MAX_PLACES} places would be needed; shorten it"
                );
                fail(&problem)
            })?;
            left -= times_s.len();
            let place = |at_s: f64| {
                let along = chain.iter().filter_map(|k| Some((k, self.document.nodes.get(*k)?)));
                let scene_from_node = along.fold(scene::IDENTITY, |map, (k, node)| {
                    let own =
                        moved.get(k).map_or_else(|| scene::transform(node), |m| m.at(node, at_s));
                    scene::product(map, own)
                });
                GltfPlace { at_s, scene_from_node }
            };
            motions.insert(number, times_s.into_iter().map(place).collect());
        }
        Ok(motions)
    }

    /// What all animations do, node by node.
    fn moved(&self) -> Result<HashMap<usize, Moved>, MeshError> {
        let document = &self.document;
        let mut all: HashMap<usize, Moved> = HashMap::new();
        let mut left = MAX_KEYS;
        for (a, animation) in document.animations.iter().enumerate() {
            let name: String = animation.name.iter().flat_map(|n| n.chars().take(200)).collect();
            let name = format!("animation {a} \"{name}\"");
            for channel in &animation.channels {
                let what = match &*channel.target.path {
                    "translation" => What::Translation,
                    "rotation" => What::Rotation,
                    "scale" => What::Scale,
                    // Morph targets stay at rest, and what extensions move is not ours.
                    _ => continue,
                };
                let Some(number) = channel.target.node else { continue };
                let fail =
                    |problem: &str| wrong(format!("{name}, {}", named(document, number)), problem);
                let node = document.nodes.get(number).ok_or_else(|| fail("it does not exist"))?;
                if node.matrix.is_some() {
                    return Err(fail("it has a matrix, which cannot be moved; export it again"));
                }
                let sampler = animation.samplers.get(channel.sampler);
                let sampler = sampler.ok_or_else(|| fail("its sampler does not exist"))?;
                let track = Track::read(document, &self.buffers, sampler, what, left);
                let track = track.map_err(|problem| fail(&problem))?;
                left -= track.times_s.len();
                let moved = all.entry(number).or_default();
                let of = match what {
                    What::Translation => &mut moved.translation,
                    What::Rotation => &mut moved.rotation,
                    What::Scale => &mut moved.scale,
                };
                if of.is_some() {
                    let problem = format!("{} moves it too; keep one of them", moved.animation);
                    return Err(fail(&problem));
                }
                *of = Some(track);
                moved.animation.clone_from(&name);
            }
        }
        Ok(all)
    }
}

fn named(document: &Document, number: usize) -> String {
    let name = document.nodes.get(number).and_then(|node| node.name.as_deref());
    let name: String = name.unwrap_or_default().chars().take(200).collect();
    format!("node {number} \"{name}\"")
}

/// Who hangs on whom, and who moves, by itself or with others.
struct Tree {
    parents: Vec<Option<usize>>,
    moves: Vec<bool>,
}

impl Tree {
    fn new(document: &Document, moved: &HashMap<usize, Moved>) -> Self {
        let mut parents = vec![None; document.nodes.len()];
        for (number, node) in document.nodes.iter().enumerate() {
            for child in node.children.iter().filter(|child| **child < document.nodes.len()) {
                parents[*child] = Some(number);
            }
        }
        let mut moves = vec![false; document.nodes.len()];
        // Already walked once without complaint: parents come before their children.
        let _ = scene::walk(document, |number, _, _, _| {
            let parent = parents[number].is_some_and(|parent: usize| moves[parent]);
            moves[number] = parent || moved.contains_key(&number);
            Ok(())
        });
        Self { parents, moves }
    }

    /// From the root to the node; `None` where that is too long.
    fn chain(&self, number: usize) -> Option<Vec<usize>> {
        let up = |number: &usize| self.parents.get(*number).copied().flatten();
        let mut chain: Vec<usize> =
            std::iter::successors(Some(number), up).take(MAX_DEPTH + 1).collect();
        chain.reverse();
        (chain.len() <= MAX_DEPTH).then_some(chain)
    }
}

/// When the places of a node must be told; `None` for more than `most`.
fn times(
    chain: &[usize],
    moved: &HashMap<usize, Moved>,
    number: usize,
    most: usize,
) -> Option<Vec<f64>> {
    let mut times_s = Vec::new();
    let mut curved = false;
    for (k, moved) in chain.iter().filter_map(|k| Some((*k, moved.get(k)?))) {
        for track in moved.tracks() {
            curved |= k != number || track.how == How::Cubic;
            times_s.extend(&track.times_s);
            if track.how == How::Step {
                let pairs = track.times_s.windows(2);
                times_s.extend(pairs.map(|p| (p[1] - JUMP_S).max(0.5 * (p[0] + p[1]))));
            }
            if times_s.len() > 4 * MAX_KEYS {
                return None;
            }
        }
    }
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    let mut fine_s = Vec::new();
    for (k, &at_s) in times_s.iter().enumerate() {
        let span_s = times_s.get(k + 1).map_or(0.0, |next| next - at_s);
        let parts = if curved { (span_s * FINE_HZ).ceil().max(1.0) } else { 1.0 };
        if fine_s.len() as f64 + parts > most as f64 {
            return None;
        }
        fine_s.extend((0..parts as usize).map(|part| at_s + span_s * part as f64 / parts));
    }
    Some(fine_s)
}
