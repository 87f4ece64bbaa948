//! Conversion of one trace line between JSON and an event.

use super::{TraceError, limits};
use crate::{Event, HailImpact, Impact, PoseEvent, SustainedContact};
use serde_json::{Map, Value};

/// Parses the event of a line and checks its values; `None` for unknown kinds.
pub(super) fn event(
    line: u64,
    object: &Map<String, Value>,
    bodies: usize,
) -> Result<Option<Event>, TraceError> {
    let event = parsed(line, object, bodies)?;
    if let Some((kind, Some((key, why)))) = event.as_ref().map(limits::violation) {
        return Err(TraceError::Value { line, key: format!("{kind}.{key}"), why });
    }
    Ok(event)
}

fn parsed(
    line: u64,
    object: &Map<String, Value>,
    bodies: usize,
) -> Result<Option<Event>, TraceError> {
    let of =
        |kind: &'static str| object.get(kind).map(|value| Fields { line, kind, value, bodies });
    if let Some(fields) = of("impact") {
        return Ok(Some(Event::Impact(Impact {
            at_s: fields.number("at_s")?,
            bodies: fields.pair()?,
            places: fields.places()?,
            normal: fields.numbers("normal")?,
            impulse_ns: fields.number("impulse_ns")?,
            speed_m_s: fields.number("speed_m_s")?,
            lost_j: fields.has("lost_j").then(|| fields.number("lost_j")).transpose()?,
        })));
    }
    if let Some(fields) = of("touch") {
        return Ok(Some(Event::SustainedContact(SustainedContact {
            at_s: fields.number("at_s")?,
            contact: fields.integer("contact")?,
            bodies: fields.pair()?,
            places: fields.places()?,
            normal: fields.numbers("normal")?,
            force_n: fields.number("force_n")?,
            slip_m_s: fields.number("slip_m_s")?,
            roll_m_s: fields.number("roll_m_s")?,
            over: fields.flag("over")?,
        })));
    }
    if let Some(fields) = of("pose") {
        let body = fields.integer("body")?;
        return Ok(Some(Event::Pose(PoseEvent {
            at_s: fields.number("at_s")?,
            body: fields.body("body", body)?,
            position: fields.numbers("position")?,
            rotation: fields.numbers("rotation")?,
            velocity: fields.numbers("velocity")?,
        })));
    }
    if let Some(fields) = of("stone") {
        let body = fields.integer("body")?;
        return Ok(Some(Event::HailImpact(HailImpact {
            at_s: fields.number("at_s")?,
            body: fields.body("body", body)?,
            place: fields.numbers("place")?,
            normal: fields.numbers("normal")?,
            speed_m_s: fields.number("speed_m_s")?,
            mass_kg: fields.number("mass_kg")?,
            radius_m: fields.number("radius_m")?,
            restitution: fields.number("restitution")?,
        })));
    }
    Ok(None)
}

/// Field access to one event.
struct Fields<'a> {
    line: u64,
    kind: &'static str,
    value: &'a Value,
    bodies: usize,
}

impl Fields<'_> {
    fn wrong(&self, key: &str, why: impl Into<String>) -> TraceError {
        TraceError::Value { line: self.line, key: format!("{}.{key}", self.kind), why: why.into() }
    }

    fn get(&self, key: &str) -> Result<&Value, TraceError> {
        let object = self.value.as_object().ok_or_else(|| TraceError::Value {
            line: self.line,
            key: self.kind.into(),
            why: "must be an object with the values of the event".into(),
        })?;
        object.get(key).ok_or_else(|| self.wrong(key, "is missing"))
    }

    fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some_and(|value| !value.is_null())
    }

    fn number_in(&self, key: &str, value: &Value) -> Result<f64, TraceError> {
        let number = value.as_f64().filter(|number| number.is_finite());
        number.ok_or_else(|| self.wrong(key, format!("is {value}; it must be a number")))
    }

    fn number(&self, key: &str) -> Result<f64, TraceError> {
        self.number_in(key, self.get(key)?)
    }

    fn integer(&self, key: &str) -> Result<u64, TraceError> {
        let value = self.get(key)?;
        let why = || self.wrong(key, format!("is {value}; it must be a non-negative integer"));
        value.as_u64().ok_or_else(why)
    }

    fn flag(&self, key: &str) -> Result<bool, TraceError> {
        match self.get(key) {
            Ok(Value::Bool(flag)) => Ok(*flag),
            Ok(value) => Err(self.wrong(key, format!("is {value}; it must be true or false"))),
            Err(_) => Ok(false),
        }
    }

    fn array<'v>(
        &self,
        key: &str,
        value: &'v Value,
        length: usize,
        of: &str,
    ) -> Result<&'v [Value], TraceError> {
        let array = value.as_array().filter(|array| array.len() == length);
        let array =
            array.ok_or_else(|| self.wrong(key, format!("must be a list of {length} {of}")))?;
        Ok(array)
    }

    fn numbers_in<const N: usize>(&self, key: &str, value: &Value) -> Result<[f64; N], TraceError> {
        let array = self.array(key, value, N, "numbers")?;
        let mut numbers = [0.0; N];
        for (k, (number, value)) in numbers.iter_mut().zip(array).enumerate() {
            *number = self.number_in(&format!("{key}[{k}]"), value)?;
        }
        Ok(numbers)
    }

    fn numbers<const N: usize>(&self, key: &str) -> Result<[f64; N], TraceError> {
        self.numbers_in(key, self.get(key)?)
    }

    fn places(&self) -> Result<[[f64; 3]; 2], TraceError> {
        let places = self.array("places", self.get("places")?, 2, "places")?;
        Ok([self.numbers_in("places[0]", &places[0])?, self.numbers_in("places[1]", &places[1])?])
    }

    fn body(&self, key: &str, number: u64) -> Result<u32, TraceError> {
        if number < self.bodies as u64 {
            return Ok(number as u32);
        }
        let count = self.bodies;
        Err(self.wrong(key, format!("is {number}, but the header names {count} bodies (from 0)")))
    }

    fn pair(&self) -> Result<[u32; 2], TraceError> {
        let numbers = self.array("bodies", self.get("bodies")?, 2, "bodies")?;
        let one = |k: usize| {
            let key = format!("bodies[{k}]");
            let why = || self.wrong(&key, format!("is {}; it must be an integer", numbers[k]));
            self.body(&key, numbers[k].as_u64().ok_or_else(why)?)
        };
        Ok([one(0)?, one(1)?])
    }
}
