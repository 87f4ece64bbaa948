//! Checked source: the only way in which the tracker reads a simulation.
//!
//! A simulation that diverges, or has a mistake, returns infinities and NaN. They are left out here,
//! so that the analysis has only finite numbers: a body or contact point with an invalid value is
//! treated as missing, an invalid step as one without a length, invalid gravity as none.

use super::source::{
    BodyId, BodyState, ContactSide, ContactSource, Mobility, SolverContact, StepLength,
};

/// Largest magnitude of a valid value: products of up to five of them are finite. Above all finite
/// values of Rapier, which calculates in single precision.
const LARGEST: f64 = 1e60;

/// Returns whether all values are finite and not absurdly large.
pub(crate) fn all_valid<'a>(values: impl IntoIterator<Item = &'a f64>) -> bool {
    // Comparisons with NaN are false.
    values.into_iter().all(|value| value.abs() <= LARGEST)
}

/// A source without its invalid values.
pub(crate) struct CheckedSource<'a, S>(pub(crate) &'a S);

impl<S: ContactSource> ContactSource for CheckedSource<'_, S> {
    fn step_length(&self) -> StepLength {
        let span = self.0.step_length();
        let is_valid = all_valid(&[span.step_s, span.substep_s]) && span.substep_s >= 0.0;
        if is_valid { span } else { StepLength { step_s: 0.0, substep_s: 0.0 } }
    }

    fn gravity(&self) -> [f64; 3] {
        let gravity = self.0.gravity();
        if all_valid(&gravity) { gravity } else { [0.0; 3] }
    }

    fn bodies(&self, visit: &mut dyn FnMut(BodyId, BodyState)) {
        self.0.bodies(&mut |body, state| {
            if body_is_valid(&state) {
                visit(body, state);
            }
        });
    }

    fn body(&self, body: BodyId) -> Option<BodyState> {
        self.0.body(body).filter(body_is_valid)
    }

    fn contacts(&self, needed: &dyn Fn([BodyId; 2]) -> bool, visit: &mut dyn FnMut(SolverContact)) {
        self.0.contacts(needed, &mut |contact| {
            if contact_is_valid(&contact) {
                visit(contact);
            }
        });
    }
}

fn body_is_valid(state: &BodyState) -> bool {
    // Other bodies have no energy to account for; some solvers give them an infinite mass.
    let is_dynamic = state.mobility == Mobility::Dynamic;
    all_valid(&state.pose.position_m)
        && all_valid(&state.pose.rotation)
        && all_valid(&state.centre_m)
        && all_valid(&state.velocity_m_s)
        && all_valid(&state.leapfrog_m_s)
        && all_valid(&state.spin_rad_s)
        && all_valid(&state.fall_m_s2)
        && (!is_dynamic || all_valid(&[state.mass_kg, state.rotational_energy_j]))
}

fn contact_is_valid(contact: &SolverContact) -> bool {
    let side_is_valid = |side: &ContactSide| {
        let surface = &side.surface;
        // An infinite reach is an unknown one.
        all_valid(&side.place_m)
            && all_valid(&surface.pose.position_m)
            && all_valid(&surface.pose.rotation)
            && surface.reach_m >= 0.0
    };
    contact.sides.iter().all(side_is_valid)
        && all_valid(&contact.normal)
        && all_valid(&[contact.impulse_ns, contact.restitution])
}
