//! View: parallel projection, z upwards.

use super::drawn_surface::DrawnSurface;
use glam::DVec3;

/// A direction of projection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    right: DVec3,
    up: DVec3,
    towards: DVec3,
    /// Name.
    pub name: &'static str,
}

impl View {
    /// Makes the view from an azimuth (from x towards y) and elevation, degrees.
    pub(crate) fn from(azimuth: f64, elevation: f64, name: &'static str) -> Self {
        let ((s, c), (t, b)) = (azimuth.to_radians().sin_cos(), elevation.to_radians().sin_cos());
        let (right, towards) = (DVec3::new(-s, c, 0.0), DVec3::new(b * c, b * s, t));
        Self { right, up: towards.cross(right), towards, name }
    }

    /// Projects a point: right, up, towards the viewer.
    pub(crate) fn of(&self, p: DVec3) -> DVec3 {
        DVec3::new(self.right.dot(p), self.up.dot(p), self.towards.dot(p))
    }
}

/// Chooses one view of a flat surface or a line, two of others: from above, and from below on
/// the other side, so that bowls and bells show both sides.
pub(crate) fn choose(surface: &DrawnSurface) -> Vec<View> {
    let DVec3 { x, y, z } = surface.extent();
    if surface.is_line {
        // Across the line, which shows its full length.
        let along = if y > x { 15.0 } else { -75.0 };
        return vec![View::from(along, 22.0, "")];
    }
    let (wide, narrow) = (x.max(y), x.min(y));
    // The flatter the surface, the higher the view.
    let elevation = 52.0 - 34.0 * (z / wide.max(1e-9) / 1.5).min(1.0);
    // Not edge-on to an upright plate.
    let stands = narrow < 0.3 * z;
    let flat = narrow.min(z) < 0.06 * wide.max(z);
    let azimuth = match (stands, flat) {
        (true, _) if x < y => -28.0,
        (false, true) => -72.0,
        _ => -62.0,
    };
    let above = View::from(azimuth, elevation, "from above");
    if flat {
        return vec![View { name: "", ..above }];
    }
    vec![above, View::from(azimuth + 180.0, -0.85 * elevation, "from below, other side")]
}

/// Transform from a view's plane to pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    scale: f64,
    middle: (f64, f64),
    /// Width and height, pixels.
    pub size: (usize, usize),
    span: (f64, f64),
}

impl Window {
    /// Fits all `points` of a view's plane into `size` pixels, with a margin.
    pub(crate) fn around(points: impl Iterator<Item = DVec3>, size: (usize, usize)) -> Self {
        const ROOM: f64 = 0.86;
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in points {
            for axis in 0..2 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        }
        let span = |axis: usize| (high[axis] - low[axis]).max(1e-6);
        let scale = ROOM * (size.0 as f64 / span(0)).min(size.1 as f64 / span(1));
        let middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]));
        Self { scale, middle, size, span: (span(0), span(1)) }
    }

    /// Returns height over width of the fitted points.
    pub(crate) fn aspect(&self) -> f64 {
        self.span.1 / self.span.0
    }

    /// Returns right and down in pixels, and depth towards the viewer.
    pub(crate) fn place(&self, p: DVec3) -> DVec3 {
        let (w, h) = (self.size.0 as f64, self.size.1 as f64);
        DVec3::new(
            0.5 * w + self.scale * (p.x - self.middle.0),
            0.5 * h - self.scale * (p.y - self.middle.1),
            p.z,
        )
    }
}
