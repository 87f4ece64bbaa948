//! Modal models: each distinct object is solved once.

use super::error::{ObjectError, PrepareError};
use super::geometry::Geometry;
use super::held::{self, HeldModels};
use super::object::GeometryCache;
use super::{Prepared, Step};
use crate::scene::{Object, Scene};
use foley_geometry::mesh::Mesh;
use foley_modal::bake::{self, BakeError, Baked, Stage};
use foley_modal::cache::{CacheEntry, CacheKey, ModelCache};
use foley_modal::provenance::{Change, rescale};
use foley_modal::shape::Solid;
use foley_modal::{Material, ModalModel, Shape, ShapeError, ShapeOptions};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Largest number of distinct sizes of one object; more are rounded, inaudibly.
const MAX_SIZES: usize = 256;

/// Objects that are equal except for their size.
struct Group<'a> {
    first: &'a Object,
    /// Indices of the objects.
    members: Vec<usize>,
}

/// Adds the models of all objects that sound.
pub(super) fn add_models(
    scene: &Scene,
    geometries: &mut GeometryCache,
    cache: Option<&ModelCache>,
    progress: &mut dyn FnMut(Step<'_>) -> bool,
    prepared: &mut Prepared,
) -> Result<(), PrepareError> {
    let groups = groups(scene, geometries)?;
    let mut held_models = HeldModels::default();
    for (done, group) in groups.iter().enumerate() {
        let object = group.first;
        let geometry = geometries.geometry(object, scene)?;
        let sizes = sizes(scene, &group.members);
        for member in group.members.iter().map(|member| &scene.objects[*member]) {
            held::check(member, &geometry).map_err(|error| error.for_object(&member.name))?;
        }
        let mut report = |stage: Stage, part: f64| {
            progress(Step { object: &object.name, done, of: groups.len(), stage, part })
        };
        let notes = Vec::new();
        let mut builder =
            ModelBuilder { object, geometry: &geometry, cache, report: &mut report, notes };
        let models = builder.models(&sizes.distinct);
        let models = models.map_err(|error| error.for_object(&object.name))?;
        let notes = builder.notes;
        let name = &object.name;
        prepared.notes.extend(notes.iter().map(|note| format!("\"{name}\": {note}")));
        match models {
            Models::Sounding(models) => {
                for (member, number) in group.members.iter().zip(&sizes.of_member) {
                    let Some(model) = &models[*number] else { continue };
                    let (object, size) = (&scene.objects[*member], sizes.distinct[*number]);
                    let model = held_models.of(scene, object, &geometry, model, size);
                    let model = model.map_err(|error| error.for_object(&object.name))?;
                    prepared.objects[*member].model = Some(model);
                }
            }
            Models::Silent(reason) => {
                prepared.notes.push(match group.members.len() - 1 {
                    0 => format!("\"{name}\" makes no sound of its own: {reason}"),
                    n => format!("\"{name}\" and {n} like it make no sound of their own: {reason}"),
                });
            }
        }
    }
    Ok(())
}

fn groups<'a>(
    scene: &'a Scene,
    geometries: &mut GeometryCache,
) -> Result<Vec<Group<'a>>, PrepareError> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut group_of_key: HashMap<String, usize> = HashMap::new();
    for (i, object) in scene.objects.iter().enumerate().filter(|(_, object)| !object.silent) {
        let Object { material, thickness_m, modes, .. } = object;
        let geometry = geometries.key(object, scene)?;
        let key = format!("{geometry} {material:?} {thickness_m:?} {modes:?}");
        let group = *group_of_key.entry(key).or_insert_with(|| {
            groups.push(Group { first: object, members: Vec::new() });
            groups.len() - 1
        });
        groups[group].members.push(i);
    }
    Ok(groups)
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

/// One model for each size (`None` for a silent size), or the reason why all are silent.
enum Models {
    Sounding(Vec<Option<Arc<ModalModel>>>),
    Silent(String),
}

struct ModelBuilder<'a, 'b> {
    object: &'a Object,
    geometry: &'a Geometry,
    /// `None`: meshes are checked and not baked.
    cache: Option<&'a ModelCache>,
    report: &'a mut (dyn FnMut(Stage, f64) -> bool + 'b),
    /// What was changed or left out.
    notes: Vec<String>,
}

