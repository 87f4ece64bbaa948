//! From a description to what can be simulated and sounded: geometry, masses, models.
//!
//! ```no_run
//! use foley_scene::{Scene, prepare::Cache};
//! let scene = Scene::load("rings.toml")?;
//! let prepared = scene.prepare(&Cache::user(), &mut |step| {
//!     eprintln!("{} of {}: {}, {}", step.done + 1, step.of, step.object, step.stage);
//!     true
//! })?;
//! for (object, thing) in scene.objects.iter().zip(&prepared.things) {
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

mod cache;
mod collider;
mod error;
mod faces;
mod geometry;
mod hull;
mod mass;
mod model;
mod thing;

pub use cache::Cache;
pub use collider::{Collider, Form};
pub use error::PrepareError;
pub use faces::hull;
pub use mass::Mass;
pub use thing::Thing;

use crate::scene::{Motion, Scene};
use foley_modal::bake::Stage;
use thing::Shelf;

/// Notes name so many objects.
const MOST_NAMES: usize = 8;

/// A scene that is ready.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// One for each object, in their order.
    pub things: Vec<Thing>,
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
    pub fn things(&self) -> Result<Prepared, PrepareError> {
        self.things_from(&mut Shelf::default())
    }

    fn things_from(&self, shelf: &mut Shelf) -> Result<Prepared, PrepareError> {
        let mut notes = Vec::new();
        let things = self.objects.iter().map(|object| shelf.thing(object, &self.folder));
        let things = things.collect::<Result<Vec<_>, _>>()?;
        for strike in &self.strikes {
            if let Some(object) = self.objects.get(strike.object)
                && object.silent
            {
                notes.push(format!("\"{}\" is struck, but it is silent", object.name));
            }
        }
        notes.extend(self.passed_by_hail(&things));
        Ok(Prepared { things, notes })
    }

    /// What hail would strike if it stood still.
    fn passed_by_hail(&self, things: &[Thing]) -> Option<String> {
        self.hail.filter(|hail| hail.per_second > 0.0 && self.trace.is_none())?;
        let moving = self.objects.iter().zip(things).filter(|(object, thing)| {
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
        cache: &Cache,
        progress: &mut dyn FnMut(Step<'_>) -> bool,
    ) -> Result<Prepared, PrepareError> {
        let mut shelf = Shelf::default();
        let mut prepared = self.things_from(&mut shelf)?;
        model::all(self, &mut shelf, cache, progress, &mut prepared)?;
        Ok(prepared)
    }
}
