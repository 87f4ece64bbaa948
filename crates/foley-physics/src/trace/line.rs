//! Conversion of one trace line between JSON and an event.

use super::TraceError;
use crate::{Event, HailImpact, Impact, PoseEvent, SustainedContact};
use serde_json::{Map, Value};

/// Returns whether all numbers of an event are finite.
pub(super) fn all_finite(event: &Event) -> bool {
    let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
    match event {
        Event::Impact(e) => {
            finite(e.places.as_flattened())
                && finite(&e.normal)
                && finite(&[e.at_s, e.impulse_ns, e.speed_m_s, e.lost_j.unwrap_or(0.0)])
        }
        Event::SustainedContact(e) => {
            finite(e.places.as_flattened())
                && finite(&e.normal)
                && finite(&[e.at_s, e.force_n, e.slip_m_s, e.roll_m_s])
        }
        Event::Pose(e) => {
            finite(&e.position) && finite(&e.rotation) && finite(&e.velocity) && e.at_s.is_finite()
        }
        Event::HailImpact(e) => {
            finite(&e.place)
                && finite(&e.normal)
                && finite(&[e.at_s, e.speed_m_s, e.mass_kg, e.radius_m, e.restitution])
        }
    }
}

/// Parses the event of a line; `None` for unknown kinds.
pub(super) fn event(
    line: u64,
    object: &Map<String, Value>,
    bodies: usize,
) -> Result<Option<Event>, TraceError> {
    let of =
        |kind: &'static str| object.get(kind).map(|value| Fields { line, kind, value, bodies });
    if let Some(fields) = of("impact") {
        return Ok(Some(Event::Impact(Impact {
            at_s: fields.not_negative("at_s")?,
            bodies: fields.pair()?,
            places: fields.places()?,
            normal: fields.unit("normal")?,
            impulse_ns: fields.not_negative("impulse_ns")?,
            speed_m_s: fields.not_negative("speed_m_s")?,
            lost_j: fields.has("lost_j").then(|| fields.not_negative("lost_j")).transpose()?,
        })));
    }
    if let Some(fields) = of("touch") {
        return Ok(Some(Event::SustainedContact(SustainedContact {
            at_s: fields.not_negative("at_s")?,
            contact: fields.integer("contact")?,
            bodies: fields.pair()?,
            places: fields.places()?,
            normal: fields.unit("normal")?,
            force_n: fields.not_negative("force_n")?,
            slip_m_s: fields.not_negative("slip_m_s")?,
            roll_m_s: fields.not_negative("roll_m_s")?,
            over: fields.flag("over")?,
        })));
    }
    if let Some(fields) = of("pose") {
        let body = fields.integer("body")?;
        return Ok(Some(Event::Pose(PoseEvent {
            at_s: fields.not_negative("at_s")?,
            body: fields.body("body", body)?,
            position: fields.numbers("position")?,
            rotation: fields.unit("rotation")?,
            velocity: fields.numbers("velocity")?,
        })));
    }
    if let Some(fields) = of("stone") {
        let body = fields.integer("body")?;
        return Ok(Some(Event::HailImpact(HailImpact {
            at_s: fields.not_negative("at_s")?,
            body: fields.body("body", body)?,
            place: fields.numbers("place")?,
            normal: fields.unit("normal")?,
            speed_m_s: fields.not_negative("speed_m_s")?,
            mass_kg: fields.positive("mass_kg")?,
            radius_m: fields.positive("radius_m")?,
            restitution: fields.part("restitution")?,
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

    fn number(
        &self,
        key: &str,
        accepts: impl Fn(f64) -> bool,
        must: &str,
    ) -> Result<f64, TraceError> {
        let number = self.number_in(key, self.get(key)?)?;
        let why = || self.wrong(key, format!("is {number}; it must {must}"));
        if accepts(number) { Ok(number) } else { Err(why()) }
    }

    fn not_negative(&self, key: &str) -> Result<f64, TraceError> {
        self.number(key, |number| number >= 0.0, "not be negative")
    }

    fn positive(&self, key: &str) -> Result<f64, TraceError> {
        self.number(key, |number| number > 0.0, "be more than 0")
    }

    fn part(&self, key: &str) -> Result<f64, TraceError> {
        self.not_negative(key)?;
        self.number(key, |number| number <= 1.0, "be from 0 to 1")
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

    fn unit<const N: usize>(&self, key: &str) -> Result<[f64; N], TraceError> {
        let numbers: [f64; N] = self.numbers(key)?;
        let length = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() < 0.01 {
            Ok(numbers)
        } else {
            Err(self.wrong(key, format!("has the length {length}; it must be 1")))
        }
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
