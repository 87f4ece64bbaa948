//! The shapes of colliders.

/// A surface. Stones strike it from either side.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Flat, with four corners in order around it; convex.
    ///
    /// u runs from the first corner to the second, v from the first to the fourth.
    Quad {
        /// The corners.
        corners_m: [[f64; 3]; 4],
    },
    /// Flat and round: an ellipse.
    ///
    /// u and v run along the two axes; the ellipse touches all sides of [0, 1]².
    Disc {
        /// Its middle.
        centre_m: [f64; 3],
        /// From the middle to the rim, along one axis.
        axis_u_m: [f64; 3],
        /// The same along the other, at a right angle.
        axis_v_m: [f64; 3],
    },
}
