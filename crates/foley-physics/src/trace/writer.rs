//! Writer of contact traces.

use super::{TraceError, VERSION, limits};
use crate::Event;
use serde::Serialize;
use std::io::{BufWriter, Write};

/// Writes a trace event by event.
pub struct Writer<W: Write> {
    output: BufWriter<W>,
    line: u64,
}

#[derive(Serialize)]
struct Header {
    foley_trace: u64,
    units: &'static str,
    bodies: Vec<String>,
}

impl<W: Write> Writer<W> {
    /// Writes the header. Names are in the order of the bodies' indices.
    pub fn new(
        output: W,
        bodies: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, TraceError> {
        let bodies = bodies.into_iter().map(Into::into).collect();
        let mut writer = Self { output: BufWriter::new(output), line: 0 };
        writer.line(&Header { foley_trace: VERSION, units: "SI", bodies })?;
        Ok(writer)
    }

    /// Writes an event, whose values a reader must accept. Events must be in order of time.
    pub fn write(&mut self, event: &Event) -> Result<(), TraceError> {
        if let (kind, Some((key, why))) = limits::violation(event) {
            return Err(TraceError::Value {
                line: self.line + 1,
                key: format!("{kind}.{key}"),
                why,
            });
        }
        self.line(event)
    }

    /// Flushes and returns the output.
    pub fn finish(self) -> Result<W, TraceError> {
        let line = self.line;
        let fail = |source| TraceError::Io { line, source };
        self.output.into_inner().map_err(|error| fail(error.into_error()))
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), TraceError> {
        self.line += 1;
        let line = self.line;
        let fail = |source| TraceError::Io { line, source };
        serde_json::to_writer(&mut self.output, value).map_err(|error| fail(error.into()))?;
        self.output.write_all(b"\n").map_err(fail)
    }
}
