//! Comparison of scenes: the edits that lead from one to the other.

use super::Edit;
use crate::scene::{Object, ObjectId, Scene, Scrape, Strike};
use foley_modal::Material;
use std::collections::HashMap;

impl Scene {
    /// Returns the edits that make this scene equal to `other`; none if they are equal.
    ///
    /// Objects are compared by name: an object of another name is another object. Ids are not
    /// compared, nor are folder and asset loader: objects that stay keep their ids. So a file that
    /// was changed is read again, compared with the running scene, and only what differs is edited.
    ///
    /// ```
    /// use foley_scene::{Scene, edit::Edit};
    /// let text = "[[object]]\nshape = \"ball:16mm\"\nmaterial = \"steel\"\n";
    /// let mut scene = Scene::parse(text)?;
    /// let other = Scene::parse(&format!("{text}gain_db = 3"))?;
    /// let edits = scene.differences(&other);
    /// assert_eq!(edits, [Edit::SetGain { object: scene.objects[0].id, gain_db: 3.0 }]);
    /// for edit in edits {
    ///     scene.apply(edit)?;
    /// }
    /// assert_eq!(scene, other);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn differences(&self, other: &Self) -> Vec<Edit> {
        let mut steps = Steps { scene: self.clone(), edits: Vec::new() };
        steps.settings(other);
        steps.objects(other);
        steps.strikes(other);
        steps.scrapes(other);
        steps.edits
    }
}

/// Edits, and the scene after them.
struct Steps {
    scene: Scene,
    edits: Vec<Edit>,
}

impl Steps {
    fn apply(&mut self, edit: Edit) {
        // An edit to an invalid value is refused when it is applied to the real scene.
        if let Ok(applied) = self.scene.apply_unchecked(edit) {
            self.edits.push(applied.edit);
        }
    }

    fn settings(&mut self, other: &Scene) {
        let changes =
            |scene: &Scene| (scene.seed, scene.gravity_m_s2) != (other.seed, other.gravity_m_s2);
        // Hail needs gravity: it is checked with the new one, and only the new hail.
        if self.scene.hail.is_some() && (other.hail.is_none() || changes(&self.scene)) {
            self.apply(Edit::SetHail(None));
        }
        if self.scene.settings() != other.settings() {
            self.apply(Edit::SetSettings(Box::new(other.settings())));
        }
        if self.scene.hail != other.hail {
            self.apply(Edit::SetHail(other.hail));
        }
        if self.scene.listener != other.listener {
            self.apply(Edit::SetListener(other.listener.clone()));
        }
        if self.scene.air != other.air {
            self.apply(Edit::SetAir(other.air));
        }
    }

    fn objects(&mut self, other: &Scene) {
        let names: HashMap<&str, &Object> = by_name(other);
        let is_gone = |object: &&Object| !names.contains_key(&*object.name);
        let gone: Vec<ObjectId> =
            self.scene.objects.iter().filter(is_gone).map(|object| object.id).collect();
        gone.into_iter().for_each(|id| self.apply(Edit::RemoveObject(id)));
        self.materials(other);
        let old: Vec<Object> = self.scene.objects.clone();
        for object in &old {
            self.object(object, names[&*object.name]);
        }
        let known: HashMap<&str, ObjectId> =
            old.iter().map(|object| (&*object.name, object.id)).collect();
        let mut order = Vec::with_capacity(other.objects.len());
        for object in &other.objects {
            order.push(known.get(&*object.name).copied().unwrap_or_else(|| {
                let id = self.scene.ids.fresh();
                self.apply(Edit::add_object(Object { id, ..object.clone() }));
                id
            }));
        }
        if !self.scene.objects.iter().map(|object| object.id).eq(order.iter().copied()) {
            self.apply(Edit::SetOrder(order));
        }
    }

    /// Redefines the materials that have the same name and other values.
    fn materials(&mut self, other: &Scene) {
        let materials = |scene: &Scene| -> HashMap<String, Material> {
            let of = |object: &Object| (object.material.name.to_string(), object.material.clone());
            scene.objects.iter().map(of).collect()
        };
        let old = materials(&self.scene);
        let mut new: Vec<_> = materials(other).into_values().collect();
        new.sort_by(|a, b| a.name.cmp(&b.name));
        for material in new {
            if old.get(&*material.name).is_some_and(|old| *old != material) {
                self.apply(Edit::RedefineMaterial(material));
            }
        }
    }

    fn object(&mut self, old: &Object, new: &Object) {
        let id = old.id;
        let new = Object { id, ..new.clone() };
        if *old == new {
            return;
        }
        let simple = Object {
            pose: new.pose,
            motion: new.motion.clone(),
            material: new.material.clone(),
            gain_db: new.gain_db,
            ..old.clone()
        };
        // Another key may allow or forbid the new motion.
        if simple != new {
            return self.apply(Edit::SetObject(Box::new(new)));
        }
        if old.pose != new.pose {
            self.apply(Edit::SetPose { object: id, pose: new.pose });
        }
        if old.motion != new.motion {
            self.apply(Edit::SetMotion { object: id, motion: new.motion });
        }
        if old.material != new.material {
            self.apply(Edit::SetMaterial { object: id, material: new.material });
        }
        if old.gain_db != new.gain_db {
            self.apply(Edit::SetGain { object: id, gain_db: new.gain_db });
        }
    }

    fn strikes(&mut self, other: &Scene) {
        let (start, old_end, new_end) = changed(&self.scene.strikes, &other.strikes);
        (start..old_end).rev().for_each(|index| self.apply(Edit::RemoveStrike(index)));
        for index in start..new_end {
            let strike: &Strike = &other.strikes[index];
            if let Some(object) = self.id(strike.object) {
                self.apply(Edit::AddStrike { object, strike: strike.clone(), index: Some(index) });
            }
        }
    }

    fn scrapes(&mut self, other: &Scene) {
        let (start, old_end, new_end) = changed(&self.scene.scrapes, &other.scrapes);
        (start..old_end).rev().for_each(|index| self.apply(Edit::RemoveScrape(index)));
        for index in start..new_end {
            let scrape: &Scrape = &other.scrapes[index];
            if let Some(object) = self.id(scrape.object) {
                let scrape = Box::new(scrape.clone());
                self.apply(Edit::AddScrape { object, scrape, index: Some(index) });
            }
        }
    }

    fn id(&self, index: usize) -> Option<ObjectId> {
        self.scene.objects.get(index).map(|object| object.id)
    }
}

fn by_name(scene: &Scene) -> HashMap<&str, &Object> {
    scene.objects.iter().map(|object| (&*object.name, object)).collect()
}

/// Returns where two lists begin to differ, and the ends of what differs in each.
fn changed<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize, usize) {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = rest.take_while(|(a, b)| a == b).count();
    (start, old.len() - end, new.len() - end)
}
