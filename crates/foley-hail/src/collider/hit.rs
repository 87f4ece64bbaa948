//! Where a stone strikes.

/// Where a flight meets a surface, before its parts are asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// When, since birth.
    pub t_s: f64,
    /// Where.
    pub place_m: [f64; 3],
    /// At a right angle to the surface, of length one, on the side the stone came from.
    pub normal: [f64; 3],
    /// Surface coordinates in [0, 1]².
    pub uv: [f64; 2],
    /// The triangle of a mesh; 0 for other surfaces.
    pub triangle: u32,
}

/// The place where a stone strikes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// When, since birth.
    pub t_s: f64,
    /// Where.
    pub place_m: [f64; 3],
    /// At a right angle to the surface, of length one, on the side the stone came from.
    pub normal: [f64; 3],
    /// Surface coordinates in [0, 1]².
    pub uv: [f64; 2],
    /// The collider's number.
    pub collider: u32,
    /// The number of its part.
    pub part: u32,
    /// The triangle of a mesh; 0 for other surfaces.
    pub triangle: u32,
}

impl Hit {
    pub(crate) fn new(touch: Touch, collider: u32, part: u32) -> Self {
        let Touch { t_s, place_m, normal, uv, triangle } = touch;
        Self { t_s, place_m, normal, uv, collider, part, triangle }
    }
}
