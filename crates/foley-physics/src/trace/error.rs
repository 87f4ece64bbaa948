//! Errors of contact traces.

use thiserror::Error;

/// Failure to read or write a trace.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// An input or output error.
    #[error("line {line}: {source}")]
    Io {
        /// Line number, from 1.
        line: u64,
        /// The cause.
        source: std::io::Error,
    },
    /// The first line is not a header.
    #[error(
        "line {line}: this is not a contact trace: it does not begin with a line like \
         {{\"foley_trace\":1,\"bodies\":[\"floor\",\"ball\"]}}"
    )]
    NoHeader {
        /// Which line, from 1.
        line: u64,
    },
    /// A newer version of the format.
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
        /// Column, from 1.
        column: usize,
        /// Message of the parser.
        why: String,
    },
    /// A missing or invalid value.
    #[error("line {line}: `{key}` {why}")]
    Value {
        /// Which line, from 1.
        line: u64,
        /// Which value, as a path: `impact.places[1][2]`.
        key: String,
        /// The reason.
        why: String,
    },
    /// A line over the limit.
    #[error("line {line} is longer than {most} bytes; a trace has one event per line")]
    TooLong {
        /// Which line, from 1.
        line: u64,
        /// The limit in bytes.
        most: u64,
    },
}
