//! Lines of a bounded length.

use super::TraceError;
use std::io::{BufRead, Read};

/// The non-empty lines of a file, one in memory at a time.
pub(super) struct Lines<R> {
    input: R,
    text: Vec<u8>,
    /// Number of the last line, from 1.
    pub(super) number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, text: Vec::new(), number: 0 }
    }

    /// Returns the next non-empty line, of at most `most` bytes.
    pub(super) fn next(&mut self, most: u64) -> Result<Option<&[u8]>, TraceError> {
        loop {
            self.text.clear();
            self.number += 1;
            let line = self.number;
            let read = (&mut self.input).take(most + 1).read_until(b'\n', &mut self.text);
            let count = read.map_err(|source| TraceError::Io { line, source })?;
            if count == 0 {
                return Ok(None);
            }
            if self.text.len() as u64 > most {
                return Err(TraceError::TooLong { line, most });
            }
            if !self.text.trim_ascii().is_empty() {
                return Ok(Some(&self.text));
            }
        }
    }
}