impl ModelBuilder<'_, '_> {
    fn models(&mut self, sizes: &[f64]) -> Result<Models, ObjectError> {
        match self.geometry {
            Geometry::Ground => Ok(Models::Silent("it is the ground".into())),
            Geometry::Shape(shape) => self.shape(shape, sizes),
            Geometry::Model(model, provenance) => {
                let mut models = Vec::new();
                for size in sizes {
                    let model = match (provenance, *size == 1.0) {
                        (_, true) => ModalModel::clone(model),
                        (None, false) => return Err(ObjectError::Size),
                        (Some(provenance), false) => {
                            let change = Change { size: *size, ..Change::default() };
                            rescale(model, provenance, &change, self.object.modes.max_hz)?.0
                        }
                    };
                    models.push(Some(Arc::new(model)));
                }
                Ok(Models::Sounding(models))
            }
            Geometry::Solid(solid) => match self.silent_ball(*solid, sizes) {
                Some(reason) => Ok(Models::Silent(reason)),
                None => self.mesh(&solid.mesh(), None, sizes),
            },
            Geometry::Mesh { mesh, wall_m, .. } => self.mesh(mesh, *wall_m, sizes),
        }
    }

    fn shape(&mut self, shape: &Shape, sizes: &[f64]) -> Result<Models, ObjectError> {
        let defaults = ShapeOptions::default();
        let limits = &self.object.modes;
        let options = defaults
            .with_max_hz(limits.max_hz)
            .with_max_modes(limits.max_modes.unwrap_or(defaults.max_modes));
        // A check does not solve radiation, as it does not bake meshes.
        let options = match self.cache {
            Some(_) => options,
            None => options.with_radiation_budget_s(0.0),
        };
        let material = &self.object.material;
        // Sheets take seconds, other shapes none.
        let cache = self.cache.filter(|_| shape.is_sheet());
        let Material { density, young_pa, poisson, damping, thermal, .. } = material;
        let numbers = (density, young_pa, poisson, damping, thermal);
        // Radiation is solved at the largest of the sizes.
        let key = |size: f64| {
            let text = format!("{shape} {size} of {sizes:?} {numbers:?} {options:?}");
            CacheKey::new(&Mesh::default(), &text)
        };
        let stored = sizes.iter().map(|size| cache?.load(&key(*size)));
        if let Some(entries) = stored.collect::<Option<Vec<CacheEntry>>>() {
            return Ok(self.sounding(entries));
        }
        if !(self.report)(Stage::Radiation, 0.0) {
            return Err(ObjectError::Bake(BakeError::Cancelled));
        }
        let (mut entries, mut failure) = (Vec::new(), None);
        shape.modes_of_sizes(sizes, material, &options, |modes| {
            let size = sizes[entries.len()];
            let baked = modes.and_then(|modes| {
                let name = shape.scaled(size)?.model_name(material);
                modes.baked(name, material, options.max_modes)
            });
            match baked {
                Ok(baked) => entries.push(CacheEntry::Model(Box::new(baked))),
                Err(error @ ShapeError::Silent { .. }) => {
                    entries.push(CacheEntry::Silent(error.to_string()));
                }
                Err(error) => failure = Some(ObjectError::from(error)),
            }
            let done = entries.len() as f64 / sizes.len() as f64;
            if failure.is_none() && !(self.report)(Stage::Gains, done) {
                failure = Some(ObjectError::Bake(BakeError::Cancelled));
            }
            failure.is_none()
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(cache) = cache {
            sizes.iter().zip(&entries).for_each(|(size, entry)| cache.store(&key(*size), entry));
        }
        Ok(self.sounding(entries))
    }

    /// Takes models and their notes.
    fn sounding(&mut self, entries: Vec<CacheEntry>) -> Models {
        let (mut models, mut silent) = (Vec::new(), None);
        for entry in entries {
            models.push(match entry {
                CacheEntry::Model(baked) => {
                    for note in baked.provenance.notes {
                        if !self.notes.contains(&note) {
                            self.notes.push(note);
                        }
                    }
                    Some(Arc::new(baked.model))
                }
                CacheEntry::Silent(reason) => {
                    silent = Some(reason);
                    None
                }
            });
        }
        match silent.filter(|_| models.iter().all(Option::is_none)) {
            Some(reason) => Models::Silent(reason),
            None => Models::Sounding(models),
        }
    }

    /// Returns the reason why a ball is silent, without a solve. The lowest mode of a free ball is
    /// torsional, at ω a = 2.501 c_t for any Poisson's ratio (Lamb 1882).
    fn silent_ball(&self, solid: Solid, sizes: &[f64]) -> Option<String> {
        let Solid::Ball { diameter_m } = solid else { return None };
        let m = &self.object.material;
        let c_t = (m.young_pa / (2.0 * (1.0 + m.poisson) * m.density)).sqrt();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let lowest_hz = 2.501 * c_t / (TAU * 0.5 * diameter_m * largest);
        let limit_hz = self.object.modes.max_hz;
        (lowest_hz > limit_hz)
            .then(|| format!("its lowest mode rings at {:.0} kHz", lowest_hz / 1e3))
    }

    /// Solves a mesh once and rescales the model to the other sizes.
    fn mesh(
        &mut self,
        mesh: &Mesh,
        wall_m: Option<f64>,
        sizes: &[f64],
    ) -> Result<Models, ObjectError> {
        let thickness_m = self.object.thickness_m.or(wall_m);
        let max_hz = self.object.modes.max_hz;
        if let [size] = sizes {
            let mut scaled = mesh.clone();
            scaled.vertices.iter_mut().for_each(|p| *p = p.map(|x| x * size));
            let thickness_m = thickness_m.map(|t| t * size);
            return Ok(match self.bake(&scaled, thickness_m, max_hz, true)? {
                CacheEntry::Model(baked) => {
                    self.notes.extend(baked.provenance.notes);
                    Models::Sounding(vec![Some(Arc::new(baked.model))])
                }
                CacheEntry::Silent(reason) => Models::Silent(reason),
            });
        }
        // Modes of the largest size below the limit lie above it at size 1.
        let largest = sizes.iter().copied().fold(1.0, f64::max);
        let baked = match self.bake(mesh, thickness_m, max_hz * largest, false)? {
            CacheEntry::Model(baked) => baked,
            CacheEntry::Silent(reason) => return Ok(Models::Silent(reason)),
        };
        self.notes.extend(baked.provenance.notes.iter().cloned());
        let model = |size: &f64| {
            let change = Change { size: *size, ..Change::default() };
            match rescale(&baked.model, &baked.provenance, &change, max_hz) {
                Ok((model, _)) => Ok(Some(Arc::new(model))),
                // All modes of a small size lie above the limit.
                Err(foley_modal::ModelError::NoModes) => Ok(None),
                Err(error) => Err(ObjectError::from(error)),
            }
        };
        Ok(Models::Sounding(sizes.iter().map(model).collect::<Result<_, _>>()?))
    }

    fn bake(
        &mut self,
        mesh: &Mesh,
        thickness_m: Option<f64>,
        max_hz: f64,
        compress: bool,
    ) -> Result<CacheEntry, ObjectError> {
        let Object { material, modes, name, .. } = self.object;
        let defaults = bake::Options::default();
        let max_modes = modes.max_modes.unwrap_or(defaults.max_modes);
        let Material { density, young_pa, poisson, damping, thermal, .. } = material;
        let numbers = (density, young_pa, poisson, damping, thermal);
        let method = modes.method;
        let key = format!("{numbers:?} {thickness_m:?} {max_hz} {max_modes} {method} {compress}");
        let key = CacheKey::new(mesh, &key);
        let options = defaults
            .with_method(method)
            .with_thickness_m(thickness_m)
            .with_max_hz(max_hz)
            .with_max_modes(max_modes)
            .with_compress(compress);
        let Some(cache) = self.cache else {
            bake::check(mesh, material, options).map_err(ObjectError::Bake)?;
            return Ok(CacheEntry::Silent("its modes are not computed by a check".into()));
        };
        if let Some(entry) = cache.load(&key) {
            return Ok(entry);
        }
        let report = &mut *self.report;
        let mut watch = |stage: Stage, part: f64| report(stage, part);
        let options = options.with_progress(&mut watch);
        let name = format!("{} {name}", material.name);
        let entry = match bake::bake(mesh, &name, material, options) {
            Ok(baked @ Baked { .. }) => CacheEntry::Model(Box::new(baked)),
            Err(error @ (BakeError::Silent { .. } | BakeError::BelowBand { .. })) => {
                CacheEntry::Silent(error.to_string())
            }
            Err(error) => return Err(ObjectError::Bake(error)),
        };
        cache.store(&key, &entry);
        Ok(entry)
    }
}
