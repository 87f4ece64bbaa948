//! Motion of an object: dynamic, fixed, or kinematic along keyframes.
//!
//! ```toml
//! motion = "dynamic"        # falls, rolls, bounces (default); or "fixed"
//! motion = [                # or kinematic: follows a path, whatever it meets
//!     { at_s = 0, position = [0, 0, 1] },
//!     { at_s = 2, position = [0, 0, 0.2], rotation = [0, 0, 90] },
//! ]
//! ```

use super::pose::read_rotation;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::{keyframe, object};
use crate::write;
use foley_geometry::Pose;

/// Motion of an object.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Motion {
    /// Simulated as a rigid body.
    #[default]
    Dynamic,
    /// Never moves.
    Fixed,
    /// Kinematic: follows keyframes in order of time.
    Path(Vec<Keyframe>),
}

/// A pose at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyframe {
    /// Time, s.
    pub at_s: f64,
    /// Pose.
    pub pose: Pose,
}

/// The words of `motion`, and whether the object is fixed.
pub(crate) const MOTIONS: [(&str, bool); 2] = [("dynamic", false), ("fixed", true)];

impl Motion {
    /// Returns the pose of a kinematic object, interpolated between keyframes and constant before
    /// and after; `None` for other objects.
    pub fn pose_at(&self, at_s: f64) -> Option<Pose> {
        let Self::Path(keys) = self else { return None };
        let next = keys.partition_point(|key| key.at_s <= at_s);
        let (Some(a), b) = (keys.get(next.max(1) - 1), keys.get(next)) else { return None };
        let Some(b) = b.filter(|_| next > 0) else { return Some(a.pose) };
        let part = (at_s - a.at_s) / (b.at_s - a.at_s);
        Some(a.pose.interpolate(&b.pose, part))
    }

    /// Reads `motion`; a path without a first position or rotation starts at `pose`.
    pub(crate) fn read(fields: &mut Fields<'_>, mut pose: Pose) -> Option<Self> {
        let value = fields.take(&object::MOTION)?;
        if let Data::Text(_) = value.data {
            let fixed = fields.choice(&object::MOTION, &MOTIONS)?;
            return Some(if fixed { Self::Fixed } else { Self::Dynamic });
        }
        let mut keys: Vec<Keyframe> = Vec::new();
        for (i, item) in fields.list(&object::MOTION).iter().enumerate() {
            let context = format!("{}, motion {}", fields.context, i + 1);
            let Some(mut key) = fields.table_of(&object::MOTION, item, context) else { continue };
            let at_s = key.required_number(&keyframe::AT_S);
            pose.position_m = key.numbers(&keyframe::POSITION_M).unwrap_or(pose.position_m);
            pose.rotation = read_rotation(&mut key).unwrap_or(pose.rotation);
            match (at_s, keys.last()) {
                (None, _) => (),
                (Some(at_s), Some(last)) if at_s <= last.at_s => {
                    let problem = format!("must be later than {} s before it", last.at_s);
                    key.report(&keyframe::AT_S, problem);
                }
                (Some(at_s), _) => keys.push(Keyframe { at_s, pose }),
            }
            key.finish();
        }
        if keys.is_empty() && fields.log.is_empty() {
            fields.report(&object::MOTION, "a path needs a keyframe such as { at_s = 0 }");
        }
        Some(Self::Path(keys))
    }

    pub(crate) fn write(&self, table: &mut Table) {
        match self {
            Self::Dynamic => table.put(object::MOTION.name, write::text(MOTIONS[0].0)),
            Self::Fixed => table.put(object::MOTION.name, write::text(MOTIONS[1].0)),
            Self::Path(keys) => {
                let key = |key: &Keyframe| {
                    let mut item = Table::new(table.span.clone());
                    item.put(keyframe::AT_S.name, Data::Float(key.at_s));
                    item.put_numbers(keyframe::POSITION_M.name, &key.pose.position_m);
                    item.put_numbers(keyframe::ROTATION.name, &key.pose.rotation);
                    Data::Table(item)
                };
                let list = write::list(keys.iter().map(key), &table.span);
                table.put(object::MOTION.name, list);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::pose::{IDENTITY_ROTATION, from_degrees};

    #[test]
    fn a_path_has_constant_speed_between_keyframes_and_is_held_at_its_ends() {
        let key = |at_s, x: f64, deg: f64| Keyframe {
            at_s,
            pose: Pose { position_m: [x, 0.0, 0.0], rotation: from_degrees([0.0, 0.0, deg]) },
        };
        let path = Motion::Path(vec![key(1.0, 0.0, 0.0), key(3.0, 4.0, 90.0)]);
        assert_eq!(path.pose_at(0.0).unwrap().position_m[0], 0.0);
        assert_eq!(path.pose_at(9.0).unwrap().position_m[0], 4.0);
        let middle = path.pose_at(2.0).unwrap();
        assert_eq!(middle.position_m[0], 2.0);
        let [x, y, _] = middle.rotate([1.0, 0.0, 0.0]);
        assert!((x - 0.5_f64.sqrt()).abs() < 1e-12 && (y - 0.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(Motion::Fixed.pose_at(1.0), None);
        assert_eq!(IDENTITY_ROTATION, from_degrees([0.0; 3]));
    }
}
