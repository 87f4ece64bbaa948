//! Applies edits to a scene and finds their inverses.

use super::{Edit, EditError};
use crate::scene::{Object, ObjectId, Scene};
use foley_modal::Material;
use std::collections::HashMap;
use std::mem::replace;

/// An edit that was applied.
#[derive(Debug)]
pub(super) struct Applied {
    /// The edit with the ids, positions and values that it was applied with.
    pub(super) edit: Edit,
    /// The edit that undoes it.
    pub(super) inverse: Edit,
}

impl Scene {
    /// Applies an edit and returns its inverse, which gives back exactly the scene of before.
    ///
    /// Values are checked like those of a scene file, and stored as they would be read from one:
    /// rotations and directions are normalised, names have no spaces around them. So the scene can
    /// be written and read again. If the edit is refused, the scene is unchanged.
    pub fn apply(&mut self, edit: Edit) -> Result<Edit, EditError> {
        self.apply_checked(edit).map(|applied| applied.inverse)
    }

    pub(super) fn apply_checked(&mut self, edit: Edit) -> Result<Applied, EditError> {
        match edit {
            Edit::Group(edits) => self.apply_group(edits, Self::apply_checked),
            edit => {
                let edit = self.checked(edit)?;
                self.apply_unchecked(edit)
            }
        }
    }

    /// Applies an edit whose values were checked before.
    pub(super) fn apply_unchecked(&mut self, edit: Edit) -> Result<Applied, EditError> {
        let carried_out = edit.clone();
        let inverse = match edit {
            Edit::Group(edits) => return self.apply_group(edits, Self::apply_unchecked),
            Edit::AddObject { object, index } => return self.add_object(*object, index),
            Edit::RemoveObject(id) => self.remove_object(id)?,
            Edit::SetObject(object) => {
                let old = replace(self.object_mut(object.id)?, *object);
                Edit::SetObject(Box::new(old))
            }
            Edit::Rename { object, name } => {
                let name = replace(&mut self.object_mut(object)?.name, name);
                Edit::Rename { object, name }
            }
            Edit::SetPose { object, pose } => {
                let pose = replace(&mut self.object_mut(object)?.pose, pose);
                Edit::SetPose { object, pose }
            }
            Edit::SetMotion { object, motion } => {
                let motion = replace(&mut self.object_mut(object)?.motion, motion);
                Edit::SetMotion { object, motion }
            }
            Edit::SetMaterial { object, material } => {
                let material = replace(&mut self.object_mut(object)?.material, material);
                Edit::SetMaterial { object, material }
            }
            Edit::SetGain { object, gain_db } => {
                let gain_db = replace(&mut self.object_mut(object)?.gain_db, gain_db);
                Edit::SetGain { object, gain_db }
            }
            Edit::RedefineMaterial(material) => self.redefine_material(&material)?,
            Edit::SetOrder(order) => self.set_order(&order)?,
            Edit::AddStrike { object, mut strike, index } => {
                strike.object = self.existing(object)?;
                let index = insert("strike", &mut self.strikes, index, strike.clone())?;
                let edit = Edit::AddStrike { object, strike, index: Some(index) };
                return Ok(Applied { edit, inverse: Edit::RemoveStrike(index) });
            }
            Edit::RemoveStrike(index) => {
                let object = self.id_at("strike", index, self.strikes.get(index).map(|s| s.object));
                let (object, strike) = (object?, self.strikes.remove(index));
                Edit::AddStrike { object, strike, index: Some(index) }
            }
            Edit::AddScrape { object, mut scrape, index } => {
                scrape.object = self.existing(object)?;
                let index = insert("scrape", &mut self.scrapes, index, (*scrape).clone())?;
                let edit = Edit::AddScrape { object, scrape, index: Some(index) };
                return Ok(Applied { edit, inverse: Edit::RemoveScrape(index) });
            }
            Edit::RemoveScrape(index) => {
                let object = self.id_at("scrape", index, self.scrapes.get(index).map(|s| s.object));
                let (object, scrape) = (object?, Box::new(self.scrapes.remove(index)));
                Edit::AddScrape { object, scrape, index: Some(index) }
            }
            Edit::SetListener(listener) => Edit::SetListener(replace(&mut self.listener, listener)),
            Edit::SetAir(air) => Edit::SetAir(replace(&mut self.air, air)),
            Edit::SetHail(hail) => Edit::SetHail(replace(&mut self.hail, hail)),
            Edit::SetSettings(settings) => {
                let old = self.settings();
                self.set_settings(*settings);
                Edit::SetSettings(Box::new(old))
            }
        };
        Ok(Applied { edit: carried_out, inverse })
    }

    fn apply_group(
        &mut self,
        edits: Vec<Edit>,
        apply: fn(&mut Self, Edit) -> Result<Applied, EditError>,
    ) -> Result<Applied, EditError> {
        let (mut done, mut inverses) = (Vec::with_capacity(edits.len()), Vec::new());
        for edit in edits {
            match apply(self, edit) {
                Ok(applied) => {
                    done.push(applied.edit);
                    inverses.push(applied.inverse);
                }
                Err(error) => {
                    // The inverse of an edit that was just applied is never refused.
                    for inverse in inverses.into_iter().rev() {
                        let undone = self.apply_unchecked(inverse);
                        debug_assert!(undone.is_ok(), "{undone:?}");
                    }
                    return Err(error);
                }
            }
        }
        inverses.reverse();
        Ok(Applied { edit: Edit::Group(done), inverse: Edit::Group(inverses) })
    }

