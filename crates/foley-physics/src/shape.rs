//! Collision shapes.

/// The shape of a body in its own frame, m. Axes of symmetry lie along y.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box.
    Box {
        /// Half edges along x, y, z.
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
    /// A cylinder along y with hemispherical ends.
    Capsule {
        /// Its radius.
        radius_m: f64,
        /// Half the distance between the centres of the hemispheres.
        half_height_m: f64,
    },
    /// A cone along y with the tip at +y.
    Cone {
        /// Radius of its base.
        radius_m: f64,
        /// Half of its height.
        half_height_m: f64,
    },
    /// A ring (torus) around y. It collides as a chain of capsules and rolls as a smooth torus.
    Ring {
        /// Major radius: from its centre to the middle of the tube.
        radius_m: f64,
        /// Minor radius: of the tube.
        tube_m: f64,
    },
    /// The convex hull of points.
    Hull {
        /// At least four, not coplanar.
        points: Vec<[f64; 3]>,
    },
    /// A triangle mesh. Dynamic bodies need a closed one.
    Mesh {
        /// Vertices.
        points: Vec<[f64; 3]>,
        /// Vertex indices, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Several shapes in one body. Overlapping volume counts twice in the mass.
    Compound {
        /// The shapes and their poses.
        parts: Vec<Part>,
    },
}

/// One shape of a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Shape; not a compound.
    pub shape: Shape,
    /// Position of its origin in the frame of the body, m.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w from its frame to the frame of the body.
    pub rotation: [f64; 4],
}

impl Shape {
    /// Makes a box from its full edges.
    pub fn cuboid(x_m: f64, y_m: f64, z_m: f64) -> Self {
        Self::Box { half_m: [x_m / 2.0, y_m / 2.0, z_m / 2.0] }
    }

    /// Makes a ball.
    pub fn ball(radius_m: f64) -> Self {
        Self::Ball { radius_m }
    }
}
