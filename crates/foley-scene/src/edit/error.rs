//! Errors of edits.

use crate::SceneError;
use crate::scene::ObjectId;
use thiserror::Error;

/// The reason why an edit was refused. The scene is as it was before.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum EditError {
    /// The object does not exist.
    #[error("there is no object with the id {id}: it was removed, or belongs to another scene")]
    NoObject { id: ObjectId },
    /// Another object has the id, or it is too large.
    #[error("an object cannot be added with the id {id}: it is in use or too large; leave it out")]
    Id { id: ObjectId },
    /// The position in a list does not exist.
    #[error("there is no {item} number {index}: the scene has {count}, counted from 0")]
    Index { item: &'static str, index: usize, count: usize },
    /// The order does not name every object once.
    #[error("the order names {found} different objects of {count}; name each of them once")]
    Order { found: usize, count: usize },
    /// No object has the material.
    #[error("no object has the material `{name}`; set it for an object first")]
    NoMaterial { name: String },
    /// A value that a scene file cannot have.
    #[error(transparent)]
    Invalid(#[from] SceneError),
}
