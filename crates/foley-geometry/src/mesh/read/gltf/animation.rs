//! Animation of nodes: the transform from node to scene over time.
//!
//! All animations of a file run together from time 0. A node also moves with its ancestors.
//! Linear motion is sampled at the keys; arcs and cubic splines also [`FINE_HZ`] times a second.

use super::document::{Document, Node};
use super::sampler::{Interpolation, Property, Track};
use super::scene;
use super::{Gltf, wrong};
use crate::mesh::MeshError;
use glam::{DAffine3, DQuat};
use std::collections::{BTreeMap, HashMap};

/// Sample rate of curved motion.
const FINE_HZ: f64 = 120.0;

/// Limits on the keys of all animations of a file, and on the keyframes returned.
const MAX_KEYS: usize = 1 << 20;
const MAX_KEYFRAMES: usize = 200_000;
/// Limit on the ancestors of animated nodes.
const MAX_DEPTH: usize = 1000;
/// A step is drawn as a ramp of at most this duration, s.
const JUMP_S: f64 = 0.001;

/// Transform of a node at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GltfKeyframe {
    /// Time, in seconds from the beginning.
    pub at_s: f64,
    /// Transform from node to scene.
    pub scene_from_node: DAffine3,
}

/// Animated properties of one node.
#[derive(Default)]
struct NodeTracks {
    translation: Option<Track>,
    rotation: Option<Track>,
    scale: Option<Track>,
    /// Name of the animation, for error messages.
    animation: String,
}

impl NodeTracks {
    fn tracks(&self) -> impl Iterator<Item = &Track> {
        [&self.translation, &self.rotation, &self.scale].into_iter().flatten()
    }

    /// Returns the transform from node to parent at a time.
    fn at(&self, node: &Node, time_s: f64) -> DAffine3 {
        let three = |track: &Option<Track>, rest: Option<[f64; 3]>| {
            track.as_ref().map_or(rest, |track| Some(track.at(time_s).truncate().to_array()))
        };
        let rotation = self.rotation.as_ref().map(|track| DQuat::from_vec4(track.at(time_s)));
        let rotation = rotation.or(node.rotation.map(DQuat::from_array));
        let translation = three(&self.translation, node.translation);
        scene::composed(translation, rotation, three(&self.scale, node.scale))
    }
}

impl Gltf {
    /// Returns keyframes of those of these nodes that are animated, by [number]. Between keyframes
    /// motion is linear and rotation uniform.
    ///
    /// [number]: super::GltfNode::number
    pub fn motions(
        &self,
        nodes: &[usize],
    ) -> Result<BTreeMap<usize, Vec<GltfKeyframe>>, MeshError> {
        let mut motions = BTreeMap::new();
        if self.document.animations.is_empty() {
            return Ok(motions);
        }
        let moved = self.moved()?;
        let tree = Tree::new(&self.document, &moved);
        let mut left = MAX_KEYFRAMES;
        for &number in nodes.iter().filter(|number| tree.moves.get(**number) == Some(&true)) {
            let fail = |problem: &str| wrong(named(&self.document, number), problem);
            let chain = tree.chain(number).ok_or_else(|| fail("it has too many ancestors"))?;
            let times_s = times(&chain, &moved, number, left).ok_or_else(|| {
                let name = chain.iter().find_map(|k| moved.get(k)).map_or("", |m| &*m.animation);
                let problem = format!(
                    "with {name}, more than {MAX_KEYFRAMES} keyframes would be needed; shorten it"
                );
                fail(&problem)
            })?;
            left -= times_s.len();
            let place = |at_s: f64| {
                let along = chain.iter().filter_map(|k| Some((k, self.document.nodes.get(*k)?)));
                let scene_from_node = along.fold(DAffine3::IDENTITY, |map, (k, node)| {
                    let own =
                        moved.get(k).map_or_else(|| scene::transform(node), |m| m.at(node, at_s));
                    map * own
                });
                GltfKeyframe { at_s, scene_from_node }
            };
            motions.insert(number, times_s.into_iter().map(place).collect());
        }
        Ok(motions)
    }

