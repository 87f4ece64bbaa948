//! Bodies that several tests bake.
#![allow(dead_code, unreachable_pub)]

use foley_geometry::mesh::{self, Density, Mesh};
use foley_modal::Material;
use foley_modal::bake::{self, BakeError, Baked, Method, Options, Progress};

/// A body, how it is baked, and up to which frequency.
pub struct Body {
    pub name: &'static str,
    pub mesh: Mesh,
    pub method: Method,
    pub max_hz: f64,
}

/// One body for each method, and one that is small enough for the dense solver.
pub fn bodies() -> [Body; 4] {
    let glass = || mesh::builtin("wine glass", Density::Coarse).unwrap();
    [
        Body { name: "plate", mesh: plate(), method: Method::Shell, max_hz: 600.0 },
        Body { name: "glass", mesh: glass(), method: Method::Shell, max_hz: 8e3 },
        Body { name: "springs", mesh: glass(), method: Method::SpringMass, max_hz: 8e3 },
        Body { name: "block", mesh: block(), method: Method::Solid, max_hz: 2e4 },
    ]
}

impl Body {
    pub fn bake<'a>(&self, progress: Option<&'a mut Progress<'a>>) -> Result<Baked, BakeError> {
        let thickness_m = (self.method != Method::Solid).then_some(1.2e-3);
        let (method, max_hz) = (self.method, self.max_hz);
        let mut options = Options::default()
            .with_method(method)
            .with_thickness_m(thickness_m)
            .with_max_hz(max_hz)
            .with_max_modes(100);
        options.progress = progress;
        bake::bake(&self.mesh, self.name, Material::named("glass").unwrap(), options)
    }
}

/// A plate of 100 × 80 mm with 10 × 10 vertices.
fn plate() -> Mesh {
    let vertex = |n: u32| [0.1 * f64::from(n % 10) / 9.0, 0.08 * f64::from(n / 10) / 9.0, 0.0];
    let cells = (0..9).flat_map(|y| (0..9).map(move |x| 10 * y + x));
    let triangles = cells.flat_map(|n| [[n, n + 1, n + 11], [n, n + 11, n + 10]]);
    Mesh::new((0..100).map(vertex).collect(), triangles.collect())
}

/// A block of 320 × 220 × 140 mm.
fn block() -> Mesh {
    let corner = |n: u32| {
        let at = |bit: u32, size: f64| if n >> bit & 1 == 1 { size } else { 0.0 };
        [at(0, 0.32), at(1, 0.22), at(2, 0.14)]
    };
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Mesh::new((0..8).map(corner).collect(), triangles.collect())
}
