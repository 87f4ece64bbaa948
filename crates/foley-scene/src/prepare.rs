//! From a description to what can be simulated and sounded: geometry, masses, models.
//!
//! ```no_run
//! use foley_scene::{Scene, prepare::ModelCache};
//! let scene = Scene::load("rings.toml")?;
//! let prepared = scene.prepare(&ModelCache::user(), &mut |step| {
//!     eprintln!("{} of {}: {}, {}", step.done + 1, step.of, step.object, step.stage);
//!     true
//! })?;
//! for (object, thing) in scene.objects.iter().zip(&prepared.objects) {
//!     println!("{}: {:.3} kg", object.name, thing.mass.mass_kg);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each distinct object is solved once, however many copies of it there are, and kept on disk;
//! copies of other sizes follow from it without a solve.
//!
//! How others touch an object ([`Collider`]) when it says `"auto"`:
//!
//! | object | collider |
//! |---|---|
//! | bar, plate, box | box |
//! | rod, string, disc, membrane, cylinder | cylinder; a disc's is flat |
//! | ball | ball |
//! | ring, also the built-in one | capsules round the circle of its wire |
//! | ground | half-space |
//! | mesh that is fixed or led along a path | its triangles |
//! | mesh that moves, model | convex hull of at most 200 points, which fills hollows; a box where it is flat |

mod collider;
mod error;
mod convex_hull;
mod geometry;
mod support_points;
mod mass_properties;
mod model;
mod object;

pub use collider::{Collider, ColliderShape};
pub use convex_hull::convex_hull;
pub use error::{ObjectError, PrepareError};
pub use foley_modal::cache::ModelCache;
pub use mass_properties::MassProperties;
pub use object::PreparedObject;

use crate::scene::{Motion, Scene};
use foley_modal::bake::Stage;
use object::GeometryCache;

/// Notes name so many objects.
const MOST_NAMES: usize = 8;

/// A scene that is ready.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// One for each object, in their order.
    pub objects: Vec<PreparedObject>,
    /// What its author should know, in sentences.
    pub notes: Vec<String>,
}

/// How far preparing has come.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The object whose modes are being found.
    pub object: &'a str,
    /// Distinct objects that are ready.
    pub done: usize,
    /// Distinct objects in all.
    pub of: usize,
    /// What is being done to this one.
    pub stage: Stage,
    /// How much of that is done, 0 … 1.
    pub part: f64,
}

impl Scene {
    /// Geometry and masses, without any modes: quick.
    pub fn prepare_geometry(&self) -> Result<Prepared, PrepareError> {
        self.prepare_geometry_from(&mut GeometryCache::default())
    }

    fn prepare_geometry_from(
        &self,
        geometries: &mut GeometryCache,
    ) -> Result<Prepared, PrepareError> {
        let mut notes = Vec::new();
        let objects = self.objects.iter().map(|object| geometries.thing(object, &self.folder));
        let objects = objects.collect::<Result<Vec<_>, _>>()?;
        for strike in &self.strikes {
            if let Some(object) = self.objects.get(strike.object)
                && object.silent
            {
                notes.push(format!("\"{}\" is struck, but it is silent", object.name));
            }
        }
        notes.extend(self.passed_by_hail(&objects));
        Ok(Prepared { objects, notes })
    }

    /// What hail would strike if it stood still.
    fn passed_by_hail(&self, objects: &[PreparedObject]) -> Option<String> {
        self.hail.filter(|hail| hail.per_second > 0.0 && self.trace.is_none())?;
        let moving = self.objects.iter().zip(objects).filter(|(object, thing)| {
            object.motion != Motion::Fixed && !thing.colliders.is_empty()
        });
        let names: Vec<String> = moving.map(|(object, _)| format!("\"{}\"", object.name)).collect();
        let more = match names.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown = names[..names.len().min(MOST_NAMES)].join(", ");
        let note = "hail flies through what moves";
        let remedy = "say motion = \"fixed\" of what it should strike";
        (!names.is_empty()).then(|| format!("{note}: {shown}{more}; {remedy}"))
    }

    /// Everything, modes too. `progress` may say no, which cancels.
    pub fn prepare(
        &self,
        cache: &ModelCache,
        progress: &mut dyn FnMut(Step<'_>) -> bool,
    ) -> Result<Prepared, PrepareError> {
        let mut geometries = GeometryCache::default();
        let mut prepared = self.prepare_geometry_from(&mut geometries)?;
        model::all(self, &mut geometries, cache, progress, &mut prepared)?;
        Ok(prepared)
    }
}
