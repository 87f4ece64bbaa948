//! Solid bodies of simple form. Their modes have no closed form: they are meshes to be
//! [baked](crate::bake).
//!
//! | text | body |
//! |---|---|
//! | `ball:16mm` | diameter |
//! | `box:60x40x20mm` | along x, y and z |
//! | `cylinder:80x30mm` | length along z × diameter |
//! | `ring:80x8mm` | diameter of the middle of the wire × diameter of the wire, about z |

mod text;

use super::{ShapeError, dimension};
use foley_geometry::mesh::Mesh;
use foley_geometry::mesh::generate::{grid_planes, revolve, ring_spacing, voxel_surface};
use std::f64::consts::{PI, TAU};

/// A solid body, centred on the origin; metres. Written as `kind:dimensions`.
///
/// ```
/// use foley_modal::shape::Solid;
/// let ring: Solid = "ring:80x8mm".parse()?;
/// assert_eq!(ring, Solid::Ring { diameter_m: 0.08, wire_m: 0.008 });
/// let full = ring.volume_m3();
/// assert!((foley_geometry::mesh::Measures::of(&ring.mesh())?.volume_m3.unwrap() / full - 1.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Solid {
    /// A sphere.
    Ball {
        /// Through its middle.
        diameter_m: f64,
    },
    /// A cuboid.
    Box {
        /// Along x, y and z.
        sides_m: [f64; 3],
    },
    /// A straight, round cylinder about z.
    Cylinder {
        /// Along z.
        length_m: f64,
        /// Across.
        diameter_m: f64,
    },
    /// A torus about z.
    Ring {
        /// Of the circle in the middle of its wire.
        diameter_m: f64,
        /// Of the wire.
        wire_m: f64,
    },
}

/// Approximate number of triangles of a mesh.
const TRIANGLES: f64 = 1600.0;
/// Largest ratio of sides; thinner bodies are bars, rods, plates and discs.
const SLENDER: f64 = 200.0;

impl Solid {
    /// The kinds, as they are written.
    pub const KINDS: [&str; 4] = ["ball", "box", "cylinder", "ring"];

    fn checked(self) -> Result<Self, ShapeError> {
        match self {
            Self::Ball { diameter_m } => {
                dimension::length("diameter of the ball", diameter_m)?;
            }
            Self::Box { sides_m: [x, y, z] } => {
                dimension::length("length of the box", x)?;
                dimension::length("width of the box", y)?;
                dimension::length("height of the box", z)?;
                let (low, high) = (x.min(y).min(z), x.max(y).max(z));
                dimension::thin(
                    "longest side of the box",
                    high,
                    "200 times its shortest",
                    SLENDER * low,
                )?;
            }
            Self::Cylinder { length_m: l, diameter_m: d } => {
                dimension::length("length of the cylinder", l)?;
                dimension::length("diameter of the cylinder", d)?;
                dimension::thin(
                    "length of the cylinder",
                    l,
                    "200 times its diameter",
                    SLENDER * d,
                )?;
                dimension::thin(
                    "diameter of the cylinder",
                    d,
                    "200 times its length",
                    SLENDER * l,
                )?;
            }
            Self::Ring { diameter_m: d, wire_m: w } => {
                dimension::length("diameter of the ring", d)?;
                dimension::length("wire of the ring", w)?;
                dimension::thin("wire of the ring", w, "0.9 times its diameter", 0.9 * d)?;
                dimension::thin("diameter of the ring", d, "200 times its wire", SLENDER * w)?;
            }
        }
        Ok(self)
    }

    /// The same body, every length times `size`.
    pub fn scaled(self, size: f64) -> Result<Self, ShapeError> {
        match self {
            Self::Ball { diameter_m: d } => Self::Ball { diameter_m: d * size },
            Self::Box { sides_m } => Self::Box { sides_m: sides_m.map(|side| side * size) },
            Self::Cylinder { length_m: l, diameter_m: d } => {
                Self::Cylinder { length_m: l * size, diameter_m: d * size }
            }
            Self::Ring { diameter_m: d, wire_m: w } => {
                Self::Ring { diameter_m: d * size, wire_m: w * size }
            }
        }
        .checked()
    }

    /// Returns its volume.
    pub fn volume_m3(self) -> f64 {
        match self {
            Self::Ball { diameter_m: d } => PI / 6.0 * d.powi(3),
            Self::Box { sides_m: [x, y, z] } => x * y * z,
            Self::Cylinder { length_m: l, diameter_m: d } => PI / 4.0 * d * d * l,
            Self::Ring { diameter_m: d, wire_m: w } => PI * d * PI / 4.0 * w * w,
        }
    }

    fn area_m2(self) -> f64 {
        match self {
            Self::Ball { diameter_m: d } => PI * d * d,
            Self::Box { sides_m: [x, y, z] } => 2.0 * (x * y + y * z + z * x),
            Self::Cylinder { length_m: l, diameter_m: d } => PI * d * (l + 0.5 * d),
            Self::Ring { diameter_m: d, wire_m: w } => PI * d * PI * w,
        }
    }

