//! Metals, rolled, drawn and cast.
//!
//! Elastic constants: Kaye & Laby, *Tables of Physical and Chemical Constants*, unless said otherwise.
//! Thermal constants at 20 °C: *CRC Handbook of Chemistry and Physics* (elements), *ASM Metals
//! Handbook* (alloys). Loss factors of bending: Cremer, Heckl & Petersson, *Structure-Borne Sound*,
//! table of metals: aluminium 1e-4, zinc 3e-4, iron and steel 2 to 6e-4, brass below 1e-3, copper
//! 2e-3, tin 2e-3, silver below 3e-3, lead 2e-2. Where it gives a range, its lower end: the rest
//! belongs to heat flow, air and supports, which are added.

use super::{Material, constant, thermal};
use foley_geometry::constants::STEEL;

pub(super) static METALS: [Material; 15] = [
    constant(
        "steel",
        STEEL,
        2e-4,
        thermal([11.8, 480.0, 50.0]),
        "elastic constants: material table of KleinPAT (Wang & James 2019); thermal constants: carbon steel, ASM Metals Handbook; loss factor: lower end of 2 to 6e-4 in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "stainless-steel",
        [7930.0, 1.96e11, 0.29],
        2e-4,
        thermal([17.2, 500.0, 16.2]),
        "austenitic steel 304: ASM Metals Handbook; loss factor: lower end of 2 to 6e-4 for iron and steel in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "iron",
        [8000.0, 2.1e11, 0.28],
        4e-4,
        thermal([11.8, 449.0, 80.0]),
        "elastic constants: material table of KleinPAT (Wang & James 2019); thermal constants: CRC Handbook; loss factor: middle of 2 to 6e-4 in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "cast-iron",
        [7150.0, 1.1e11, 0.26],
        1.2e-3,
        thermal([10.8, 460.0, 50.0]),
        "pearlitic grey iron of class 30: ASM Metals Handbook; loss factor: struck castings, the low-strain end of cast irons in Ashby, Materials Selection in Mechanical Design, and in Adams 1972 (coarse flakes and large strains lose ten times as much)",
    ),
    constant(
        "ductile-iron",
        [7100.0, 1.69e11, 0.275],
        1e-3,
        thermal([11.2, 460.0, 36.0]),
        "grade 60-40-18: ASM Metals Handbook; loss factor: low-strain end of cast irons in Ashby, Materials Selection in Mechanical Design; graphite in spheres loses less than in flakes (Adams 1972)",
    ),
    constant(
        "aluminium",
        [2700.0, 7.03e10, 0.345],
        1e-4,
        thermal([23.1, 897.0, 237.0]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "copper",
        [8930.0, 1.298e11, 0.343],
        2e-3,
        thermal([16.5, 385.0, 401.0]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: polycrystalline, Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "brass",
        [8500.0, 1.006e11, 0.35],
        5e-4,
        thermal([19.9, 375.0, 120.0]),
        "70/30 brass: Kaye & Laby; thermal constants: ASM Metals Handbook; loss factor: half the upper bound in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "bronze",
        [8600.0, 9.9e10, 0.35],
        3e-4,
        thermal([18.0, 360.0, 50.0]),
        "bell metal of about 80 % copper and 20 % tin, sound speed near 3400 m/s: Fletcher & Rossing, The Physics of Musical Instruments; thermal constants: ASM Metals Handbook; loss factor: an estimate from the ring of bells of many seconds, part of which is radiation",
    ),
    constant(
        "tin",
        [7290.0, 4.99e10, 0.357],
        2e-3,
        thermal([22.0, 227.0, 66.8]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "zinc",
        [7140.0, 1.084e11, 0.249],
        3e-4,
        thermal([30.2, 388.0, 116.0]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "lead",
        [11_340.0, 1.61e10, 0.44],
        2e-2,
        thermal([28.9, 128.0, 35.3]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: pure lead, Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "silver",
        [10_490.0, 8.27e10, 0.367],
        1.5e-3,
        thermal([18.9, 235.0, 429.0]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: half the upper bound in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    constant(
        "titanium",
        [4506.0, 1.157e11, 0.321],
        5e-4,
        thermal([8.6, 523.0, 21.9]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: order of titanium alloys in Ashby, Materials Selection in Mechanical Design",
    ),
    constant(
        "magnesium",
        [1738.0, 4.47e10, 0.291],
        1e-4,
        thermal([24.8, 1023.0, 156.0]),
        "Kaye & Laby; thermal constants: CRC Handbook; loss factor: Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
];
