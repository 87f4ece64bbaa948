//! Edits of a scene: each is checked like a scene file and returns the edit that undoes it.
//!
//! ```
//! use foley_scene::Scene;
//! use foley_scene::edit::{Edit, EditHistory};
//! let mut scene = Scene::parse("[[object]]\nshape = \"ball:16mm\"\nmaterial = \"steel\"")?;
//! let first = scene.clone();
//! let ball = scene.objects[0].id;
//!
//! let mut history = EditHistory::default();
//! history.apply(&mut scene, Edit::SetGain { object: ball, gain_db: -6.0 })?;
//! history.apply(&mut scene, Edit::RemoveObject(ball))?;
//! assert!(scene.objects.is_empty());
//!
//! history.undo(&mut scene)?;
//! assert_eq!(scene.objects[0].gain_db, -6.0);
//! history.undo(&mut scene)?;
//! assert_eq!(scene, first);
//!
//! let error = scene.apply(Edit::SetGain { object: ball, gain_db: 99.0 }).unwrap_err();
//! assert_eq!(error.to_string(), "object \"ball 1\": `gain_db` is 99; it must be from -60 to 40");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod check;
mod differences;
mod error;
mod history;

pub use error::EditError;
pub use history::EditHistory;

use crate::scene::{Air, Hail, Listener, Motion, Object, ObjectId, Pose};
use crate::scene::{SceneSettings, Scrape, Strike};
use foley_modal::Material;

/// A change of a scene, applied by [`Scene::apply`](crate::Scene::apply).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Edit {
    /// Several edits in this order: all of them are applied, or none.
    Group(Vec<Edit>),
    /// Adds an object. One without an id gets an id that the scene never had.
    AddObject {
        /// Object.
        object: Box<Object>,
        /// Its position in `objects`; `None` for the end.
        index: Option<usize>,
    },
    /// Removes an object with its strikes and scrapes.
    RemoveObject(ObjectId),
    /// Replaces everything of the object that has this object's id.
    SetObject(Box<Object>),
    /// Renames an object.
    Rename {
        /// Object.
        object: ObjectId,
        /// New name, unique in the scene.
        name: String,
    },
    /// Moves an object: sets its initial pose.
    SetPose {
        /// Object.
        object: ObjectId,
        /// New pose; its rotation is normalised.
        pose: Pose,
    },
    /// Makes an object dynamic, fixed or kinematic.
    SetMotion {
        /// Object.
        object: ObjectId,
        /// New motion.
        motion: Motion,
    },
    /// Gives an object another material.
    SetMaterial {
        /// Object.
        object: ObjectId,
        /// Material of the library, or one of another name.
        material: Material,
    },
    /// Sets the gain of an object.
    SetGain {
        /// Object.
        object: ObjectId,
        /// New gain, dB.
        gain_db: f64,
    },
    /// Changes the values of a material that is not in the library, in all objects that have a
    /// material of this name.
    RedefineMaterial(Material),
    /// Sets the order of `objects`; names every object once.
    SetOrder(Vec<ObjectId>),
    /// Adds a strike.
    AddStrike {
        /// Struck object; it replaces the index in `strike`.
        object: ObjectId,
        /// Strike.
        strike: Strike,
        /// Its position in `strikes`; `None` for the end.
        index: Option<usize>,
    },
    /// Removes the strike at this position of `strikes`.
    RemoveStrike(usize),
    /// Adds a scrape.
    AddScrape {
        /// Scraped object; it replaces the index in `scrape`.
        object: ObjectId,
        /// Scrape.
        scrape: Box<Scrape>,
        /// Its position in `scrapes`; `None` for the end.
        index: Option<usize>,
    },
    /// Removes the scrape at this position of `scrapes`.
    RemoveScrape(usize),
    /// Sets the listener and its path.
    SetListener(Listener),
    /// Sets the air.
    SetAir(Air),
    /// Sets or removes the hail.
    SetHail(Option<Hail>),
    /// Sets title, duration, seed, gravity, rates, levels and trace.
    SetSettings(Box<SceneSettings>),
}

impl Edit {
    /// Returns the edit that adds an object at the end.
    pub fn add_object(object: Object) -> Self {
        Self::AddObject { object: Box::new(object), index: None }
    }

    /// Returns the edit that adds a strike at the end.
    pub fn add_strike(object: ObjectId, strike: Strike) -> Self {
        Self::AddStrike { object, strike, index: None }
    }

    /// Returns the edit that adds a scrape at the end.
    pub fn add_scrape(object: ObjectId, scrape: Scrape) -> Self {
        Self::AddScrape { object, scrape: Box::new(scrape), index: None }
    }

    /// Returns whether this edit makes one before it superfluous: both set the same value.
    pub(crate) fn overwrites(&self, before: &Self) -> bool {
        use Edit::{Rename, SetGain, SetMaterial, SetMotion, SetObject, SetPose};
        match (self, before) {
            (Rename { object: a, .. }, Rename { object: b, .. })
            | (SetPose { object: a, .. }, SetPose { object: b, .. })
            | (SetMotion { object: a, .. }, SetMotion { object: b, .. })
            | (SetMaterial { object: a, .. }, SetMaterial { object: b, .. })
            | (SetGain { object: a, .. }, SetGain { object: b, .. }) => a == b,
            (SetObject(a), SetObject(b)) => a.id == b.id,
            (Self::Group(a), Self::Group(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.overwrites(b))
            }
            (Self::RedefineMaterial(a), Self::RedefineMaterial(b)) => a.name == b.name,
            (Self::SetOrder(_), Self::SetOrder(_))
            | (Self::SetListener(_), Self::SetListener(_))
            | (Self::SetAir(_), Self::SetAir(_))
            | (Self::SetHail(_), Self::SetHail(_))
            | (Self::SetSettings(_), Self::SetSettings(_)) => true,
            _ => false,
        }
    }
}
