//! Built-in meshes, generated in metres, upright along z.
//!
//! Thin objects are the middle surface of their wall; those named `…-closed` have an inside and an
//! outside surface, each half a thickness from the same middle surface.

mod profile;
mod revolve;
mod voxels;
mod revolved;
mod solids;
mod mug;

use super::{Mesh, MeshError};
use std::str::FromStr;

/// Generators of meshes: surfaces of revolution and voxel solids.
pub mod generate {
    pub use super::revolve::{revolve, ring_spacing};
    pub use super::voxels::{grid_planes, voxel_surface};
}

/// Resolution of a built-in mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Density {
    /// Edges twice as long as in `Medium`: a quarter of the triangles.
    Coarse,
    /// A few thousand triangles.
    #[default]
    Medium,
    /// Edges half as long: four times the triangles.
    Fine,
}

impl Density {
    /// Every resolution by its name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("coarse", Self::Coarse), ("medium", Self::Medium), ("fine", Self::Fine)];
}

impl FromStr for Density {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim().to_ascii_lowercase();
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|found| found.1).ok_or_else(|| "choose coarse, medium or fine".into())
    }
}

/// A built-in mesh: name, description and generator.
#[derive(Debug)]
pub struct Builtin {
    /// Name.
    pub name: &'static str,
    /// Description with dimensions.
    pub about: &'static str,
    /// Wall thickness of the object; `None` for solids.
    pub thickness_m: Option<f64>,
    /// Whether the mesh bounds a solid; otherwise it is a midsurface.
    pub closed: bool,
    /// Approximate edge length at medium density.
    pub edge_m: f64,
    make: fn(edge: f64) -> Mesh,
}

impl Builtin {
    /// Generates the mesh.
    pub fn mesh(&self, density: Density) -> Mesh {
        (self.make)(match density {
            Density::Coarse => 2.0 * self.edge_m,
            Density::Medium => self.edge_m,
            Density::Fine => 0.5 * self.edge_m,
        })
    }
}

const fn shell(
    name: &'static str,
    thickness_m: f64,
    edge_m: f64,
    make: fn(f64) -> Mesh,
    about: &'static str,
) -> Builtin {
    Builtin { name, about, thickness_m: Some(thickness_m), closed: false, edge_m, make }
}

const fn solid(
    name: &'static str,
    thickness_m: Option<f64>,
    edge_m: f64,
    make: fn(f64) -> Mesh,
    about: &'static str,
) -> Builtin {
    Builtin { name, about, thickness_m, closed: true, edge_m, make }
}

/// All built-in meshes.
pub static BUILTINS: &[Builtin] = &[
    shell(
        "bell",
        revolved::BELL,
        5e-3,
        revolved::bell,
        "bell, mouth 160 mm, 135 mm tall, wall 4 mm",
    ),
    solid("bell-closed", Some(revolved::BELL), 5e-3, revolved::bell_closed, "bell, both sides"),
    shell("wok", 1.5e-3, 8e-3, revolved::wok, "spherical wok, 340 mm wide, 95 mm deep, 1.5 mm"),
    shell(
        "bowl",
        revolved::BOWL,
        4e-3,
        revolved::bowl,
        "round bowl, 144 mm wide, 65 mm deep, 3 mm",
    ),
    solid("bowl-closed", Some(revolved::BOWL), 4e-3, revolved::bowl_closed, "bowl, both sides"),
    shell(
        "wine-glass",
        1.2e-3,
        3.5e-3,
        revolved::wine_glass,
        "wine glass, 190 mm tall, bowl 84 mm wide, stem a tube, 1.2 mm",
    ),
    solid(
        "marimba-bar",
        None,
        5e-3,
        solids::marimba_bar,
        "bar 360 x 50 x 22 mm with an arch cut from below, 6.3 mm left in the middle",
    ),
    shell(
        "garbage-can",
        0.8e-3,
        0.018,
        revolved::garbage_can,
        "tapered can, 460 mm wide, 600 mm tall, three beads, 0.8 mm",
    ),
    shell("plate", 2e-3, 6e-3, solids::plate, "flat sheet 300 x 200 mm, 2 mm"),
    solid("ring", None, 2.2e-3, solids::ring, "ring of 80 mm, of round wire of 8 mm"),
    shell("cylinder", 2e-3, 5e-3, revolved::cylinder, "open tube, 100 mm wide, 200 mm long, 2 mm"),
    solid(
        "table",
        None,
        0.03,
        solids::table,
        "table 1.2 x 0.7 m, 0.75 m high, top of 30 mm, square legs of 60 mm",
    ),
    solid("die", None, 1e-3, solids::die, "die of 16 mm, edges rounded by 2 mm"),
    shell(
        "mug",
        mug::WALL,
        3.5e-3,
        mug::open,
        "mug, 84 mm wide, 95 mm tall, wall 4 mm, handle a tube of 12 mm",
    ),
    solid("mug-closed", Some(mug::WALL), 3.5e-3, mug::closed, "mug, both sides, handle solid"),
];

/// Finds a built-in mesh by name, ignoring case and treating spaces, hyphens and underscores
/// alike.
pub fn builtin_info(name: &str) -> Result<&'static Builtin, MeshError> {
    let wanted = name.trim().to_lowercase().replace([' ', '_'], "-");
    BUILTINS.iter().find(|b| b.name == wanted).ok_or_else(|| {
        let likeness = |b: &&Builtin| (strsim::jaro_winkler(b.name, &wanted) * 1e6) as u64;
        MeshError::UnknownBuiltin {
            name: name.chars().take(80).collect(),
            closest: BUILTINS.iter().max_by_key(likeness).map_or("bell", |b| b.name),
            known: BUILTINS.iter().map(|b| b.name).collect::<Vec<_>>().join(", "),
        }
    })
}

/// Generates a built-in mesh.
///
/// ```
/// use foley_geometry::mesh::{self, Density};
/// let bar = mesh::builtin("marimba bar", Density::Coarse)?;
/// assert!(mesh::Measures::of(&bar)?.closed);
/// let error = mesh::builtin("bel", Density::Coarse).unwrap_err();
/// assert!(error.to_string().contains("did you mean `bell`?"));
/// # Ok::<(), mesh::MeshError>(())
/// ```
pub fn builtin(name: &str, density: Density) -> Result<Mesh, MeshError> {
    Ok(builtin_info(name)?.mesh(density))
}
