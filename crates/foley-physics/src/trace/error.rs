//! Errors of contact traces.

use thiserror::Error;

/// Failure to read or write a trace. Lines and columns are counted from 1.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum TraceError {
    /// An input or output error.
    #[error("line {line}: {source}")]
    Io { line: u64, source: std::io::Error },
    /// The first line is not a header.
    #[error(
        "line {line}: this is not a contact trace: it does not begin with a line like \
         {{\"foley_trace\":1,\"bodies\":[\"floor\",\"ball\"]}}"
    )]
    NoHeader { line: u64 },
    /// A newer version of the format.
    #[error("the trace has version {found}; this Foley reads version 1: update it")]
    Version { found: u64 },
    /// Not JSON.
    #[error("line {line}, column {column}: this is not JSON: {why}")]
    Json { line: u64, column: usize, why: String },
    /// A missing or invalid value; `key` is a path like `impact.places[1][2]`.
    #[error("line {line}: `{key}` {why}")]
    Value { line: u64, key: String, why: String },
    /// A line over the limit.
    #[error("line {line} is longer than {most} bytes; a trace has one event per line")]
    TooLong { line: u64, most: u64 },
}
