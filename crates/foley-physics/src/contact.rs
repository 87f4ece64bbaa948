//! Contact analysis: splits the solver's impulses into impacts and sustained loads.
//!
//! A step of a solver such as Rapier begins with contact points at the poses before the step (with their gaps:
//! contacts are predicted) and ends with one impulse for each. That impulse contains the impact, the
//! load of the remaining step and the rebound. It is split as follows:
//!
//! [`tracker`] does this for any simulation that implements [`source`], of which it reads only valid
//! values ([`checked_source`]); [`axes`] converts what it reports.
//!
//! 1. [`points`]: contact points, with approach speed before the step and slip and roll after it
//!    ([`curvature`]), from the states of all bodies before the step ([`step_bodies`]).
//! 2. [`persistent`]: points that were loaded in the previous step are not impacts.
//! 3. [`manifold`]: points of one pair with similar normals form a manifold.
//! 4. [`impacts`]: points that met with speed within the step are impacts with a time and an
//!    impulse.
//! 5. [`energy_accounting`]: the energy that impacts lose.
//! 6. [`sustained`]: the remaining impulse is the load of a sustained contact.

pub(crate) mod source;
mod checked_source;
pub(crate) mod axes;
pub(crate) mod tracker;
mod step_clock;
mod step_bodies;
pub(crate) mod curvature;
pub(crate) mod points;
pub(crate) mod persistent;
pub(crate) mod manifold;
pub(crate) mod impacts;
pub(crate) mod energy_accounting;
pub(crate) mod sustained;
