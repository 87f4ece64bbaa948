//! Scripted events: the strikes and scrapes that a scene file lists.

use crate::scene::{Scene, Scrape, Strike};
use foley_physics::{Event, SustainedContact};
use glam::DVec3;
use std::collections::VecDeque;

use super::SceneEvent;

/// The tip of a scrape is no object: tips have body numbers from the highest downwards, one for each
/// scrape.
const LAST_SCRIPTED_BODY: u32 = u32::MAX;
/// Body numbers reserved for tips: more than scrapes fit into a scene file.
const SCRIPTED_BODIES: u32 = 1 << 24;

/// Returns the number of the scrape whose tip has this body number.
pub(crate) fn scrape_of(body: u32) -> Option<usize> {
    let number = LAST_SCRIPTED_BODY - body;
    (number < SCRIPTED_BODIES).then_some(number as usize)
}

/// First contact number of scrapes, above those of the simulation.
const FIRST_CONTACT: u64 = 1 << 62;

/// Sustained-contact events per second of a scrape: the default rate of the simulation.
const RATE_HZ: f64 = 240.0;

/// Scripted events that are still due, in order of time.
pub(crate) struct ScriptedEvents {
    strikes: VecDeque<(f64, usize)>,
    /// All strikes, also those that are over.
    known: Vec<Strike>,
    /// Strikes that were removed after they had been emitted, before their time.
    emitted: Vec<Strike>,
    contacts: VecDeque<Event>,
    /// Scrapes by the numbers of their tips; `None` where one was removed.
    slots: Vec<Option<Scrape>>,
}

impl ScriptedEvents {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut events = Self {
            strikes: VecDeque::new(),
            known: Vec::new(),
            emitted: Vec::new(),
            contacts: VecDeque::new(),
            slots: Vec::new(),
        };
        let always = [f64::NEG_INFINITY; 2];
        events.replace(&scene.strikes, &scene.scrapes, scene.seconds, always, &[]);
        events
    }

    /// Replaces the events from a time on; new strikes from now on, although earlier ones were emitted up
    /// to that time. What was emitted on objects that are `gone` does not sound. Returns the contacts of
    /// scrapes that are no longer there.
    pub(crate) fn replace(
        &mut self,
        strikes: &[Strike],
        scrapes: &[Scrape],
        seconds: f64,
        [now_s, from_s]: [f64; 2],
        gone: &[usize],
    ) -> Vec<u64> {
        let still_due: Vec<usize> = self.strikes.iter().map(|(_, number)| *number).collect();
        let was_emitted = self.known.iter().enumerate();
        let was_emitted = was_emitted.filter(|(i, _)| !still_due.contains(i)).map(|known| known.1);
        let is_early = |strike: &&Strike| {
            now_s <= strike.at_s && strike.at_s < from_s && !gone.contains(&strike.object)
        };
        let early = was_emitted.chain(&self.emitted).filter(is_early);
        let mut emitted: Vec<Strike> = early.cloned().collect();
        // Each strike that was emitted stands for one of the new ones.
        let mut is_due = |strike: &Strike| {
            let place = emitted.iter().position(|emitted| emitted == strike);
            place.map(|place| emitted.swap_remove(place));
            strike.at_s >= from_s || (strike.at_s >= now_s && place.is_none())
        };
        let due = strikes.iter().enumerate().filter(|(_, strike)| is_due(strike));
        let mut due: Vec<(f64, usize)> = due.map(|(i, strike)| (strike.at_s, i)).collect();
        self.known = strikes.to_vec();
        self.emitted = emitted;
        due.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.strikes = due.into();
        let mut new: Vec<&Scrape> = scrapes.iter().collect();
        let mut ended = Vec::new();
        for (slot, number) in self.slots.iter_mut().zip(FIRST_CONTACT..) {
            let Some(scrape) = slot else { continue };
            match new.iter().position(|new| *new == scrape) {
                Some(known) => drop(new.remove(known)),
                None => {
                    *slot = None;
                    ended.push(number);
                }
            }
        }
        for scrape in new {
            match self.slots.iter_mut().find(|slot| slot.is_none()) {
                Some(free) => *free = Some(scrape.clone()),
                None => self.slots.push(Some(scrape.clone())),
            }
        }
        let used = self.slots.iter().zip(0..).filter_map(|(slot, number)| {
            let scrape = slot.as_ref()?;
            Some(scrape_contacts(scrape, number, seconds))
        });
        let mut contacts: Vec<Event> =
            used.flatten().filter(|event| event.at_s() >= from_s).collect();
        contacts.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
        self.contacts = contacts.into();
        ended
    }

    /// Makes strikes on these objects due again that were emitted before their time.
    pub(crate) fn repeat_strikes(&mut self, objects: &[usize], [now_s, emitted_s]: [f64; 2]) {
        let is_early = |strike: &Strike| now_s <= strike.at_s && strike.at_s < emitted_s;
        for (i, strike) in self.known.iter().enumerate() {
            let event = (strike.at_s, i);
            // One that an edit added late may still be due.
            if is_early(strike)
                && objects.contains(&strike.object)
                && !self.strikes.contains(&event)
            {
                let place = self.strikes.partition_point(|due| due.0 <= strike.at_s);
                self.strikes.insert(place, event);
            }
        }
    }

    /// Returns the scrapes by the numbers of their tips; any one in place of those that were removed.
    pub(crate) fn scrapes(&self) -> Vec<Scrape> {
        let any = self.slots.iter().flatten().next();
        self.slots.iter().filter_map(|slot| slot.as_ref().or(any)).cloned().collect()
    }

    /// Emits and removes the events before a time.
    pub(crate) fn drain_before(&mut self, time_s: f64, each: &mut dyn FnMut(SceneEvent)) {
        loop {
            let strike = self.strikes.front().filter(|strike| strike.0 < time_s);
            let contact = self.contacts.front().filter(|contact| contact.at_s() < time_s);
            let strike = strike.filter(|strike| contact.is_none_or(|t| strike.0 <= t.at_s()));
            match (strike, contact) {
                (Some(&(_, number)), _) => {
                    self.strikes.pop_front();
                    each(SceneEvent::Strike(number));
                }
                (None, Some(&contact)) => {
                    self.contacts.pop_front();
                    each(SceneEvent::Physics(contact));
                }
                (None, None) => return,
            }
        }
    }
}

