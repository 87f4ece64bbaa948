//! Shapes that bodies with the same collider share: a mesh or hull is converted once and stored once.

use crate::PhysicsError;
use foley_geometry::Collider;
use rapier3d::prelude::ColliderBuilder;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// Converted shapes by the address of their collider.
#[derive(Default)]
pub(super) struct SharedShapes {
    known: HashMap<usize, Known>,
    /// Number of entries after which those of dropped colliders are removed.
    sweep_at: usize,
}

/// A converted shape. The weak reference keeps the address from being used again.
struct Known {
    collider: Weak<Collider>,
    made: ColliderBuilder,
}

impl SharedShapes {
    /// Returns the converted shape of a collider. Only meshes and hulls are kept: others are small.
    pub(super) fn get_or_make(
        &mut self,
        collider: &Arc<Collider>,
        make: impl FnOnce() -> Result<ColliderBuilder, PhysicsError>,
    ) -> Result<ColliderBuilder, PhysicsError> {
        if !matches!(**collider, Collider::Mesh { .. } | Collider::Hull { .. }) {
            return make();
        }
        let address = Arc::as_ptr(collider) as usize;
        if let Some(known) = self.known.get(&address) {
            return Ok(known.made.clone());
        }
        let made = make()?;
        if self.known.len() >= self.sweep_at {
            self.known.retain(|_, known| known.collider.strong_count() > 0);
            self.sweep_at = 2 * self.known.len() + 16;
        }
        let known = Known { collider: Arc::downgrade(collider), made: made.clone() };
        self.known.insert(address, known);
        Ok(made)
    }
}
