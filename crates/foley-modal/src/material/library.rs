//! The built-in library of materials, by family.
//!
//! Loss factors are those of the material alone: radiation, supports, air and the thermoelastic loss of
//! thin walls come on top. They hold for the small strains of sound, near room temperature. Where a
//! source gives a range for bodies of all kinds, its lower end is the material.

mod glass;
mod metals;
mod minerals;
mod plastics;
mod tableware;
mod woods;

use super::{Damping, LossTable, Material, MaterialError, Thermal};
use std::borrow::Cow::Borrowed;

/// The families of materials by name.
pub static FAMILIES: [(&str, &[Material]); 6] = [
    ("metals", &metals::METALS),
    ("glass", &glass::GLASSES),
    ("tableware", &tableware::TABLEWARE),
    ("woods", &woods::WOODS),
    ("plastics", &plastics::PLASTICS),
    ("minerals", &minerals::MINERALS),
];

/// Synonyms.
const ALIASES: [(&str, &str); 36] = [
    ("aluminum", "aluminium"),
    ("alu", "aluminium"),
    ("inox", "stainless-steel"),
    ("stainless", "stainless-steel"),
    ("grey-iron", "cast-iron"),
    ("gray-iron", "cast-iron"),
    ("grey-cast-iron", "cast-iron"),
    ("gray-cast-iron", "cast-iron"),
    ("nodular-iron", "ductile-iron"),
    ("ductile-cast-iron", "ductile-iron"),
    ("bell-metal", "bronze"),
    ("bell-bronze", "bronze"),
    ("pewter", "tin"),
    ("pane", "soda-lime-glass"),
    ("window-glass", "soda-lime-glass"),
    ("float-glass", "soda-lime-glass"),
    ("crystal", "crystal-glass"),
    ("lead-crystal", "crystal-glass"),
    ("borosilicate", "borosilicate-glass"),
    ("bonechina", "bone-china"),
    ("china", "bone-china"),
    ("terracotta", "earthenware"),
    ("clay", "earthenware"),
    ("spruce", "softwood"),
    ("oak", "hardwood"),
    ("chipboard", "particle-board"),
    ("particleboard", "particle-board"),
    ("fibreboard", "mdf"),
    ("pc", "polycarbonate"),
    ("acrylic", "pmma"),
    ("plexiglas", "pmma"),
    ("pp", "polypropylene"),
    ("pe", "polyethylene"),
    ("ps", "polystyrene"),
    ("polyamide", "nylon"),
    ("granite", "stone"),
];

/// Makes an entry: density, Young's modulus and Poisson's ratio; damping; thermal constants; source.
const fn entry(
    name: &'static str,
    [density, young_pa, poisson]: [f64; 3],
    damping: Damping,
    thermal: Option<Thermal>,
    source: &'static str,
) -> Material {
    let (name, source) = (Borrowed(name), Borrowed(source));
    Material { name, density, young_pa, poisson, damping, thermal, source }
}

/// Makes an entry with a constant loss factor.
const fn constant(
    name: &'static str,
    elastic: [f64; 3],
    loss_factor: f64,
    thermal: Option<Thermal>,
    source: &'static str,
) -> Material {
    entry(name, elastic, Damping::LossFactor(loss_factor), thermal, source)
}

/// Thermal constants: expansion in 1e-6/K, specific heat in J/(kg K), conductivity in W/(m K).
const fn thermal([expansion, heat, conductivity]: [f64; 3]) -> Option<Thermal> {
    Some(Thermal {
        expansion_per_k: 1e-6 * expansion,
        specific_heat_j_kg_k: heat,
        conductivity_w_m_k: conductivity,
    })
}

/// Returns every material that [`Material::named`] finds, family by family.
///
/// ```
/// use foley_modal::material::library;
/// for material in library() {
///     println!("{}: {}", material.name, material.source);
/// }
/// ```
pub fn library() -> impl Iterator<Item = &'static Material> {
    FAMILIES.iter().flat_map(|(_, family)| *family)
}

/// Returns the names in the library, in its order.
pub fn names() -> impl Iterator<Item = &'static str> {
    library().map(|m| &*m.name)
}

pub(super) fn find(name: &str) -> Result<&'static Material, MaterialError> {
    let key = name.trim().to_lowercase().replace([' ', '_'], "-");
    let named = |key: &str| library().find(|m| m.name == key);
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
    use Damping::{LossFactor, Rayleigh};

    #[test]
    fn the_library_is_sound() {
        for material in library() {
            material.check().unwrap();
            assert!(material.source.contains("loss factor"), "{}", material.name);
            assert!(std::ptr::eq(Material::named(&material.name).unwrap(), material));
            if let Damping::LossFactorTable(table) = material.damping {
                assert_eq!(LossTable::new(table.points()), Ok(table));
            }
        }
        for (alias, name) in ALIASES {
            assert_eq!(Material::named(alias).unwrap().name, name);
        }
    }

    /// Measured loss factors vary by far less than ω over the audible range; β ω of Rayleigh damping
    /// would not.
    #[test]
    fn loss_factors_are_nearly_constant() {
        for material in library() {
            let eta = |hz: f64| material.damping.decay(std::f64::consts::TAU * hz) / hz;
            let ratio = eta(10e3) / eta(100.0);
            assert!((0.2..5.0).contains(&ratio), "{}: {ratio}", material.name);
        }
    }

    #[test]
    fn metals_and_glass_have_thermal_constants() {
        for (family, materials) in FAMILIES {
            let given = materials.iter().all(|m| m.thermal.is_some());
            assert!(given || !["metals", "glass"].contains(&family), "{family}");
        }
    }

    /// Published ranges, with their sources.
    #[test]
    fn loss_factors_lie_in_the_published_ranges() {
        let cremer = "Cremer, Heckl & Petersson, Structure-Borne Sound, loss factors of bending";
        let ashby = "Ashby, Materials Selection in Mechanical Design, chart of loss coefficients";
        for (name, range, source) in [
            ("glass", [0.6e-3, 2e-3], cremer),
            ("soda-lime-glass", [0.6e-3, 2e-3], cremer),
            ("crystal-glass", [0.6e-3, 2e-3], cremer),
            ("borosilicate-glass", [0.6e-3, 2e-3], cremer),
            ("cast-iron", [1e-3, 2e-2], ashby),
            ("ductile-iron", [1e-3, 2e-2], ashby),
            ("steel", [2e-4, 6e-4], cremer),
            ("zinc", [2e-4, 4e-4], cremer),
            ("copper", [1e-3, 3e-3], cremer),
            ("tin", [1e-3, 3e-3], cremer),
            ("lead", [1e-2, 3e-2], cremer),
            ("pmma", [2e-2, 4e-2], cremer),
            ("concrete", [4e-3, 8e-3], cremer),
            ("brick", [1e-2, 2e-2], cremer),
            ("plywood", [1e-2, 2e-2], cremer),
            ("particle-board", [1e-2, 3e-2], cremer),
        ] {
            let LossFactor(eta) = Material::named(name).unwrap().damping else { panic!("{name}") };
            assert!((range[0]..=range[1]).contains(&eta), "{name}: {eta}, {source}");
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
        assert!(broken(|m| m.thermal = thermal([-1.0, 800.0, 1.0])).contains("expansion"));
        assert!(broken(|m| m.thermal = thermal([9.0, 0.0, 1.0])).contains("specific heat is 0"));
        assert!(broken(|m| m.thermal = thermal([9.0, 800.0, f64::NAN])).contains("conductivity"));
    }
}
