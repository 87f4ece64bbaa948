//! Plastics and rubber.
//!
//! Elastic constants: Ashby, *Materials Selection in Mechanical Design*, data for engineering
//! materials. Loss factors: the same book's rule for polymers, η ≈ 0.04/E with E in GPa, unless
//! measured.

use super::{Damping, LossTable, Material, constant, entry};

pub(super) static PLASTICS: [Material; 10] = [
    constant(
        "plastic",
        [1070.0, 1.4e9, 0.35],
        2e-2,
        None,
        "elastic constants: material table of KleinPAT (Wang & James 2019); loss factor: order of rigid thermoplastics in Ashby, Materials Selection in Mechanical Design",
    ),
    constant(
        "polycarbonate",
        [1190.0, 2.4e9, 0.37],
        8e-3,
        None,
        "elastic constants: material table of KleinPAT (Wang & James 2019); loss factor: lower end of the fits of strikes on a cup, 0.8 to 1.1e-2, which radiates too (recordings of DiffImpact, Clarke et al. 2021)",
    ),
    constant(
        "abs",
        [1050.0, 2.3e9, 0.39],
        1.7e-2,
        None,
        "Ashby, Materials Selection in Mechanical Design; loss factor: 0.04/E of polymers there",
    ),
    constant(
        "polypropylene",
        [905.0, 1.4e9, 0.42],
        3e-2,
        None,
        "Ashby, Materials Selection in Mechanical Design; loss factor: 0.04/E of polymers there",
    ),
    constant(
        "polyethylene",
        [950.0, 0.9e9, 0.42],
        4.5e-2,
        None,
        "of high density: Ashby, Materials Selection in Mechanical Design; loss factor: 0.04/E of polymers there",
    ),
    constant(
        "pvc",
        [1400.0, 3.0e9, 0.38],
        1.3e-2,
        None,
        "unplasticised: Ashby, Materials Selection in Mechanical Design; loss factor: 0.04/E of polymers there",
    ),
    constant(
        "pmma",
        [1190.0, 3.3e9, 0.37],
        3e-2,
        None,
        "Ashby, Materials Selection in Mechanical Design; loss factor: middle of 2 to 4e-2 in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "nylon",
        [1140.0, 2.7e9, 0.39],
        1.5e-2,
        None,
        "polyamide 6.6, dry: Ashby, Materials Selection in Mechanical Design; loss factor: 0.04/E of polymers there",
    ),
    constant(
        "polystyrene",
        [1050.0, 3.2e9, 0.35],
        1.2e-2,
        None,
        "Ashby, Materials Selection in Mechanical Design; loss factor: 0.04/E of polymers there",
    ),
    entry(
        "rubber",
        [1100.0, 1.0e7, 0.49],
        // Towards its glass transition, high above the audible range, rubber loses more.
        Damping::LossFactorTable(LossTable::of(&[[10.0, 0.1], [1000.0, 0.2], [10_000.0, 0.35]])),
        None,
        "filled vulcanised rubber of about 70 Shore A, small strain: Ashby, Materials Selection in Mechanical Design; loss factor: order of Nashif, Jones & Henderson, Vibration Damping, rising with frequency",
    ),
];
