//! Undo and redo.

use super::{Edit, EditError};
use crate::scene::Scene;
use std::collections::VecDeque;

/// The edits of a scene that can be undone and redone.
///
/// `apply`, `undo` and `redo` return the edit that was carried out, with the ids and values that it
/// had, so that a running scene can follow.
#[derive(Debug, Clone)]
pub struct EditHistory {
    /// Inverses of the edits that can be undone, the last one at the end.
    undo: VecDeque<Edit>,
    /// Inverses of the edits that were undone.
    redo: Vec<Edit>,
    /// Inverses of the edits of the open group.
    group: Option<Vec<Edit>>,
    max_edits: usize,
}

impl Default for EditHistory {
    fn default() -> Self {
        Self::new(1000)
    }
}

impl EditHistory {
    /// Returns a history that keeps the last `max_edits` edits.
    pub fn new(max_edits: usize) -> Self {
        Self { undo: VecDeque::new(), redo: Vec::new(), group: None, max_edits }
    }

    /// Applies an edit; edits that were undone can no longer be redone.
    pub fn apply(&mut self, scene: &mut Scene, edit: Edit) -> Result<Edit, EditError> {
        let applied = scene.apply_checked(edit)?;
        self.record(applied.inverse);
        Ok(applied.edit)
    }

    /// Takes over an edit that was applied, by its inverse.
    pub(crate) fn record(&mut self, inverse: Edit) {
        self.redo.clear();
        match &mut self.group {
            // Undone in reverse order: the inverse of before is applied last.
            Some(group) if group.last().is_some_and(|last| last.overwrites(&inverse)) => {}
            Some(group) => group.push(inverse),
            None => self.push(inverse),
        }
    }

    /// Undoes the last edit or group; returns what was carried out, or `None` if there is nothing to
    /// undo.
    pub fn undo(&mut self, scene: &mut Scene) -> Result<Option<Edit>, EditError> {
        self.end_group();
        let Some(inverse) = self.undo.back().cloned() else { return Ok(None) };
        let applied = scene.apply_unchecked(inverse)?;
        self.undo.pop_back();
        self.redo.push(applied.inverse);
        Ok(Some(applied.edit))
    }

    /// Applies again what was undone last; returns what was carried out, or `None` if there is
    /// nothing to redo.
    pub fn redo(&mut self, scene: &mut Scene) -> Result<Option<Edit>, EditError> {
        self.end_group();
        let Some(inverse) = self.redo.last().cloned() else { return Ok(None) };
        let applied = scene.apply_unchecked(inverse)?;
        self.redo.pop();
        self.push(applied.inverse);
        Ok(Some(applied.edit))
    }

    /// Begins a group: the edits until [`end_group`](Self::end_group) are undone as one, such as
    /// those of a drag with the mouse. Of successive edits of one value, one is kept.
    pub fn begin_group(&mut self) {
        self.end_group();
        self.group = Some(Vec::new());
    }

    /// Ends the group, if one is open. `undo` and `redo` end it, too.
    pub fn end_group(&mut self) {
        let mut inverses = self.group.take().unwrap_or_default();
        inverses.reverse();
        match inverses.len() {
            0 => (),
            1 => inverses.into_iter().for_each(|inverse| self.push(inverse)),
            _ => self.push(Edit::Group(inverses)),
        }
    }

    /// Returns whether there is an edit to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty() || self.group.as_ref().is_some_and(|group| !group.is_empty())
    }

    /// Returns whether there is an edit to redo.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Forgets all edits.
    pub fn clear(&mut self) {
        *self = Self::new(self.max_edits);
    }

    fn push(&mut self, inverse: Edit) {
        self.undo.push_back(inverse);
        while self.undo.len() > self.max_edits {
            self.undo.pop_front();
        }
    }
}
