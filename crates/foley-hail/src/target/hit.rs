//! Intersections of a trajectory with a surface and with a target.

/// The intersection of a trajectory with a surface, before its parts are looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// The time since birth.
    pub t_s: f64,
    /// The position.
    pub position_m: [f64; 3],
    /// The unit normal on the side of the stone.
    pub normal: [f64; 3],
    /// Surface coordinates in [0, 1]².
    pub uv: [f64; 2],
    /// The index of the triangle in a mesh; 0 for other surfaces.
    pub triangle: u32,
}

/// The intersection of a trajectory with a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The time since birth.
    pub t_s: f64,
    /// The position.
    pub position_m: [f64; 3],
    /// The unit normal on the side of the stone.
    pub normal: [f64; 3],
    /// Surface coordinates in [0, 1]².
    pub uv: [f64; 2],
    /// The index of the target.
    pub target: u32,
    /// The number of the part of the target.
    pub part: u32,
    /// The index of the triangle in a mesh; 0 for other surfaces.
    pub triangle: u32,
}

impl Hit {
    pub(crate) fn new(surface_hit: SurfaceHit, target: u32, part: u32) -> Self {
        let SurfaceHit { t_s, position_m, normal, uv, triangle } = surface_hit;
        Self { t_s, position_m, normal, uv, target, part, triangle }
    }
}
