//! Prepares a scene for simulation and sound: geometry, mass properties, colliders, modal models.
//!
//! ```no_run
//! use foley_scene::{Scene, prepare::ModelCache};
//! let scene = Scene::load("rings.toml")?;
//! let prepared = scene.prepare(&ModelCache::user(), &mut |step| {
//!     eprintln!("{} of {}: {}, {}", step.done + 1, step.of, step.object, step.stage);
//!     true
//! })?;
//! for (object, prepared) in scene.objects.iter().zip(&prepared.objects) {
//!     println!("{}: {:.3} kg", object.name, prepared.mass.mass_kg);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each distinct object is solved once and cached on disk; instances of other sizes are rescaled
//! without a solve.
//!
//! The [`foley_geometry::Collider`] of an object with `collider = "auto"`:
//!
//! | object | collider |
//! |---|---|
//! | bar, plate, box | box |
//! | rod, string, disc, membrane, cylinder | cylinder; a disc's is flat |
//! | ball | ball |
//! | ring | ring; the built-in mesh has capsules round the circle of its wire |
//! | ground | half-space |
//! | fixed or kinematic mesh | its triangles |
//! | dynamic mesh, model | convex hull of at most 200 points, which fills hollows; a box if it is flat |
//! | model without a surface | the hull of its points; a thin box if they lie in a plane or line, a ball of its mass if they are one |
//!
//! Mass, centre of mass and inertia do not follow from the collider: those of a wall are those of a
//! shell, whatever fills its hull.

mod gltf_nodes;
mod geometry;
mod collider;
mod object;
mod model;
mod held;
mod notes;
mod places;
mod error;

pub use error::{ObjectError, PrepareError};
pub use foley_modal::cache::ModelCache;
pub use object::PreparedObject;

use crate::scene::Scene;
use foley_modal::bake::Stage;
use object::GeometryCache;

/// A prepared scene.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// One for each object, in the same order.
    pub objects: Vec<PreparedObject>,
    /// Remarks for the author of the scene.
    pub notes: Vec<String>,
}

/// Progress of [`Scene::prepare`].
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The object that is analysed.
    pub object: &'a str,
    /// Number of distinct objects that are done.
    pub done: usize,
    /// Number of all distinct objects.
    pub of: usize,
    /// Stage of the analysis.
    pub stage: Stage,
    /// Part of the stage that is done, 0 … 1.
    pub part: f64,
}

impl Scene {
    /// Prepares geometry and masses without modal analysis, which is fast.
    pub fn prepare_geometry(&self) -> Result<Prepared, PrepareError> {
        self.prepare_geometry_from(&mut GeometryCache::default())
    }

    fn prepare_geometry_from(
        &self,
        geometries: &mut GeometryCache,
    ) -> Result<Prepared, PrepareError> {
        let objects = self.objects.iter().map(|object| geometries.object(object, self));
        let objects = objects.collect::<Result<Vec<_>, _>>()?;
        let mut notes = self.notes(&objects);
        notes.extend(collider::notes(self, &objects, geometries)?);
        Ok(Prepared { objects, notes })
    }

    /// Prepares everything. If `progress` returns false, preparation is cancelled.
    pub fn prepare(
        &self,
        cache: &ModelCache,
        progress: &mut dyn FnMut(Step<'_>) -> bool,
    ) -> Result<Prepared, PrepareError> {
        let mut geometries = GeometryCache::default();
        let mut prepared = self.prepare_geometry_from(&mut geometries)?;
        model::add_models(self, &mut geometries, Some(cache), progress, &mut prepared)?;
        let off_surface = places::off_surface_notes(self, &prepared.objects, &mut geometries)?;
        prepared.notes.extend(off_surface);
        Ok(prepared)
    }

    /// Prepares everything but the modes of meshes, which takes long: meshes are only checked, and their
    /// objects have no models.
    pub(crate) fn prepare_without_bakes(&self) -> Result<Prepared, PrepareError> {
        let mut geometries = GeometryCache::default();
        let mut prepared = self.prepare_geometry_from(&mut geometries)?;
        let notes = prepared.notes.clone();
        model::add_models(self, &mut geometries, None, &mut |_| true, &mut prepared)?;
        prepared.notes = notes;
        let off_surface = places::off_surface_notes(self, &prepared.objects, &mut geometries)?;
        prepared.notes.extend(off_surface);
        Ok(prepared)
    }
}
