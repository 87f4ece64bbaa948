//! The built-in library of materials.

use super::{Damping, Material, MaterialError};
use Damping::{LossFactor, Rayleigh};
use foley_geometry::constants::{GLASS, ICE, STEEL, STONE};
use std::borrow::Cow::Borrowed;

const KLEINPAT: &str = "material table of KleinPAT (Wang & James, SIGGRAPH 2019)";

const fn rayleigh(
    name: &'static str,
    [density, young_pa, poisson]: [f64; 3],
    [alpha, beta]: [f64; 2],
) -> Material {
    let damping = Rayleigh { alpha, beta };
    Material {
        name: Borrowed(name),
        density,
        young_pa,
        poisson,
        damping,
        source: Borrowed(KLEINPAT),
    }
}

const fn lossy(
    name: &'static str,
    [density, young_pa, poisson]: [f64; 3],
    tan_phi: f64,
    source: &'static str,
) -> Material {
    let damping = LossFactor(tan_phi);
    Material { name: Borrowed(name), density, young_pa, poisson, damping, source: Borrowed(source) }
}

/// Every material that [`Material::named`] finds.
///
/// Loss factors of bulk samples are lower still than those given for metals: a
/// body that is held and moves air loses more than its material alone.
pub static LIBRARY: [Material; 19] = [
    rayleigh("ceramic", [2700.0, 7.2e10, 0.19], [6.0, 1e-7]),
    rayleigh("glass", GLASS, [1.0, 1e-7]),
    rayleigh("wood", [750.0, 1.1e10, 0.25], [60.0, 2e-6]),
    rayleigh("plastic", [1070.0, 1.4e9, 0.35], [30.0, 1e-6]),
    rayleigh("iron", [8000.0, 2.1e11, 0.28], [5.0, 1e-7]),
    rayleigh("polycarbonate", [1190.0, 2.4e9, 0.37], [0.5, 4e-7]),
    rayleigh("steel", STEEL, [5.0, 3e-8]),
    lossy(
        "aluminium",
        [2700.0, 7.03e10, 0.345],
        3e-4,
        "elastic constants: Kaye & Laby, Tables of Physical and Chemical Constants; loss factor: order of Cremer, Heckl & Petersson, Structure-Borne Sound, raised for supports and air",
    ),
    lossy(
        "copper",
        [8930.0, 1.298e11, 0.343],
        2e-3,
        "elastic constants: Kaye & Laby, Tables of Physical and Chemical Constants; loss factor: order of Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    lossy(
        "brass",
        [8500.0, 1.006e11, 0.35],
        8e-4,
        "70/30 brass: Kaye & Laby, Tables of Physical and Chemical Constants; loss factor: order of Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    lossy(
        "bronze",
        [8600.0, 9.9e10, 0.35],
        4e-4,
        "bell metal of about 80 % copper and 20 % tin, sound speed near 3400 m/s: Fletcher & Rossing, The Physics of Musical Instruments; loss factor from the ring of bells of some seconds",
    ),
    lossy(
        "tin",
        [7290.0, 4.99e10, 0.357],
        2e-3,
        "elastic constants: Kaye & Laby, Tables of Physical and Chemical Constants; loss factor: order of Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    lossy(
        "stone",
        STONE,
        4e-3,
        "granite, middle of the ranges in rock-mechanics handbooks (Jaeger, Cook & Zimmerman); loss factor: quality factor of dry granite of a few hundred",
    ),
    lossy(
        "concrete",
        [2400.0, 3.0e10, 0.2],
        6e-3,
        "class C20/25: Eurocode 2; loss factor: middle of the range in Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    lossy(
        "ice",
        ICE,
        8e-3,
        "polycrystalline ice Ih at -16 C: Petrenko & Whitworth, Physics of Ice; loss factor: an estimate for clear ice not far below freezing",
    ),
    lossy(
        "bone-china",
        [2600.0, 9.6e10, 0.23],
        1.5e-3,
        "fired bone china, middle of the ranges in whiteware handbooks; loss factor: an estimate between glass and stoneware",
    ),
    lossy(
        "softwood",
        [430.0, 1.08e10, 0.37],
        8e-3,
        "Sitka spruce along the grain at 12 % moisture: Wood Handbook, USDA Forest Products Laboratory; loss factor: order of Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    lossy(
        "hardwood",
        [700.0, 1.25e10, 0.35],
        1e-2,
        "northern red oak along the grain at 12 % moisture: Wood Handbook, USDA Forest Products Laboratory; loss factor: order of Cremer, Heckl & Petersson, Structure-Borne Sound",
    ),
    lossy(
        "rubber",
        [1100.0, 1.0e7, 0.49],
        0.15,
        "filled vulcanised rubber of about 70 Shore A, small strain: Ashby, Materials Selection in Mechanical Design; loss factor: order of Nashif, Jones & Henderson, Vibration Damping",
    ),
];

