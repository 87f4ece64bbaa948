//! Reader of contact traces.

use super::lines::Lines;
use super::{MAX_HEADER_BYTES, MAX_LINE_BYTES, TraceError, VERSION, line};
use crate::Event;
use crate::world::MAX_BODIES;
use serde_json::{Map, Value};
use std::io::BufRead;

/// Reads a trace event by event, with one line in memory at a time. Ends after an error.
pub struct Reader<R> {
    lines: Lines<R>,
    bodies: Vec<String>,
    latest_s: f64,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<Self, TraceError> {
        let (lines, bodies) = (Lines::new(input), Vec::new());
        let mut reader = Self { lines, bodies, latest_s: 0.0, failed: false };
        let no_header = |line| TraceError::NoHeader { line };
        let header = match reader.object(MAX_HEADER_BYTES) {
            Ok(Some(header)) => header,
            Ok(None) => return Err(no_header(reader.lines.number.max(1))),
            Err(TraceError::Json { line, .. }) => return Err(no_header(line)),
            Err(error) => return Err(error),
        };
        reader.bodies = reader.names(&header)?;
        Ok(reader)
    }

    /// Returns the names of the bodies in the order of their indices.
    pub fn bodies(&self) -> &[String] {
        &self.bodies
    }

    fn names(&self, header: &Map<String, Value>) -> Result<Vec<String>, TraceError> {
        let line = self.lines.number;
        let version = header.get("foley_trace").ok_or(TraceError::NoHeader { line })?;
        match version.as_u64() {
            Some(VERSION) => {}
            Some(found) => return Err(TraceError::Version { found }),
            None => return Err(TraceError::NoHeader { line }),
        }
        let wrong = |key: &str, why: String| TraceError::Value { line, key: key.into(), why };
        match header.get("units") {
            None => {}
            Some(Value::String(units)) if units == "SI" => {}
            Some(units) => {
                let why = format!("are {units}; Foley reads \"SI\": convert the numbers");
                return Err(wrong("units", why));
            }
        }
        let names = header.get("bodies").and_then(Value::as_array);
        let names = names.ok_or_else(|| wrong("bodies", "must be a list of names".into()))?;
        if names.len() > MAX_BODIES {
            let why = format!("are {}; one scene may have {MAX_BODIES}", names.len());
            return Err(wrong("bodies", why));
        }
        let name = |(k, value): (usize, &Value)| {
            let why = || wrong(&format!("bodies[{k}]"), format!("is {value}; it must be a name"));
            value.as_str().map(String::from).ok_or_else(why)
        };
        names.iter().enumerate().map(name).collect()
    }

    /// Returns the next non-empty line.
    fn object(&mut self, most: u64) -> Result<Option<Map<String, Value>>, TraceError> {
        let Some(text) = self.lines.next(most)? else { return Ok(None) };
        let parsed: Result<Map<String, Value>, _> = serde_json::from_slice(text);
        parsed.map(Some).map_err(|error| TraceError::Json {
            line: self.lines.number,
            column: error.column(),
            why: error.to_string(),
        })
    }

    fn event(&mut self) -> Result<Option<Event>, TraceError> {
        while let Some(object) = self.object(MAX_LINE_BYTES)? {
            let Some(event) = line::event(self.lines.number, &object, self.bodies.len())? else {
                continue;
            };
            if event.at_s() < self.latest_s {
                return Err(TraceError::Value {
                    line: self.lines.number,
                    key: "at_s".into(),
                    why: format!(
                        "is {}, but the line before is at {}: sort the lines by time",
                        event.at_s(),
                        self.latest_s
                    ),
                });
            }
            self.latest_s = event.at_s();
            return Ok(Some(event));
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Event, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let event = self.event();
        self.failed = event.is_err();
        event.transpose()
    }
}
