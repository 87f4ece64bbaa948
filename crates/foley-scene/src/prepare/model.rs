//! Modes: each distinct object is solved once.

use super::error::{ObjectError, PrepareError};
use super::geometry::Geometry;
use super::object::{GeometryCache, geometry_key};
use super::{Prepared, Step};
use crate::scene::{Object, Scene};
use foley_geometry::mesh::Mesh;
use foley_modal::bake::{self, BakeError, Baked, Stage};
use foley_modal::cache::{CacheEntry, CacheKey, ModelCache};
use foley_modal::provenance::{Change, rescale};
use foley_modal::shape::Solid;
use foley_modal::{ModalModel, Shape, ShapeError, ShapeOptions};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Instances may have this many sizes of their own; more are rounded, by less than one can hear.
const MAX_SIZES: usize = 256;

/// Objects that differ in their size at most.
struct Group<'a> {
    first: &'a Object,
    /// Places in the scene's list.
    members: Vec<usize>,
}

pub(super) fn all(
    scene: &Scene,
    geometries: &mut GeometryCache,
    cache: &ModelCache,
    progress: &mut dyn FnMut(Step<'_>) -> bool,
    prepared: &mut Prepared,
) -> Result<(), PrepareError> {
    let groups = groups(scene);
    for (done, group) in groups.iter().enumerate() {
        let object = group.first;
        let geometry = geometries.geometry(object, &scene.folder)?;
        let sizes = sizes(scene, &group.members);
        let mut report = |stage: Stage, part: f64| {
            progress(Step { object: &object.name, done, of: groups.len(), stage, part })
        };
        let mut maker = Maker { object, geometry: &geometry, cache, report: &mut report };
        let made = maker.models(&sizes.distinct).map_err(|error| error.for_object(&object.name))?;
        match made {
            Made::Models(models) => {
                for (member, size) in group.members.iter().zip(&sizes.of_member) {
                    prepared.objects[*member].model = models[*size].clone();
                }
            }
            Made::Silent(reason) => {
                let more = match group.members.len() - 1 {
                    0 => String::new(),
                    more => format!(" and {more} more like it"),
                };
                let name = &object.name;
                prepared.notes.push(format!("\"{name}\"{more}: no sound of its own: {reason}"));
            }
        }
    }
    Ok(())
}

fn groups(scene: &Scene) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (i, object) in scene.objects.iter().enumerate().filter(|(_, object)| !object.silent) {
        let Object { material, thickness_m, modes, .. } = object;
        let key = format!("{} {material:?} {thickness_m:?} {modes:?}", geometry_key(object));
        let group = *known.entry(key).or_insert_with(|| {
            groups.push(Group { first: object, members: Vec::new() });
            groups.len() - 1
        });
        groups[group].members.push(i);
    }
    groups
}

/// The sizes in a group, and which of them each member has.
struct Sizes {
    distinct: Vec<f64>,
    of_member: Vec<usize>,
}

fn sizes(scene: &Scene, members: &[usize]) -> Sizes {
    let size = |member: &usize| scene.objects[*member].size;
    let mut distinct: Vec<f64> = members.iter().map(size).collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    if distinct.len() > MAX_SIZES {
        let n = distinct.len();
        distinct = (0..MAX_SIZES).map(|i| distinct[(2 * i + 1) * n / (2 * MAX_SIZES)]).collect();
    }
    let nearest = |size: f64| {
        let next = distinct.partition_point(|s| *s < size).min(distinct.len() - 1);
        let before = next.saturating_sub(1);
        if size - distinct[before] < distinct[next] - size { before } else { next }
    };
    let of_member = members.iter().map(|member| nearest(size(member))).collect();
    Sizes { distinct, of_member }
}

/// One model for each size, or the reason why there is none.
enum Made {
    Models(Vec<Option<Arc<ModalModel>>>),
    Silent(String),
}

struct Maker<'a, 'b> {
    object: &'a Object,
    geometry: &'a Geometry,
    cache: &'a ModelCache,
    report: &'a mut (dyn FnMut(Stage, f64) -> bool + 'b),
}

impl Maker<'_, '_> {
    fn models(&mut self, sizes: &[f64]) -> Result<Made, ObjectError> {
        match self.geometry {
            Geometry::Ground => Ok(Made::Silent("it is the ground".into())),
            Geometry::Shape(shape) => self.shape(shape, sizes),
            Geometry::Model(model, provenance) => {
                let mut models = Vec::new();
                for size in sizes {
                    let model = match (provenance, *size == 1.0) {
                        (_, true) => model.clone(),
                        (None, false) => return Err(ObjectError::Size),
                        (Some(provenance), false) => {
                            let change = Change { size: *size, ..Change::default() };
                            rescale(model, provenance, &change, self.object.modes.max_hz)?.0
                        }
                    };
                    models.push(Some(Arc::new(model)));
                }
                Ok(Made::Models(models))
            }
            Geometry::Solid(solid) => match self.too_high(*solid, sizes) {
                Some(reason) => Ok(Made::Silent(reason)),
                None => self.mesh(&solid.mesh(), None, sizes),
            },
            Geometry::Mesh { mesh, wall_m, .. } => self.mesh(mesh, *wall_m, sizes),
        }
    }