/// Synonyms.
const ALIASES: [(&str, &str); 12] = [
    ("aluminum", "aluminium"),
    ("alu", "aluminium"),
    ("bonechina", "bone-china"),
    ("china", "bone-china"),
    ("porcelain", "ceramic"),
    ("bell-metal", "bronze"),
    ("granite", "stone"),
    ("spruce", "softwood"),
    ("oak", "hardwood"),
    ("cast-iron", "iron"),
    ("pc", "polycarbonate"),
    ("pewter", "tin"),
];

/// Returns the names in the library, in its order.
pub fn names() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|m| &*m.name)
}

pub(super) fn find(name: &str) -> Result<&'static Material, MaterialError> {
    let key = name.trim().to_lowercase().replace([' ', '_'], "-");
    let named = |key: &str| LIBRARY.iter().find(|m| m.name == key);
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == key).and_then(|(_, n)| named(n));
    named(&key).or_else(alias).ok_or_else(|| MaterialError::Unknown {
        name: name.chars().take(60).collect(),
        closest: closest(&key),
        known: names().collect::<Vec<_>>().join(", "),
    })
}

/// Returns the library name of the word most similar to `key`.
fn closest(key: &str) -> &'static str {
    let key: String = key.chars().take(60).collect();
    let words = names().map(|n| (n, n)).chain(ALIASES);
    let likeness = |word: &str| strsim::jaro_winkler(word, &key);
    words.max_by(|a, b| likeness(a.0).total_cmp(&likeness(b.0))).map_or("steel", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_sound() {
        for material in &LIBRARY {
            material.check().unwrap();
            assert!(!material.source.is_empty());
            assert!(std::ptr::eq(Material::named(&material.name).unwrap(), material));
        }
        for (alias, name) in ALIASES {
            assert_eq!(Material::named(alias).unwrap().name, name);
        }
    }

    #[test]
    fn names_forgive_case_and_separators() {
        for name in ["Bone China", "bone_china", " BONE-CHINA "] {
            assert_eq!(Material::named(name).unwrap().name, "bone-china");
        }
    }

    #[test]
    fn a_misspelt_name_suggests_the_closest() {
        for (wrong, right) in [
            ("stell", "steel"),
            ("cooper", "copper"),
            ("alluminum", "aluminium"),
            ("polycarb", "polycarbonate"),
            ("glas", "glass"),
        ] {
            match Material::named(wrong).unwrap_err() {
                MaterialError::Unknown { name, closest, known } => {
                    assert_eq!((&*name, closest), (wrong, right));
                    assert!(names().all(|n| known.contains(n)));
                }
                other => panic!("{other}"),
            }
        }
    }

    #[test]
    fn impossible_materials_are_named() {
        let glass = Material::named("glass").unwrap();
        let broken = |change: fn(&mut Material)| {
            let mut m = glass.clone();
            change(&mut m);
            m.check().unwrap_err().to_string()
        };
        assert!(broken(|m| m.density = -1.0).contains("`glass`: density is -1"));
        assert!(broken(|m| m.young_pa = f64::INFINITY).contains("Young's modulus is inf"));
        assert!(broken(|m| m.poisson = 0.5).contains("below 0.5"));
        assert!(broken(|m| m.poisson = f64::NAN).contains("Poisson's ratio is NaN"));
        assert!(broken(|m| m.damping = LossFactor(-0.1)).contains("loss factor"));
        let heavy = |m: &mut Material| m.damping = Rayleigh { alpha: f64::NAN, beta: 0.0 };
        assert!(broken(heavy).contains("alpha"));
    }
}
