//! Who hears the scene, and through what air.

use super::pose::{read_direction, read_position};
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::{air, listener, listener_keyframe, scene};
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
            position_m: const { listener::POSITION_M.default_numbers() },
            forward: const { listener::FORWARD.default_numbers() },
            up: const { listener::UP.default_numbers() },
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
        let Some(mut fields) = scene.table(&scene::LISTENER, "listener".into()) else {
            return found;
        };
        found.position_m =
            read_position(&mut fields, &listener::POSITION_M).unwrap_or(found.position_m);
        found.forward = nose(&mut fields, found.position_m).unwrap_or(found.forward);
        found.up = read_direction(&mut fields, &listener::UP).unwrap_or(found.up);
        let (mut position_m, mut forward) = (found.position_m, found.forward);
        for mut key in fields.tables(&listener::PATH, |i| format!("listener, path {}", i + 1)) {
            let at_s = super::surface::needed(&mut key, &listener_keyframe::AT_S);
            position_m =
                read_position(&mut key, &listener_keyframe::POSITION_M).unwrap_or(position_m);
            forward = nose(&mut key, position_m).unwrap_or(forward);
            if let (Some(at_s), Some(last)) = (at_s, found.path.last())
                && at_s <= last.at_s
            {
                key.wrong(
                    &listener_keyframe::AT_S,
                    format!("must be later than {} s before it", last.at_s),
                );
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
        own.put_numbers(listener::POSITION_M.name, &self.position_m);
        own.put_numbers(listener::FORWARD.name, &self.forward);
        own.put_numbers(listener::UP.name, &self.up);
        let key = |key: &ListenerKey| {
            let mut item = Table::new(table.span.clone());
            item.put(listener_keyframe::AT_S.name, Data::Float(key.at_s));
            item.put_numbers(listener_keyframe::POSITION_M.name, &key.position_m);
            item.put_numbers(listener_keyframe::FORWARD.name, &key.forward);
            Data::Table(item)
        };
        if !self.path.is_empty() {
            own.put(listener::PATH.name, write::list(self.path.iter().map(key), &table.span));
        }
        table.put(scene::LISTENER.name, Data::Table(own));
    }
}

fn nose(fields: &mut Fields<'_>, from: [f64; 3]) -> Option<[f64; 3]> {
    let forward = read_direction(fields, &listener::FORWARD);
    let target = read_position(fields, &listener::LOOK_AT);
    if fields.has(&listener::FORWARD) && fields.has(&listener::LOOK_AT) {
        fields.wrong(&listener::LOOK_AT, "stands beside `forward`; one of them is enough");
    }
    let Some(target) = target else { return forward };
    let way = [0, 1, 2].map(|i| target[i] - from[i]);
    let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length < 1e-9 {
        fields.wrong(&listener::LOOK_AT, "is where the listener is; nobody can look there");
        return None;
    }
    Some(way.map(|x| x / length))
}

fn upright(fields: &Fields<'_>, forward: [f64; 3], up: [f64; 3]) {
    let along: f64 = (0..3).map(|i| forward[i] * up[i]).sum();
    if along.abs() > 1.0 - 1e-6 {
        fields
            .wrong(&listener::UP, "points the same way as the nose; left and right cannot be told");
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
        Self {
            temperature_c: const { air::TEMPERATURE_C.default_number() },
            humidity_percent: const { air::HUMIDITY_PERCENT.default_number() },
            pressure_kpa: const { air::PRESSURE_KPA.default_number() },
        }
    }
}

impl Air {
    pub(crate) fn read(scene: &mut Fields<'_>) -> Self {
        let all = Self::default();
        let Some(mut fields) = scene.table(&scene::AIR, "air".into()) else { return all };
        let air = Self {
            temperature_c: fields.number(&air::TEMPERATURE_C).unwrap_or(all.temperature_c),
            humidity_percent: fields.number(&air::HUMIDITY_PERCENT).unwrap_or(all.humidity_percent),
            pressure_kpa: fields.number(&air::PRESSURE_KPA).unwrap_or(all.pressure_kpa),
        };
        fields.finish();
        air
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let mut own = Table::new(table.span.clone());
        own.put(air::TEMPERATURE_C.name, Data::Float(self.temperature_c));
        own.put(air::HUMIDITY_PERCENT.name, Data::Float(self.humidity_percent));
        own.put(air::PRESSURE_KPA.name, Data::Float(self.pressure_kpa));
        table.put(scene::AIR.name, Data::Table(own));
    }
}
