//! Instances: one description of many objects, on a line or a grid, with jitter.

use super::object::Object;
use super::pose::FAR_M;
use crate::read::fields::Fields;
use crate::schema::Key;
use crate::schema::keys::{jitter, object};
use foley_geometry::pose::normalised_rotation;
use foley_geometry::rng::{SplitMix64, seed_from_text};
use glam::{DQuat, DVec3};

/// Largest number of objects in a scene.
pub const MAX_OBJECTS: usize = crate::schema::keys::MAX_OBJECTS as usize;

/// The differences between the instances of an object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Instances {
    /// Offsets; empty for a single object.
    offsets: Vec<[f64; 3]>,
    jitter: Option<Jitter>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Jitter {
    position: [f64; 3],
    turn_deg: f64,
    size: f64,
    velocity: [f64; 3],
    spin: [f64; 3],
}

impl Instances {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        let copies = fields.integer(&object::COPIES);
        let step: Option<[f64; 3]> = fields.numbers(&object::STEP);
        let grid: Option<[f64; 3]> = fields.numbers(&object::GRID);
        let spacing: Option<[f64; 3]> = fields.numbers(&object::SPACING);
        fields.exclude(&object::GRID, &object::COPIES);
        if fields.has(&object::STEP) && !fields.has(&object::COPIES) {
            fields.report(&object::STEP, "needs `copies`, which is missing");
        }
        if fields.has(&object::SPACING) != fields.has(&object::GRID) {
            let (key, problem) = match fields.has(&object::GRID) {
                true => (&object::GRID, "needs `spacing`, which is missing"),
                false => (&object::SPACING, "needs `grid`, which is missing"),
            };
            fields.report(key, problem);
        }
        let mut offsets = Vec::new();
        if let (Some(grid), Some(spacing)) = (grid, spacing) {
            if grid.iter().any(|n| n.fract() != 0.0) {
                fields.report(&object::GRID, "must be whole numbers");
            } else if grid.iter().product::<f64>() > MAX_OBJECTS as f64 {
                let problem =
                    format!("makes more than {MAX_OBJECTS} objects; choose smaller numbers");
                fields.report(&object::GRID, problem);
            } else {
                let [nx, ny, nz] = grid.map(|n| n as usize);
                for i in 0..nx * ny * nz {
                    let cell = [i % nx, i / nx % ny, i / nx / ny];
                    offsets.push([0, 1, 2].map(|a| spacing[a] * cell[a] as f64));
                }
            }
        } else if let Some(copies) = copies {
            let step = step.unwrap_or_default();
            offsets.extend((0..copies).map(|i| step.map(|s| s * i as f64)));
        }
        Self { offsets, jitter: Jitter::read(fields) }
    }

    /// Returns the number of objects.
    pub(crate) fn count(&self) -> usize {
        self.offsets.len().max(1)
    }

    /// Returns the objects.
    pub(crate) fn instantiate(&self, one: &Object, seed: u64) -> Vec<Object> {
        let single = [[0.0; 3]];
        let offsets = if self.offsets.is_empty() { &single[..] } else { &self.offsets };
        let mut rng = SplitMix64::new(seed ^ seed_from_text(&one.name));
        let instance = |(i, offset): (usize, &[f64; 3])| {
            let mut object = one.clone();
            if !self.offsets.is_empty() {
                object.name = format!("{} {}", one.name, i + 1);
            }
            let at = &mut object.pose.position_m;
            (0..3).for_each(|a| at[a] = (at[a] + offset[a]).clamp(-FAR_M, FAR_M));
            if let Some(jitter) = &self.jitter {
                jitter.apply(&mut object, &mut rng);
            }
            object
        };
        offsets.iter().enumerate().map(instance).collect()
    }
}

impl Jitter {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let context = format!("{}, jitter", fields.context);
        let mut own = fields.table(&object::JITTER, context)?;
        let jitter = Self {
            position: own.numbers(&jitter::POSITION_M).unwrap_or_default(),
            turn_deg: own.number(&jitter::TURN_DEG).unwrap_or_default(),
            size: own.number(&jitter::SIZE).unwrap_or_default(),
            velocity: own.numbers(&jitter::VELOCITY).unwrap_or_default(),
            spin: own.numbers(&jitter::SPIN).unwrap_or_default(),
        };
        own.finish();
        Some(jitter)
    }

    /// Draws every number whether it is used or not, so that one setting does not change the
    /// others.
    fn apply(&self, object: &mut Object, rng: &mut SplitMix64) {
        // Within the ranges of the keys, so that the instances can be written as objects.
        let scatter = |values: &mut [f64; 3], by: [f64; 3], cube: [f64; 3], key: &Key| {
            let (low, high) = key.list_range().into_inner();
            (0..3).for_each(|a| values[a] = (values[a] + by[a] * cube[a]).clamp(low, high));
        };
        scatter(&mut object.pose.position_m, self.position, rng.cube(), &object::POSITION_M);
        let (axis, part) = (rng.direction(), rng.signed_unit());
        let (sin, cos) = (0.5 * (self.turn_deg * part).to_radians()).sin_cos();
        let turn = DQuat::from_vec4((DVec3::from(axis) * sin).extend(cos));
        let rotation = normalised_rotation(turn * DQuat::from_array(object.pose.rotation));
        object.pose.rotation = rotation.to_array();
        let (smallest, largest) = object::SIZE.range().into_inner();
        let size = object.size * (1.0 + self.size * rng.signed_unit());
        object.size = size.clamp(smallest, largest);
        scatter(&mut object.velocity_m_s, self.velocity, rng.cube(), &object::VELOCITY);
        scatter(&mut object.spin_deg_s, self.spin, rng.cube(), &object::SPIN);
    }
}
