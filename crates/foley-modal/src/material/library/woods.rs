//! Woods along the grain at 12 % moisture, taken as isotropic, and boards.
//!
//! Elastic constants: *Wood Handbook*, USDA Forest Products Laboratory; densities from its specific
//! gravities with 12 % moisture. Loss factors: Cremer, Heckl & Petersson, *Structure-Borne Sound* (oak
//! 1e-2, fir 8e-3, plywood 1.3e-2, chipboard 1 to 3e-2); Wegst, "Wood for sound", *Am. J. Botany* 93
//! (2006). Across the grain and in shear wood loses two to three times as much.

use super::{Material, constant};

pub(super) static WOODS: [Material; 10] = [
    constant(
        "wood",
        [750.0, 1.1e10, 0.25],
        1.5e-2,
        None,
        "elastic constants: material table of KleinPAT (Wang & James 2019); loss factor: fits of strikes, 1 to 2e-2 (recordings of DiffImpact, Clarke et al. 2021): between the losses along and across the grain",
    ),
    constant(
        "hardwood",
        [700.0, 1.25e10, 0.35],
        1e-2,
        None,
        "northern red oak: Wood Handbook; loss factor: oak in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "softwood",
        [430.0, 1.08e10, 0.37],
        8e-3,
        None,
        "Sitka spruce: Wood Handbook; loss factor: fir in Cremer, Heckl & Petersson, Structure-Borne Sound, and spruce in Wegst 2006",
    ),
    constant(
        "maple",
        [705.0, 1.26e10, 0.42],
        1.1e-2,
        None,
        "sugar maple: Wood Handbook; loss factor: Wegst 2006",
    ),
    constant(
        "beech",
        [715.0, 1.19e10, 0.35],
        1e-2,
        None,
        "American beech: Wood Handbook; loss factor: hardwoods of middle density in Wegst 2006",
    ),
    constant(
        "pine",
        [450.0, 9.3e9, 0.34],
        1e-2,
        None,
        "lodgepole pine: Wood Handbook; loss factor: softwoods in Wegst 2006",
    ),
    constant(
        "rosewood",
        [900.0, 1.3e10, 0.35],
        5e-3,
        None,
        "Brazilian rosewood: Wood Handbook; loss factor: woods of xylophone bars in Wegst 2006",
    ),
    constant(
        "plywood",
        [680.0, 8.5e9, 0.3],
        1.3e-2,
        None,
        "birch plywood, mean of both directions: Handbook of Finnish Plywood; loss factor: Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "mdf",
        [750.0, 3.2e9, 0.25],
        2e-2,
        None,
        "medium-density fibreboard: Wood Handbook, and Guan et al. 2016; loss factor: chipboard in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "particle-board",
        [680.0, 2.8e9, 0.25],
        2e-2,
        None,
        "Wood Handbook, and Guan et al. 2016; loss factor: middle of 1 to 3e-2 for chipboard in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
];
