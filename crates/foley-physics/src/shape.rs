//! The shapes of bodies, as collisions see them.

/// The shape of a body, in its own frame, in metres. Axes of symmetry lie along y.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box, by half of its edges.
    Box {
        /// Half of the edges along x, y, z.
        half_m: [f64; 3],
    },
    /// A ball.
    Ball {
        /// Its radius.
        radius_m: f64,
    },
    /// A cylinder along y.
    Cylinder {
        /// Its radius.
        radius_m: f64,
        /// Half of its height.
        half_height_m: f64,
    },
    /// A cylinder along y with half a ball at each end.
    Capsule {
        /// Its radius.
        radius_m: f64,
        /// Half of the distance between the centres of its half balls.
        half_height_m: f64,
    },
    /// A cone along y, its tip above.
    Cone {
        /// The radius of its base.
        radius_m: f64,
        /// Half of its height.
        half_height_m: f64,
    },
    /// A ring (torus) around y. It collides as a chain of capsules and rolls as the smooth ring.
    Ring {
        /// From its centre to the middle of the tube.
        radius_m: f64,
        /// The radius of the tube.
        tube_m: f64,
    },
    /// The convex hull of points.
    Hull {
        /// At least four, not in one plane.
        points: Vec<[f64; 3]>,
    },
    /// A mesh of triangles, as it is. Bodies that move need a closed one.
    Mesh {
        /// Its vertices.
        points: Vec<[f64; 3]>,
        /// Three vertices each, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Several shapes in one body. Where they overlap, mass counts twice.
    Compound {
        /// The shapes and where they are.
        parts: Vec<Part>,
    },
}

/// One shape of a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its shape; not a compound itself.
    pub shape: Shape,
    /// Where its origin lies in the frame of the body.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w from its frame to that of the body.
    pub rotation: [f64; 4],
}

impl Shape {
    /// A box by its whole edges.
    pub fn cuboid(x_m: f64, y_m: f64, z_m: f64) -> Self {
        Self::Box { half_m: [x_m / 2.0, y_m / 2.0, z_m / 2.0] }
    }

    /// A ball by its radius.
    pub fn ball(radius_m: f64) -> Self {
        Self::Ball { radius_m }
    }
}
