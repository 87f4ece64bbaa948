//! What can be wrong with a trace.

use thiserror::Error;

/// Why a trace cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The disk, or whatever it comes from.
    #[error("line {line}: {source}")]
    Io {
        /// Where reading stopped, from 1.
        line: u64,
        /// What the system says.
        source: std::io::Error,
    },
    /// The first line is not a header.
    #[error(
        "line {line}: this is no contact trace: it does not begin with a line like \
         {{\"foley_trace\":1,\"bodies\":[\"floor\",\"ball\"]}}"
    )]
    NoHeader {
        /// Which line, from 1.
        line: u64,
    },
    /// TraceLine for a later Foley.
    #[error("the trace has version {found}; this Foley reads version 1: update it")]
    Version {
        /// The version of the trace.
        found: u64,
    },
    /// Not JSON.
    #[error("line {line}, column {column}: this is not JSON: {why}")]
    Json {
        /// Which line, from 1.
        line: u64,
        /// Where in it, from 1.
        column: usize,
        /// What the parser says.
        why: String,
    },
    /// A value that is missing or makes no sense.
    #[error("line {line}: `{key}` {why}")]
    Value {
        /// Which line, from 1.
        line: u64,
        /// Which value, as a path: `impact.places[1][2]`.
        key: String,
        /// What is wrong with it.
        why: String,
    },
    /// A line without an end.
    #[error("line {line} is longer than {most} bytes; a trace has one event per line")]
    TooLong {
        /// Which line, from 1.
        line: u64,
        /// How long it may be.
        most: u64,
    },
}