/// Returns the contact events of a scrape.
fn scrape_contacts(scrape: &Scrape, number: u32, seconds: f64) -> Vec<Event> {
    let path = Polyline::new(&scrape.along);
    let end_s = scrape.seconds.map_or(seconds, |s| (scrape.at_s + s).min(seconds));
    let steps = ((end_s - scrape.at_s).max(0.0) * RATE_HZ).ceil() as usize;
    let mut events = Vec::with_capacity(steps + 1);
    let mut travelled_m = 0.0;
    for step in 0..=steps {
        let at_s = scrape.at_s + step as f64 / RATE_HZ;
        let speed_m_s = scrape.speed_m_s.at(at_s - scrape.at_s).max(0.0);
        let over = step == steps || (!scrape.back_and_forth && travelled_m >= path.length_m());
        let place = path.at(travelled_m, scrape.back_and_forth);
        events.push(Event::SustainedContact(SustainedContact {
            at_s,
            contact: FIRST_CONTACT + u64::from(number),
            bodies: [LAST_SCRIPTED_BODY - number % SCRIPTED_BODIES, scrape.object as u32],
            places: [[0.0; 3], place],
            // Zero: along the surface's own normal.
            normal: [0.0; 3],
            force_n: scrape.force_n.at(at_s - scrape.at_s).max(0.0),
            slip_m_s: if over { 0.0 } else { speed_m_s },
            roll_m_s: 0.0,
            over,
        }));
        if over {
            break;
        }
        travelled_m += speed_m_s / RATE_HZ;
    }
    events
}

/// A path of straight segments.
struct Polyline<'a> {
    points: &'a [[f64; 3]],
    lengths: Vec<f64>,
}

impl<'a> Polyline<'a> {
    fn new(points: &'a [[f64; 3]]) -> Self {
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            let step = DVec3::from(pair[0]).distance(pair[1].into());
            lengths.push(lengths[lengths.len() - 1] + step);
        }
        Self { points, lengths }
    }

    fn length_m(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    fn at(&self, travelled_m: f64, back_and_forth: bool) -> [f64; 3] {
        let length = self.length_m();
        let travelled_m = match back_and_forth && length > 0.0 {
            true => length - (travelled_m.rem_euclid(2.0 * length) - length).abs(),
            false => travelled_m.min(length),
        };
        let next = self.lengths.partition_point(|l| *l < travelled_m).max(1);
        let (Some(&a), Some(&b)) = (self.points.get(next - 1), self.points.get(next)) else {
            return self.points.last().copied().unwrap_or_default();
        };
        let span = self.lengths[next] - self.lengths[next - 1];
        let share = if span > 0.0 { (travelled_m - self.lengths[next - 1]) / span } else { 0.0 };
        std::array::from_fn(|k| a[k] + share * (b[k] - a[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_runs_forth_and_back() {
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]];
        let path = Polyline::new(&points);
        assert_eq!(path.length_m(), 3.0);
        assert_eq!(path.at(2.0, false), [1.0, 1.0, 0.0]);
        assert_eq!(path.at(9.0, false), [1.0, 2.0, 0.0]);
        assert_eq!(path.at(4.0, true), [1.0, 1.0, 0.0]);
        assert_eq!(path.at(6.5, true), [0.5, 0.0, 0.0]);
    }
}
