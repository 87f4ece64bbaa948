//! SustainedContacts: loads that last.
//!
//! A touch begins when a patch bears a load and its bodies do not part, and lasts until it has
//! borne none for [`GRACE_S`], so that a wheel that hops from triangle to triangle is one touch.
//! Slip and roll come from velocities, which are smooth; the force comes from a solver that
//! spreads load over its points as it likes, and is smoothed over [`FORCE_SMOOTHING_S`] at any rate.

use super::manifold::{Manifold, SAME_NORMAL, mean_places};
use crate::event::SustainedContact;
use glam::DVec3;
use std::collections::BTreeMap;

/// How long a touch outlives its load, and for how many steps at least.
const GRACE_S: f64 = 0.02;
const GRACE_STEPS: f64 = 2.5;
/// Time constant of the force.
const FORCE_SMOOTHING_S: f64 = 0.015;
/// Speeds below this are rest: what solvers leave over.
const STILL_M_S: f64 = 0.002;
/// What rolls creeps by some of its speed without sliding (Carter 1926), and solvers let it creep a
/// little more.
const CREEP: f64 = 0.025;
/// A touch at rest is repeated when its force has changed by this share …
const FORCE_STEP: f64 = 0.02;
/// … or after this time.
const REPEAT_S: f64 = 0.25;

struct ActiveContact {
    touch: SustainedContact,
    /// The load of the last step, and the force made of such.
    load: f64,
    force: f64,
    normal: DVec3,
    loaded_s: f64,
    /// What was said last.
    reported: Option<SustainedContact>,
    seen: bool,
}

/// All touches that last.
#[derive(Default)]
pub(crate) struct SustainedContacts {
    live: BTreeMap<[u32; 2], Vec<ActiveContact>>,
    next: u64,
}

/// Zero below `least`, rising from there without a step, within 1 % of the truth from ten times
/// that on.
fn above(least: f64, speed: f64) -> f64 {
    if speed > least { speed * (1.0 - (least / speed).powi(2)) } else { 0.0 }
}

impl SustainedContacts {
    /// Takes note of a patch that bore `load_n` besides its blows during a step ending at `at_s`.
    pub(crate) fn load(
        &mut self,
        manifold: &Manifold,
        load_n: f64,
        at_s: f64,
        step_s: f64,
        stays: bool,
    ) {
        let lives = self.live.entry(manifold.bodies).or_default();
        let same = |live: &&mut ActiveContact| {
            !live.seen && live.normal.dot(manifold.normal) > SAME_NORMAL
        };
        let live = match lives.iter_mut().find(same) {
            Some(live) => live,
            None if !stays => {
                return;
            }
            None => {
                self.next += 1;
                lives.push(ActiveContact::new(self.next, manifold, load_n));
                let last = lives.len() - 1;
                &mut lives[last]
            }
        };
        live.update(manifold, load_n, at_s, step_s);
    }

    /// Ends the step: tells what is new. `awake` says whether a body still moves.
    pub(crate) fn report(
        &mut self,
        at_s: f64,
        step_s: f64,
        awake: impl Fn(u32) -> bool,
        mut say: impl FnMut(SustainedContact),
    ) {
        self.live.retain(|bodies, lives| {
            let asleep = !bodies.iter().any(|&body| awake(body));
            lives.retain_mut(|live| live.report(at_s, step_s, asleep, &mut say));
            !lives.is_empty()
        });
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.live.values().map(Vec::len).sum()
    }
}

impl ActiveContact {
    fn new(contact: u64, manifold: &Manifold, force: f64) -> Self {
        let touch = SustainedContact {
            at_s: 0.0,
            contact,
            bodies: manifold.bodies,
            places: [[0.0; 3]; 2],
            normal: [0.0; 3],
            force_n: 0.0,
            slip_m_s: 0.0,
            roll_m_s: 0.0,
            over: false,
        };
        Self {
            touch,
            load: force,
            force,
            normal: manifold.normal,
            loaded_s: 0.0,
            reported: None,
            seen: false,
        }
    }

    fn update(&mut self, manifold: &Manifold, load_n: f64, at_s: f64, step_s: f64) {
        let total: f64 = manifold.points.iter().map(|point| point.impulse).sum();
        let mean = |of: &dyn Fn(&super::points::Point) -> f64| {
            manifold.points.iter().map(|point| of(point) * point.impulse).sum::<f64>() / total
        };
        let places = mean_places(manifold.points.iter().map(|point| (point, point.impulse)));
        // Solvers like to press hard in every other step: the mean of two knows nothing of it.
        let pressed = 0.5 * (load_n + self.load);
        self.load = load_n;
        self.force += (pressed - self.force) * share(step_s);
        self.normal = manifold.normal;
        self.loaded_s = at_s;
        self.seen = true;
        self.touch.places = places.map(|place| place.to_array());
        self.touch.normal = manifold.normal.to_array();
        let (slip, roll) = (mean(&|point| point.slip), mean(&|point| point.roll));
        self.touch.slip_m_s = above(STILL_M_S + CREEP * roll, slip);
        self.touch.roll_m_s = above(STILL_M_S, roll);
    }

    /// Says what is new of it; whether it goes on.
    fn report(
        &mut self,
        at_s: f64,
        step_s: f64,
        asleep: bool,
        say: &mut impl FnMut(SustainedContact),
    ) -> bool {
        if !std::mem::take(&mut self.seen) {
            self.force += (0.5 * self.load - self.force) * share(step_s);
            self.load = 0.0;
        }
        self.touch.at_s = at_s;
        self.touch.force_n = self.force;
        let over = asleep || at_s - self.loaded_s > GRACE_S.max(GRACE_STEPS * step_s);
        if over {
            // What was never told need not end.
            if self.reported.is_some() {
                say(SustainedContact {
                    over,
                    force_n: 0.0,
                    slip_m_s: 0.0,
                    roll_m_s: 0.0,
                    ..self.touch
                });
            }
            return false;
        }
        if self.has_changed() {
            self.reported = Some(self.touch);
            say(self.touch);
        }
        true
    }

    fn has_changed(&self) -> bool {
        let now = &self.touch;
        let Some(reported) = &self.reported else { return true };
        let moves = |touch: &SustainedContact| touch.slip_m_s > 0.0 || touch.roll_m_s > 0.0;
        moves(now)
            || moves(reported)
            || (now.force_n - reported.force_n).abs() > FORCE_STEP * reported.force_n
            || now.at_s - reported.at_s >= REPEAT_S
    }
}

/// How much of the way to its aim a smoothed value goes in a step.
fn share(step_s: f64) -> f64 {
    -(-step_s / FORCE_SMOOTHING_S).exp_m1()
}
