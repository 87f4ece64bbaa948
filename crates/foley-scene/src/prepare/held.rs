//! What holds an object damps its modes.

use super::error::ObjectError;
use super::geometry::Geometry;
use crate::scene::{Motion, Object, Scene};
use foley_modal::support::loss_factor;
use foley_modal::{Held, HeldBody, HeldError, ModalModel};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

/// Models of held objects; those that are held alike share one.
#[derive(Default)]
pub(super) struct HeldModels {
    /// The free model, by whose address it is known, and the held one: another model must not get the address.
    known: HashMap<(usize, Held, [u64; 3]), [Arc<ModalModel>; 2]>,
}

/// Refuses ways of holding that need no modes to be found impossible.
pub(super) fn check(object: &Object, geometry: &Geometry) -> Result<(), ObjectError> {
    match (object.held, geometry) {
        (Some(Held::Mounted), _) if object.motion == Motion::Dynamic => Err(ObjectError::Mounted),
        (Some(Held::Mounted), Geometry::Shape(_)) => Ok(()),
        (Some(Held::Mounted), _) => {
            let what = "a body that is not given as a shape".into();
            Err(HeldError::NotMounted { what }.into())
        }
        _ => Ok(()),
    }
}

impl HeldModels {
    /// Returns the model of an object, of this size, with the damping of how it is held.
    pub(super) fn of(
        &mut self,
        scene: &Scene,
        object: &Object,
        geometry: &Geometry,
        model: &Arc<ModalModel>,
        size: f64,
    ) -> Result<Arc<ModalModel>, ObjectError> {
        let Some(held) = object.held else { return Ok(Arc::clone(model)) };
        let pose = object.motion.pose_at(0.0).unwrap_or(object.pose);
        let against_gravity = -DVec3::from(scene.gravity_m_s2);
        let up = pose.rotate_back(against_gravity.try_normalize().unwrap_or(DVec3::Z).to_array());
        let key = (Arc::as_ptr(model) as usize, held, up.map(f64::to_bits));
        if let Some([_, known]) = self.known.get(&key) {
            return Ok(Arc::clone(known));
        }
        let shape = match geometry {
            Geometry::Shape(shape) => Some(shape.scaled(size)?),
            _ => None,
        };
        let body = HeldBody::new(model)
            .with_shape(shape.as_ref())
            .with_loss_factor(loss_factor(&object.material))
            .with_up(up);
        let damped = Arc::new(held.model(&body)?);
        self.known.insert(key, [Arc::clone(model), Arc::clone(&damped)]);
        Ok(damped)
    }
}
