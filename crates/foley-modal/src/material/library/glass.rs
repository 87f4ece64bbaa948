//! Glass. Loss factors: Cremer, Heckl & Petersson, *Structure-Borne Sound*, give 0.6 to 2e-3. Glass with
//! fewer mobile alkali ions loses less (Day & Stevels 1974): it takes the lower end.

use super::{Material, constant, thermal};
use foley_geometry::constants::GLASS;

pub(super) static GLASSES: [Material; 4] = [
    constant(
        "glass",
        GLASS,
        1e-3,
        thermal([9.0, 720.0, 1.0]),
        "elastic constants: material table of KleinPAT (Wang & James 2019); thermal constants: EN 572-1; loss factor: middle of 0.6 to 2e-3 in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "soda-lime-glass",
        [2500.0, 7.0e10, 0.2],
        1e-3,
        thermal([9.0, 720.0, 1.0]),
        "float glass: EN 572-1; loss factor: middle of 0.6 to 2e-3 in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "crystal-glass",
        [2950.0, 6.1e10, 0.22],
        7e-4,
        thermal([9.1, 600.0, 0.8]),
        "glass of 24 % lead oxide, middle of the ranges of makers; loss factor: towards the lower end of 0.6 to 2e-3 in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "borosilicate-glass",
        [2230.0, 6.4e10, 0.2],
        6e-4,
        thermal([3.3, 830.0, 1.2]),
        "ISO 3585; loss factor: lower end of 0.6 to 2e-3 for glass in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
];