    /// Collects the animated properties of all nodes.
    fn moved(&self) -> Result<HashMap<usize, NodeTracks>, MeshError> {
        let document = &self.document;
        let mut all: HashMap<usize, NodeTracks> = HashMap::new();
        let mut left = MAX_KEYS;
        for (a, animation) in document.animations.iter().enumerate() {
            let name: String = animation.name.iter().flat_map(|n| n.chars().take(200)).collect();
            let name = format!("animation {a} \"{name}\"");
            for channel in &animation.channels {
                let property = match &*channel.target.path {
                    "translation" => Property::Translation,
                    "rotation" => Property::Rotation,
                    "scale" => Property::Scale,
                    // Morph targets and properties of extensions are ignored.
                    _ => continue,
                };
                let Some(number) = channel.target.node else { continue };
                let fail =
                    |problem: &str| wrong(format!("{name}, {}", named(document, number)), problem);
                let node = document.nodes.get(number).ok_or_else(|| fail("it does not exist"))?;
                if node.matrix.is_some() {
                    return Err(fail(
                        "it has a matrix, which cannot be animated; export it with translation, rotation and scale",
                    ));
                }
                let sampler = animation.samplers.get(channel.sampler);
                let sampler = sampler.ok_or_else(|| fail("its sampler does not exist"))?;
                let track = Track::read(document, &self.buffers, sampler, property, left);
                let track = track.map_err(|problem| fail(&problem))?;
                left -= track.times_s.len();
                let moved = all.entry(number).or_default();
                let of = match property {
                    Property::Translation => &mut moved.translation,
                    Property::Rotation => &mut moved.rotation,
                    Property::Scale => &mut moved.scale,
                };
                if of.is_some() {
                    let problem = format!("{} animates it too; keep one of them", moved.animation);
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

/// Parents of nodes, and which nodes move by themselves or with an ancestor.
struct Tree {
    parents: Vec<Option<usize>>,
    moves: Vec<bool>,
}

impl Tree {
    fn new(document: &Document, moved: &HashMap<usize, NodeTracks>) -> Self {
        let mut parents = vec![None; document.nodes.len()];
        for (number, node) in document.nodes.iter().enumerate() {
            for child in node.children.iter().filter(|child| **child < document.nodes.len()) {
                parents[*child] = Some(number);
            }
        }
        let mut moves = vec![false; document.nodes.len()];
        // Traversed once before without error; parents come before their children.
        let _ = scene::traverse(document, |number, _, _, _| {
            let parent = parents[number].is_some_and(|parent: usize| moves[parent]);
            moves[number] = parent || moved.contains_key(&number);
            Ok(())
        });
        Self { parents, moves }
    }

    /// Returns the nodes from the root to this one; `None` when too many.
    fn chain(&self, number: usize) -> Option<Vec<usize>> {
        let up = |number: &usize| self.parents.get(*number).copied().flatten();
        let mut chain: Vec<usize> =
            std::iter::successors(Some(number), up).take(MAX_DEPTH + 1).collect();
        chain.reverse();
        (chain.len() <= MAX_DEPTH).then_some(chain)
    }
}

/// Returns the times at which a node's transform is sampled; `None` for more than `most`.
fn times(
    chain: &[usize],
    moved: &HashMap<usize, NodeTracks>,
    number: usize,
    most: usize,
) -> Option<Vec<f64>> {
    let mut times_s = Vec::new();
    let mut curved = false;
    for (k, moved) in chain.iter().filter_map(|k| Some((*k, moved.get(k)?))) {
        for track in moved.tracks() {
            curved |= k != number || track.interpolation == Interpolation::Cubic;
            times_s.extend(&track.times_s);
            if track.interpolation == Interpolation::Step {
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
