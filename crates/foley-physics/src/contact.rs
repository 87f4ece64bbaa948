//! From what a physics step did at its contacts to what can be heard of it.
//!
//! A step of Rapier begins with contact points found at the poses before the step (with their gaps:
//! contacts are foreseen), and ends with one impulse for each. That impulse mixes a blow, the load
//! of the rest of the step and the rebound. Here it is taken apart:
//!
//! 1. [`points`]: contact points, with how fast they approached before the step and how they slip
//!    and roll after it ([`curvature`]).
//! 2. [`persistent`]: points that already bore a load in the step before are no blows.
//! 3. [`manifold`]: points of the same two bodies with the same normal belong together.
//! 4. [`impacts`]: points that met with speed within the step are impacts; when, and how hard.
//! 5. [`sustained`]: what is left is load: it begins, lasts and ends.

pub(crate) mod curvature;
pub(crate) mod points;
pub(crate) mod persistent;
pub(crate) mod manifold;
pub(crate) mod impacts;
pub(crate) mod sustained;
