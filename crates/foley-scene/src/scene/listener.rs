//! The listener and the air.

use super::pose::read_direction;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::{air, listener, listener_keyframe, scene};
use crate::write;
use foley_engine::Air;
use foley_geometry::vector::unit_or_zero;
use glam::DVec3;

/// The listener.
#[derive(Debug, Clone, PartialEq)]
pub struct Listener {
    /// Position of the head's centre, m.
    pub position_m: [f64; 3],
    /// Viewing direction, a unit vector.
    pub forward: [f64; 3],
    /// Direction of the top of the head, a unit vector that is not parallel to `forward`.
    pub up: [f64; 3],
    /// Keyframes of a moving listener, in order of time.
    pub path: Vec<ListenerKey>,
}

/// Position and direction of the listener at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListenerKey {
    /// Time, s.
    pub at_s: f64,
    /// Position, m.
    pub position_m: [f64; 3],
    /// Viewing direction, a unit vector.
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
    /// Returns position and viewing direction at a time.
    pub fn at(&self, at_s: f64) -> ([f64; 3], [f64; 3]) {
        let next = self.path.partition_point(|key| key.at_s <= at_s);
        match (self.path.get(next.max(1) - 1), self.path.get(next)) {
            (None, _) => (self.position_m, self.forward),
            (Some(a), Some(b)) if next > 0 => {
                let part = (at_s - a.at_s) / (b.at_s - a.at_s);
                let between = |p: [f64; 3], q: [f64; 3]| {
                    let [p, q] = [p, q].map(DVec3::from);
                    p + part * (q - p)
                };
                let forward = between(a.forward, b.forward);
                // Halfway between opposite directions there is none: the last one is kept.
                let opposite = !(forward.length() > 1e-6);
                let forward = if opposite { a.forward } else { unit_or_zero(forward).to_array() };
                (between(a.position_m, b.position_m).to_array(), forward)
            }
            (Some(a), _) => (a.position_m, a.forward),
        }
    }

    pub(crate) fn read(scene: &mut Fields<'_>) -> Self {
        let mut found = Self::default();
        let Some(mut fields) = scene.table(&scene::LISTENER, "listener".into()) else {
            return found;
        };
        found.position_m = fields.numbers(&listener::POSITION_M).unwrap_or(found.position_m);
        found.forward = read_forward(&mut fields, found.position_m).unwrap_or(found.forward);
        found.up = read_direction(&mut fields, &listener::UP).unwrap_or(found.up);
        let (mut position_m, mut forward) = (found.position_m, found.forward);
        for mut key in fields.tables(&listener::PATH, |i| format!("listener, path {}", i + 1)) {
            let at_s = key.required_number(&listener_keyframe::AT_S);
            position_m = key.numbers(&listener_keyframe::POSITION_M).unwrap_or(position_m);
            forward = read_forward(&mut key, position_m).unwrap_or(forward);
            if let (Some(at_s), Some(last)) = (at_s, found.path.last())
                && at_s <= last.at_s
            {
                key.report(
                    &listener_keyframe::AT_S,
                    format!("must be later than {} s before it", last.at_s),
                );
            } else if let Some(at_s) = at_s {
                found.path.push(ListenerKey { at_s, position_m, forward });
            }
            check_up(&key, forward, found.up);
            key.finish();
        }
        check_up(&fields, found.forward, found.up);
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

fn read_forward(fields: &mut Fields<'_>, from: [f64; 3]) -> Option<[f64; 3]> {
    let forward = read_direction(fields, &listener::FORWARD);
    let target = fields.numbers(&listener::LOOK_AT);
    fields.exclude(&listener::LOOK_AT, &listener::FORWARD);
    let Some(target) = target else { return forward };
    let direction = DVec3::from_array(target) - DVec3::from(from);
    if direction.length() < 1e-9 {
        fields.report(&listener::LOOK_AT, "is the listener's own position; choose another point");
        return None;
    }
    Some(unit_or_zero(direction).to_array())
}

fn check_up(fields: &Fields<'_>, forward: [f64; 3], up: [f64; 3]) {
    if DVec3::from(forward).dot(up.into()).abs() > 1.0 - 1e-6 {
        fields.report(&listener::UP, "is parallel to the viewing direction; choose another");
    }
}

/// Reads the state of the air.
pub(crate) fn read_air(scene: &mut Fields<'_>) -> Air {
    let mut found = Air::default();
    let Some(mut fields) = scene.table(&scene::AIR, "air".into()) else { return found };
    let known = [
        (&mut found.temperature_c, &air::TEMPERATURE_C),
        (&mut found.humidity_percent, &air::HUMIDITY_PERCENT),
        (&mut found.pressure_kpa, &air::PRESSURE_KPA),
    ];
    for (value, key) in known {
        *value = fields.number(key).unwrap_or(*value);
    }
    fields.finish();
    found
}

/// Writes the state of the air.
pub(crate) fn write_air(of: &Air, table: &mut Table) {
    let mut own = Table::new(table.span.clone());
    own.put(air::TEMPERATURE_C.name, Data::Float(of.temperature_c));
    own.put(air::HUMIDITY_PERCENT.name, Data::Float(of.humidity_percent));
    own.put(air::PRESSURE_KPA.name, Data::Float(of.pressure_kpa));
    table.put(scene::AIR.name, Data::Table(own));
}