    /// Returns the position of an object.
    pub(super) fn existing(&self, id: ObjectId) -> Result<usize, EditError> {
        self.index_of(id).ok_or(EditError::NoObject { id })
    }

    fn object_mut(&mut self, id: ObjectId) -> Result<&mut Object, EditError> {
        let index = self.existing(id)?;
        Ok(&mut self.objects[index])
    }

    /// Returns the id of the object of a strike or scrape.
    fn id_at(
        &self,
        item: &'static str,
        index: usize,
        object: Option<usize>,
    ) -> Result<ObjectId, EditError> {
        let count = if item == "strike" { self.strikes.len() } else { self.scrapes.len() };
        let object = object.and_then(|object| self.objects.get(object));
        object.map(|object| object.id).ok_or(EditError::Index { item, index, count })
    }

    fn add_object(
        &mut self,
        mut object: Object,
        index: Option<usize>,
    ) -> Result<Applied, EditError> {
        let id = object.id;
        if id != ObjectId::UNASSIGNED && (!self.ids.may_be_given(id) || self.index_of(id).is_some())
        {
            return Err(EditError::Id { id });
        }
        let at = index.unwrap_or(self.objects.len());
        if at > self.objects.len() {
            let count = self.objects.len();
            return Err(EditError::Index { item: "object", index: at, count });
        }
        match id {
            ObjectId::UNASSIGNED => object.id = self.ids.fresh(),
            id => self.ids.reserve(id),
        }
        let inverse = Edit::RemoveObject(object.id);
        self.map_objects(|index| if index >= at { index + 1 } else { index });
        self.objects.insert(at, object.clone());
        let edit = Edit::AddObject { object: Box::new(object), index: Some(at) };
        Ok(Applied { edit, inverse })
    }

    fn remove_object(&mut self, id: ObjectId) -> Result<Edit, EditError> {
        let at = self.existing(id)?;
        let mut restore = Vec::new();
        let strikes = take(&mut self.strikes, |strike| strike.object == at);
        let scrapes = take(&mut self.scrapes, |scrape| scrape.object == at);
        let object = Box::new(self.objects.remove(at));
        self.map_objects(|index| if index > at { index - 1 } else { index });
        let add = Edit::AddObject { object, index: Some(at) };
        if strikes.is_empty() && scrapes.is_empty() {
            return Ok(add);
        }
        restore.push(add);
        // In ascending order, so that each position exists when its turn comes.
        restore.extend(strikes.into_iter().map(|(index, strike)| Edit::AddStrike {
            object: id,
            strike,
            index: Some(index),
        }));
        restore.extend(scrapes.into_iter().map(|(index, scrape)| Edit::AddScrape {
            object: id,
            scrape: Box::new(scrape),
            index: Some(index),
        }));
        Ok(Edit::Group(restore))
    }

    /// Changes the positions of objects in strikes and scrapes.
    fn map_objects(&mut self, map: impl Fn(usize) -> usize) {
        self.strikes.iter_mut().for_each(|strike| strike.object = map(strike.object));
        self.scrapes.iter_mut().for_each(|scrape| scrape.object = map(scrape.object));
    }

    fn redefine_material(&mut self, material: &Material) -> Result<Edit, EditError> {
        let mut old = Vec::new();
        for object in self.objects.iter_mut().filter(|o| o.material.name == material.name) {
            let material = replace(&mut object.material, material.clone());
            old.push((object.id, material));
        }
        let Some((_, first)) = old.first() else {
            return Err(EditError::NoMaterial { name: material.name.to_string() });
        };
        Ok(match old.iter().all(|(_, material)| material == first) {
            true => Edit::RedefineMaterial(first.clone()),
            false => {
                let set = |(object, material)| Edit::SetMaterial { object, material };
                Edit::Group(old.into_iter().map(set).collect())
            }
        })
    }

    fn set_order(&mut self, order: &[ObjectId]) -> Result<Edit, EditError> {
        let old: Vec<ObjectId> = self.objects.iter().map(|object| object.id).collect();
        let new_index: HashMap<ObjectId, usize> =
            order.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let found = old.iter().filter(|id| new_index.contains_key(id)).count();
        if found != old.len() || order.len() != old.len() {
            return Err(EditError::Order { found, count: old.len() });
        }
        self.map_objects(|index| old.get(index).map_or(index, |id| new_index[id]));
        self.objects.sort_by_key(|object| new_index[&object.id]);
        Ok(Edit::SetOrder(old))
    }
}

/// Inserts an item into a list, by default at its end; returns its position.
fn insert<T>(
    item: &'static str,
    list: &mut Vec<T>,
    index: Option<usize>,
    value: T,
) -> Result<usize, EditError> {
    let (count, index) = (list.len(), index.unwrap_or(list.len()));
    if index > count {
        return Err(EditError::Index { item, index, count });
    }
    list.insert(index, value);
    Ok(index)
}

/// Removes items from a list; returns them with their positions.
fn take<T>(list: &mut Vec<T>, is_taken: impl Fn(&T) -> bool) -> Vec<(usize, T)> {
    let (mut taken, mut kept) = (Vec::new(), Vec::with_capacity(list.len()));
    for (index, item) in std::mem::take(list).into_iter().enumerate() {
        if is_taken(&item) { taken.push((index, item)) } else { kept.push(item) }
    }
    *list = kept;
    taken
}
