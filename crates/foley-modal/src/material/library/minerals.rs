//! Stone, building materials, ice and cork.

use super::{Material, constant};
use foley_geometry::constants::{ICE, STONE};

pub(super) static MINERALS: [Material; 7] = [
    constant(
        "stone",
        STONE,
        4e-3,
        None,
        "granite, middle of the ranges in rock-mechanics handbooks (Jaeger, Cook & Zimmerman); loss factor: quality factor of dry granite of a few hundred",
    ),
    constant(
        "marble",
        [2700.0, 5.5e10, 0.25],
        3e-3,
        None,
        "middle of the ranges in rock-mechanics handbooks (Jaeger, Cook & Zimmerman); loss factor: quality factor of dry marble of a few hundred",
    ),
    constant(
        "concrete",
        [2400.0, 3.0e10, 0.2],
        6e-3,
        None,
        "class C20/25: Eurocode 2; loss factor: middle of 4 to 8e-3 in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "brick",
        [1900.0, 1.6e10, 0.2],
        1.5e-2,
        None,
        "Cremer, Heckl & Petersson, Structure-Borne Sound; loss factor: middle of 1 to 2e-2 there",
    ),
    constant(
        "gypsum-board",
        [760.0, 2.1e9, 0.24],
        6e-3,
        None,
        "Bies & Hansen, Engineering Noise Control; loss factor: lower end of the range there",
    ),
    constant(
        "ice",
        ICE,
        8e-3,
        None,
        "polycrystalline ice Ih at -16 C: Petrenko & Whitworth, Physics of Ice; loss factor: an estimate for clear ice not far below freezing, where it grows with temperature (Vaughan et al. 2016)",
    ),
    constant(
        "cork",
        [180.0, 2.5e7, 0.0],
        0.15,
        None,
        "Cremer, Heckl & Petersson, Structure-Borne Sound; loss factor: middle of 0.13 to 0.17 there",
    ),
];
