//! Decays of objects against recordings and published loss factors.

use crate::Target;
use crate::target::between;

const RECORDINGS: &str = "recordings (EARS)";
const WHY: &str = "the recordings are not part of the project";

/// The ratio that a factor of one and a half allows either way.
const fn ratio(id: &'static str, what: &'static str) -> Target {
    between(id, what, 0.67, 1.5, "")
}

pub(super) const TARGETS: &[Target] = &[
    ratio(
        "decays.ceramic",
        "strongest ten modes of each recorded strike on a ceramic mug: decay over that of a like object that rests on a table, median",
    )
    .reported(WHY)
    .needs(RECORDINGS),
    ratio("decays.polycarbonate", "the same of a polycarbonate cup").reported(WHY).needs(RECORDINGS),
    ratio("decays.steel", "the same of a steel bowl").reported(WHY).needs(RECORDINGS),
    ratio("decays.wood", "the same of a wooden holder").reported(WHY).needs(RECORDINGS),
    ratio(
        "decays.glass",
        "loss factor of a pane of 4 mm without radiation, over the geometric mean of 0.6 and 2e-3 (Cremer, Heckl & Petersson, from which the library takes it), median of its modes",
    ),
    ratio(
        "decays.cast_iron",
        "loss factor of a bar of grey cast iron without radiation, over the geometric mean of 0.64 and 3.2e-3 of fine flakes (Walton & Opar), median of its modes",
    ),
];