    /// Returns its closed surface, as fine as its modes need. Round surfaces are widened so that
    /// the mesh has the volume of the body.
    pub fn mesh(self) -> Mesh {
        // Equilateral triangles: area √3/4 edge².
        let edge = (self.area_m2() / TRIANGLES / 0.75_f64.sqrt() * 2.0).sqrt();
        let mut mesh = match self {
            Self::Box { sides_m } => {
                return voxel_surface(
                    &sides_m.map(|s| grid_planes(&[-0.5 * s, 0.5 * s], edge)),
                    |_| true,
                );
            }
            Self::Ball { diameter_m } => {
                let n = ((0.5 * PI * diameter_m / ring_spacing(edge)).round() as u32).max(8);
                let point = |i: u32| match i {
                    0 => [0.0, -0.5 * diameter_m],
                    i if i == n => [0.0, 0.5 * diameter_m],
                    i => {
                        let (sin, cos) = (PI * f64::from(i) / f64::from(n)).sin_cos();
                        [0.5 * diameter_m * sin, -0.5 * diameter_m * cos]
                    }
                };
                revolve(&(0..=n).map(point).collect::<Vec<_>>(), edge, false)
            }
            Self::Cylinder { length_m, diameter_m } => {
                let (r, h) = (0.5 * diameter_m, 0.5 * length_m);
                let out = grid_planes(&[0.0, r], ring_spacing(edge));
                let up = grid_planes(&[-h, h], ring_spacing(edge));
                let mut curve: Vec<[f64; 2]> = out.iter().map(|&r| [r, -h]).collect();
                curve.extend(up.iter().skip(1).map(|&z| [r, z]));
                curve.extend(out.iter().rev().skip(1).map(|&r| [r, h]));
                revolve(&curve, edge, false)
            }
            Self::Ring { diameter_m, wire_m } => {
                let n = 2 * ((PI * wire_m / edge / 2.0).round() as u32).max(5);
                let point = |i: u32| {
                    let (sin, cos) = (TAU * f64::from(i) / f64::from(n)).sin_cos();
                    [0.5 * (diameter_m + wire_m * cos), 0.5 * wire_m * sin]
                };
                revolve(&(0..n).map(point).collect::<Vec<_>>(), edge, true)
            }
        };
        self.widen(&mut mesh);
        mesh
    }

    /// Scales round surfaces to the exact volume, which flat triangles reduce.
    fn widen(self, mesh: &mut Mesh) {
        let found: f64 = (0..mesh.triangles.len())
            .map(|t| {
                let [a, b, c] = mesh.corners(t);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        let lack = self.volume_m3() / found;
        for p in &mut mesh.vertices {
            *p = match self {
                Self::Ball { .. } => p.map(|x| x * lack.cbrt()),
                Self::Cylinder { .. } => [p[0] * lack.sqrt(), p[1] * lack.sqrt(), p[2]],
                Self::Ring { diameter_m, .. } => {
                    let r = p[0].hypot(p[1]);
                    let wider = 0.5 * diameter_m + (r - 0.5 * diameter_m) * lack.sqrt();
                    [p[0] * wider / r, p[1] * wider / r, p[2] * lack.sqrt()]
                }
                Self::Box { .. } => *p,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::mesh::Measures;

    #[test]
    fn meshes_are_closed_and_enclose_what_the_body_does() {
        for text in [
            "ball:16mm",
            "ball:1m",
            "box:16x16x16mm",
            "box:1x0.01x0.01m",
            "box:1x1x0.005m",
            "cylinder:80x30mm",
            "cylinder:1x0.005m",
            "cylinder:0.005x1m",
            "ring:80x8mm",
            "ring:1x0.005m",
            "ring:10x9mm",
        ] {
            let solid: Solid = text.parse().unwrap();
            let facts = Measures::of(&solid.mesh()).unwrap();
            assert!(facts.closed && facts.pieces == 1, "{text}");
            let ratio = facts.volume_m3.unwrap() / solid.volume_m3();
            assert!((ratio - 1.0).abs() < 2e-3, "{text}: {ratio}");
            assert!((500..20_000).contains(&facts.triangles), "{text}: {}", facts.triangles);
            assert_eq!(solid.to_string().parse::<Solid>().unwrap(), solid);
        }
    }

    #[test]
    fn wrong_texts_say_what_and_show_how() {
        for (text, problem) in [
            ("ball", "not a number with a unit"),
            ("ball:1x2mm", "2 dimensions where 1 are needed"),
            ("sphere:3mm", "no kind `sphere`, only ball, box"),
            ("ring:80x8mm,colour=red", "unknown key `colour`"),
            ("box:-1x1x1mm", "length of the box is -0.001 m"),
            ("box:1x1x1000mm", "200 times its shortest"),
            ("ring:8x8mm", "wire of the ring"),
            ("ball:nanmm", "not a number"),
        ] {
            let error = text.parse::<Solid>().unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
