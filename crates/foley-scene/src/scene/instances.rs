//! One description, many objects.
//!
//! | key of `[[object]]` | |
//! |---|---|
//! | `copies` | how many; they are called `ring 1`, `ring 2`, … |
//! | `step` | from copy to copy, m |
//! | `grid` | or so many along x, y and z |
//! | `spacing` | of the grid, m |
//! | `jitter` | by rng, each copy in its own way; a table of: |
//!
//! | key of `jitter` | |
//! |---|---|
//! | `position` | up to so far along x, y and z, m |
//! | `turn_deg` | up to so many degrees about any axis |
//! | `size` | up to this part larger or smaller: 0.2 is from 0.8 to 1.2 |
//! | `velocity` | up to so fast along x, y and z, m/s |
//! | `spin` | up to so many degrees a second about x, y and z |

use super::object::Object;
use super::pose::{FAR_M, product, unit};
use crate::read::fields::Fields;
use foley_geometry::rng::{SplitMix64, seed_from_text};

/// No scene has more objects.
pub const MAX_OBJECTS: usize = 10_000;

/// What the copies of an object differ in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Instances {
    /// Offsets; empty when the object is alone.
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
        let most = MAX_OBJECTS as u64;
        let copies = fields.integer("copies", 1..=most);
        let step: Option<[f64; 3]> = fields.numbers("step", -FAR_M..=FAR_M);
        let grid: Option<[f64; 3]> = fields.numbers("grid", 1.0..=most as f64);
        let spacing: Option<[f64; 3]> = fields.numbers("spacing", -FAR_M..=FAR_M);
        if fields.has("grid") && fields.has("copies") {
            fields.wrong("grid", "stands beside `copies`; one of them is enough");
        }
        if fields.has("step") && !fields.has("copies") {
            fields.wrong("step", "is for `copies`, which is not there");
        }
        if fields.has("spacing") != fields.has("grid") {
            let key = if fields.has("grid") { "grid" } else { "spacing" };
            fields.wrong(key, "`grid` and `spacing` belong together; one is missing");
        }
        let mut offsets = Vec::new();
        if let (Some(grid), Some(spacing)) = (grid, spacing) {
            if grid.iter().any(|n| n.fract() != 0.0) {
                fields.wrong("grid", "must be whole numbers");
            } else if grid.iter().product::<f64>() > most as f64 {
                fields.wrong("grid", format!("makes more than {most} objects"));
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

    /// How many objects it makes.
    pub(crate) fn count(&self) -> usize {
        self.offsets.len().max(1)
    }

    /// The objects, each in its own way.
    pub(crate) fn make(&self, one: &Object, seed: u64) -> Vec<Object> {
        let alone = [[0.0; 3]];
        let offsets = if self.offsets.is_empty() { &alone[..] } else { &self.offsets };
        let mut rng = SplitMix64::new(seed ^ seed_from_text(&one.name));
        let make = |(i, offset): (usize, &[f64; 3])| {
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
        offsets.iter().enumerate().map(make).collect()
    }
}

impl Jitter {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let inside = format!("{}, jitter", fields.inside);
        let mut own = fields.table("jitter", inside)?;
        let jitter = Self {
            position: own.numbers("position", 0.0..=FAR_M).unwrap_or_default(),
            turn_deg: own.number("turn_deg", 0.0..=180.0).unwrap_or_default(),
            size: own.number("size", 0.0..=0.9).unwrap_or_default(),
            velocity: own.numbers("velocity", 0.0..=1e3).unwrap_or_default(),
            spin: own.numbers("spin", 0.0..=1e6).unwrap_or_default(),
        };
        own.finish();
        Some(jitter)
    }

    /// Every number is drawn whether it is used or not, so that one setting does not move
    /// the others.
    fn apply(&self, object: &mut Object, rng: &mut SplitMix64) {
        let scatter = |values: &mut [f64; 3], by: [f64; 3], cube: [f64; 3], most: f64| {
            (0..3).for_each(|a| values[a] = (values[a] + by[a] * cube[a]).clamp(-most, most));
        };
        scatter(&mut object.pose.position_m, self.position, rng.cube(), FAR_M);
        let (axis, part) = (rng.direction(), rng.signed_unit());
        let (sin, cos) = (0.5 * (self.turn_deg * part).to_radians()).sin_cos();
        let turn = [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos];
        object.pose.rotation = unit(product(turn, object.pose.rotation));
        object.size *= 1.0 + self.size * rng.signed_unit();
        scatter(&mut object.velocity_m_s, self.velocity, rng.cube(), 1e4);
        scatter(&mut object.spin_deg_s, self.spin, rng.cube(), 1e7);
    }
}