    fn shape(&mut self, shape: &Shape, sizes: &[f64]) -> Result<Made, ObjectError> {
        let all = ShapeOptions::default();
        let limits = &self.object.modes;
        let options = ShapeOptions {
            max_hz: limits.max_hz,
            max_modes: limits.max_modes.unwrap_or(all.max_modes),
            ..all
        };
        let mut models = Vec::new();
        let mut silent = None;
        for size in sizes {
            if !(self.report)(Stage::Gains, models.len() as f64 / sizes.len() as f64) {
                return Err(ObjectError::Bake(BakeError::Cancelled));
            }
            match shape.scaled(*size)?.model(&self.object.material, &options) {
                Ok(model) => models.push(Some(Arc::new(model))),
                Err(error @ ShapeError::Silent { .. }) => {
                    silent = Some(error.to_string());
                    models.push(None);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(match silent.filter(|_| models.iter().all(Option::is_none)) {
            Some(reason) => Made::Silent(reason),
            None => Made::Models(models),
        })
    }

    /// The lowest mode of a free ball is torsional, at ω a = 2.501 c_t, whatever Poisson's ratio
    /// (Lamb 1882): small balls need no solve to be known as silent.
    fn too_high(&self, solid: Solid, sizes: &[f64]) -> Option<String> {
        let Solid::Ball { diameter_m } = solid else { return None };
        let m = &self.object.material;
        let c_t = (m.young_pa / (2.0 * (1.0 + m.poisson) * m.density)).sqrt();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let lowest_hz = 2.501 * c_t / (TAU * 0.5 * diameter_m * largest);
        let limit_hz = self.object.modes.max_hz;
        (lowest_hz > limit_hz)
            .then(|| format!("its lowest mode rings at {:.0} kHz", lowest_hz / 1e3))
    }

    /// Solves once, and makes the other sizes from that.
    fn mesh(
        &mut self,
        mesh: &Mesh,
        wall_m: Option<f64>,
        sizes: &[f64],
    ) -> Result<Made, ObjectError> {
        let thickness_m = self.object.thickness_m.or(wall_m);
        let max_hz = self.object.modes.max_hz;
        if let [size] = sizes {
            let mut larger = mesh.clone();
            larger.vertices.iter_mut().for_each(|p| *p = p.map(|x| x * size));
            let thickness_m = thickness_m.map(|t| t * size);
            return Ok(match self.bake(&larger, thickness_m, max_hz, true)? {
                CacheEntry::Model(baked) => Made::Models(vec![Some(Arc::new(baked.model))]),
                CacheEntry::Silent(reason) => Made::Silent(reason),
            });
        }
        // The largest one has modes below the limit that lie above it at size 1.
        let largest = sizes.iter().copied().fold(1.0, f64::max);
        let baked = match self.bake(mesh, thickness_m, max_hz * largest, false)? {
            CacheEntry::Model(baked) => baked,
            CacheEntry::Silent(reason) => return Ok(Made::Silent(reason)),
        };
        let model = |size: &f64| {
            let change = Change { size: *size, ..Change::default() };
            match rescale(&baked.model, &baked.provenance, &change, max_hz) {
                Ok((model, _)) => Ok(Some(Arc::new(model))),
                // All modes of a small one lie too high.
                Err(foley_modal::ModelError::NoModes) => Ok(None),
                Err(error) => Err(ObjectError::from(error)),
            }
        };
        Ok(Made::Models(sizes.iter().map(model).collect::<Result<_, _>>()?))
    }

    fn bake(
        &mut self,
        mesh: &Mesh,
        thickness_m: Option<f64>,
        max_hz: f64,
        compress: bool,
    ) -> Result<CacheEntry, ObjectError> {
        let Object { material, modes, name, .. } = self.object;
        let all = bake::Options::default();
        let max_modes = modes.max_modes.unwrap_or(all.max_modes);
        let numbers = (material.density, material.young_pa, material.poisson, material.damping);
        let method = modes.method;
        let key = format!("{numbers:?} {thickness_m:?} {max_hz} {max_modes} {method} {compress}");
        let number = CacheKey::new(mesh, &key);
        if let Some(known) = self.cache.load(&number) {
            return Ok(known);
        }
        let report = &mut *self.report;
        let mut watch = |stage: Stage, part: f64| report(stage, part);
        let options = bake::Options {
            method,
            thickness_m,
            max_hz,
            max_modes,
            compress,
            progress: Some(&mut watch),
            ..all
        };
        let name = format!("{} {name}", material.name);
        let kept = match bake::bake(mesh, &name, material, options) {
            Ok(baked @ Baked { .. }) => CacheEntry::Model(Box::new(baked)),
            Err(error @ BakeError::Silent { .. }) => CacheEntry::Silent(error.to_string()),
            Err(error) => return Err(ObjectError::Bake(error)),
        };
        self.cache.store(&number, &kept);
        Ok(kept)
    }
}
