//! Tableware and other fired clay.
//!
//! Loss factors: strikes on a mug (recordings of DiffImpact, Clarke et al. 2021) fit 1.1 to 1.6e-3 from
//! 2 to 15 kHz, radiation and fixture included: the lower end is the material. Pores and microcracks add to it; values for porous ware are estimates.

use super::{Material, constant};

pub(super) static TABLEWARE: [Material; 5] = [
    constant(
        "ceramic",
        [2700.0, 7.2e10, 0.19],
        1.1e-3,
        None,
        "elastic constants: material table of KleinPAT (Wang & James 2019); loss factor: fit of strikes on a mug (recordings of DiffImpact, Clarke et al. 2021)",
    ),
    constant(
        "porcelain",
        [2400.0, 7.0e10, 0.22],
        1.1e-3,
        None,
        "hard porcelain, middle of the ranges in whiteware handbooks; loss factor: that of the struck mug of `ceramic`",
    ),
    constant(
        "bone-china",
        [2600.0, 9.6e10, 0.23],
        1e-3,
        None,
        "fired bone china, middle of the ranges in whiteware handbooks; loss factor: an estimate between glass and the struck mug of `ceramic`",
    ),
    constant(
        "stoneware",
        [2250.0, 5.0e10, 0.2],
        2e-3,
        None,
        "vitreous stoneware, middle of the ranges in whiteware handbooks; loss factor: an estimate between porcelain and earthenware",
    ),
    constant(
        "earthenware",
        [1900.0, 2.5e10, 0.2],
        4e-3,
        None,
        "porous fired clay, middle of the ranges in whiteware handbooks; loss factor: an estimate between stoneware and brick",
    ),
];
