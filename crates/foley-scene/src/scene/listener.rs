//! Who hears the scene, and through what air.
//!
//! | key of `[listener]` | |
//! |---|---|
//! | `position` | m; default `[0, -2, 1]` |
//! | `forward` | where the nose points; default `[0, 1, 0]` |
//! | `look_at` | or a point to look at, m |
//! | `up` | where the top of the head points; default `[0, 0, 1]` |
//! | `path` | keyframes `{ at_s, position, forward, look_at }` for a listener who moves |
//!
//! | key of `[air]` | |
//! |---|---|
//! | `temperature_c` | °C; default 20 |
//! | `humidity_percent` | relative; default 50 |
//! | `pressure_kpa` | kPa; default 101.325 |

use super::pose::{read_direction, read_position};
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::write;

/// Ears: where they are and where they look.
#[derive(Debug, Clone, PartialEq)]
pub struct Listener {
    /// Of the middle of the head, m.
    pub position_m: [f64; 3],
    /// Where the nose points, of length 1.
    pub forward: [f64; 3],
    /// Where the top of the head points, of length 1; not along `forward`.
    pub up: [f64; 3],
    /// For a listener who moves, in the order of time.
    pub path: Vec<ListenerKey>,
}

/// Where the listener is at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListenerKey {
    /// When, s.
    pub at_s: f64,
    /// Where, m.
    pub position_m: [f64; 3],
    /// Where the nose points, of length 1.
    pub forward: [f64; 3],
}

impl Default for Listener {
    fn default() -> Self {
        Self {
            position_m: [0.0, -2.0, 1.0],
            forward: [0.0, 1.0, 0.0],
            up: [0.0, 0.0, 1.0],
            path: Vec::new(),
        }
    }
}

impl Listener {
    /// Position and direction of the nose at a time.
    pub fn at(&self, at_s: f64) -> ([f64; 3], [f64; 3]) {
        let next = self.path.partition_point(|key| key.at_s <= at_s);
        match (self.path.get(next.max(1) - 1), self.path.get(next)) {
            (None, _) => (self.position_m, self.forward),
            (Some(a), Some(b)) if next > 0 => {
                let part = (at_s - a.at_s) / (b.at_s - a.at_s);
                let between =
                    |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|i| p[i] + part * (q[i] - p[i]));
                let forward = between(a.forward, b.forward);
                let length = forward.iter().map(|x| x * x).sum::<f64>().sqrt();
                // Half-way between opposite directions there is none: the nose waits.
                let forward = match length > 1e-6 {
                    true => forward.map(|x| x / length),
                    false => a.forward,
                };
                (between(a.position_m, b.position_m), forward)
            }
            (Some(a), _) => (a.position_m, a.forward),
        }
    }

    pub(crate) fn read(scene: &mut Fields<'_>) -> Self {
        let mut found = Self::default();
        let Some(mut fields) = scene.table("listener", "listener".into()) else { return found };
        found.position_m = read_position(&mut fields, "position").unwrap_or(found.position_m);
        found.forward = nose(&mut fields, found.position_m).unwrap_or(found.forward);
        found.up = read_direction(&mut fields, "up").unwrap_or(found.up);
        let (mut position_m, mut forward) = (found.position_m, found.forward);
        for mut key in fields.tables("path", |i| format!("listener, path {}", i + 1)) {
            let at_s = super::surface::needed(&mut key, "at_s", 0.0..=86_400.0);
            position_m = read_position(&mut key, "position").unwrap_or(position_m);
            forward = nose(&mut key, position_m).unwrap_or(forward);
            if let (Some(at_s), Some(last)) = (at_s, found.path.last())
                && at_s <= last.at_s
            {
                key.wrong("at_s", format!("must be later than {} s before it", last.at_s));
            } else if let Some(at_s) = at_s {
                found.path.push(ListenerKey { at_s, position_m, forward });
            }
            upright(&key, forward, found.up);
            key.finish();
        }
        upright(&fields, found.forward, found.up);
        fields.finish();
        found
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let mut own = Table::new(table.span.clone());
        own.put_numbers("position", &self.position_m);
        own.put_numbers("forward", &self.forward);
        own.put_numbers("up", &self.up);
        let key = |key: &ListenerKey| {
            let mut item = Table::new(table.span.clone());
            item.put("at_s", Data::Float(key.at_s));
            item.put_numbers("position", &key.position_m);
            item.put_numbers("forward", &key.forward);
            Data::Table(item)
        };
        if !self.path.is_empty() {
            own.put("path", write::list(self.path.iter().map(key), &table.span));
        }
        table.put("listener", Data::Table(own));
    }
}

fn nose(fields: &mut Fields<'_>, from: [f64; 3]) -> Option<[f64; 3]> {
    let forward = read_direction(fields, "forward");
    let target = read_position(fields, "look_at");
    if fields.has("forward") && fields.has("look_at") {
        fields.wrong("look_at", "stands beside `forward`; one of them is enough");
    }
    let Some(target) = target else { return forward };
    let way = [0, 1, 2].map(|i| target[i] - from[i]);
    let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length < 1e-9 {
        fields.wrong("look_at", "is where the listener is; nobody can look there");
        return None;
    }
    Some(way.map(|x| x / length))
}

fn upright(fields: &Fields<'_>, forward: [f64; 3], up: [f64; 3]) {
    let along: f64 = (0..3).map(|i| forward[i] * up[i]).sum();
    if along.abs() > 1.0 - 1e-6 {
        fields.wrong("up", "points the same way as the nose; left and right cannot be told");
    }
}

/// What sound travels through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Air {
    /// °C.
    pub temperature_c: f64,
    /// Relative humidity, %.
    pub humidity_percent: f64,
    /// kPa.
    pub pressure_kpa: f64,
}

impl Default for Air {
    fn default() -> Self {
        Self { temperature_c: 20.0, humidity_percent: 50.0, pressure_kpa: 101.325 }
    }
}

impl Air {
    pub(crate) fn read(scene: &mut Fields<'_>) -> Self {
        let all = Self::default();
        let Some(mut fields) = scene.table("air", "air".into()) else { return all };
        let air = Self {
            temperature_c: fields
                .number("temperature_c", -50.0..=60.0)
                .unwrap_or(all.temperature_c),
            humidity_percent: fields
                .number("humidity_percent", 0.0..=100.0)
                .unwrap_or(all.humidity_percent),
            pressure_kpa: fields.number("pressure_kpa", 10.0..=200.0).unwrap_or(all.pressure_kpa),
        };
        fields.finish();
        air
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let mut own = Table::new(table.span.clone());
        own.put("temperature_c", Data::Float(self.temperature_c));
        own.put("humidity_percent", Data::Float(self.humidity_percent));
        own.put("pressure_kpa", Data::Float(self.pressure_kpa));
        table.put("air", Data::Table(own));
    }
}
