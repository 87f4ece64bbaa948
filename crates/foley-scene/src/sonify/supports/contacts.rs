//! Sustained contacts of all objects, also of those that are no longer simulated because they lie still.

use foley_physics::SustainedContact;
use std::collections::{BTreeMap, HashMap};

/// Time after which a body that moves again has left what it lay on, unless a contact is reported, s.
const GRACE_S: f64 = 0.02;

/// A contact as one of its two bodies has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RestingContact {
    /// The other object.
    pub(super) other: usize,
    /// Place in its own coordinates and in those of the other, m.
    pub(super) place: [f64; 3],
    pub(super) place_on_other: [f64; 3],
    /// Unit vector away from the other body, in its own coordinates and in those of the other.
    pub(super) up: [f64; 3],
    pub(super) up_on_other: [f64; 3],
    /// Normal force, N.
    pub(super) force_n: f64,
}

/// A contact of two objects.
struct Contact {
    objects: [usize; 2],
    places: [[f64; 3]; 2],
    /// From the other body into this one, in the coordinates of each.
    ups: [[f64; 3]; 2],
    force_n: f64,
    /// Whether the bodies are no longer simulated.
    asleep: bool,
    /// When it ends, once one of them has moved, s.
    ends_s: f64,
}

/// All contacts, by their identifiers.
#[derive(Default)]
pub(in crate::sonify) struct Contacts {
    contacts: BTreeMap<u64, Contact>,
    /// Identifiers of the contacts of each object, ascending.
    of_object: HashMap<usize, Vec<u64>>,
    asleep: usize,
}

impl Contacts {
    /// Takes the state of a contact; `to_object` converts a direction of the world to the coordinates of one of its two
    /// bodies. Returns the objects whose contacts have changed.
    pub(super) fn update(
        &mut self,
        contact: &SustainedContact,
        to_object: &dyn Fn(usize, [f64; 3]) -> [f64; 3],
    ) -> Option<[usize; 2]> {
        let number = contact.contact;
        if contact.over {
            let known = self.contacts.get_mut(&number)?;
            if contact.force_n > 0.0 {
                self.asleep += usize::from(!std::mem::replace(&mut known.asleep, true));
                (known.force_n, known.ends_s) = (contact.force_n, f64::INFINITY);
                return None;
            }
            return self.remove(number);
        }
        let objects = contact.bodies.map(|body| body as usize);
        if !self.contacts.contains_key(&number) {
            self.end_asleep_between(objects);
            for object in objects {
                let numbers = self.of_object.entry(object).or_default();
                let at = numbers.partition_point(|other| *other < number);
                numbers.insert(at, number);
            }
        }
        let ups = [to_object(0, contact.normal.map(|x| -x)), to_object(1, contact.normal)];
        let (places, force_n) = (contact.places, contact.force_n);
        let new = Contact { objects, places, ups, force_n, asleep: false, ends_s: f64::INFINITY };
        let old = self.contacts.insert(number, new);
        self.asleep -= usize::from(old.is_some_and(|old| old.asleep));
        Some(objects)
    }

    /// Notes that a body moves at a time. Returns the objects of a contact that has ended thereby.
    pub(super) fn woken(&mut self, object: usize, at_s: f64) -> Option<[usize; 2]> {
        if self.asleep == 0 {
            return None;
        }
        let mut ended = None;
        for number in self.of_object.get(&object)? {
            let Some(contact) = self.contacts.get_mut(number) else { continue };
            if contact.asleep && contact.ends_s == f64::INFINITY {
                contact.ends_s = at_s + GRACE_S;
            } else if contact.asleep && at_s >= contact.ends_s {
                // Others follow with the next motions.
                ended = Some(*number);
            }
        }
        self.remove(ended?)
    }

    /// Returns the contacts of an object with at least this force, in order of the other objects.
    pub(super) fn of(&self, object: usize, least_n: f64) -> Vec<RestingContact> {
        let numbers = self.of_object.get(&object).into_iter().flatten();
        let contacts = numbers.filter_map(|number| self.contacts.get(number));
        let mut resting: Vec<RestingContact> = contacts
            .filter(|contact| contact.force_n >= least_n)
            .filter_map(|contact| {
                let own = contact.objects.iter().position(|other| *other == object)?;
                let other = 1 - own;
                Some(RestingContact {
                    other: contact.objects[other],
                    place: contact.places[own],
                    place_on_other: contact.places[other],
                    up: contact.ups[own],
                    up_on_other: contact.ups[other].map(|x| -x),
                    force_n: contact.force_n,
                })
            })
            .collect();
        resting.sort_by_key(|contact| contact.other);
        resting
    }

    fn end_asleep_between(&mut self, objects: [usize; 2]) {
        let numbers = self.of_object.get(&objects[0]).cloned().unwrap_or_default();
        for number in numbers {
            let is_old = |old: &Contact| {
                old.asleep && (old.objects == objects || old.objects == [objects[1], objects[0]])
            };
            if self.contacts.get(&number).is_some_and(is_old) {
                self.remove(number);
            }
        }
    }

    fn remove(&mut self, number: u64) -> Option<[usize; 2]> {
        let old = self.contacts.remove(&number)?;
        self.asleep -= usize::from(old.asleep);
        for object in old.objects {
            if let Some(numbers) = self.of_object.get_mut(&object) {
                numbers.retain(|other| *other != number);
                if numbers.is_empty() {
                    self.of_object.remove(&object);
                }
            }
        }
        Some(old.objects)
    }
}
