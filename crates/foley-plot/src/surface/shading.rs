//! Shading of a sample: colour map, nodal lines and light.

use super::rasterizer::{FINE, Raster};
use crate::picture::color::{Color, FAINT, PANEL, linear_from_srgb};
use foley_geometry::vector::area_vector;
use glam::{DVec3, Vec3};

/// Half the width of a nodal line, samples.
const HALF_NODE: f32 = 0.9 * FINE as f32;
/// Direction to the light, at the upper left behind the viewer; and half-way vector (Blinn–Phong).
const LIGHT: Vec3 = Vec3::new(-0.424, 0.566, 0.707);
const HALF_WAY: Vec3 = Vec3::new(-0.229, 0.306, 0.924);
/// Colour of nodal lines.
const NODE: Color = Color::new(0x16, 0x18, 0x20);
/// Colour of unknown values.
const UNKNOWN: Color = Color::new(0x50, 0x54, 0x5e);

/// Lighting of a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Light {
    /// Ambient share of the light.
    ambient: f32,
    /// Strength of specular reflection.
    gloss: f32,
}

impl Light {
    /// Emphasises the shape.
    pub(crate) const FORM: Self = Self { ambient: 0.42, gloss: 0.05 };
    /// Preserves colours: lightness carries data.
    pub(crate) const COLOR: Self = Self { ambient: 0.7, gloss: 0.0 };
}

/// A triangle prepared for shading.
pub(crate) struct Facet {
    /// Right and down in samples, depth towards the viewer.
    pub corners: [Vec3; 3],
    normals: [Vec3; 3],
    values: [f32; 3],
    /// Gradients of the barycentric weights of the second and third corner.
    step: [[f32; 2]; 2],
    /// Gradient of the value per sample.
    slope: f32,
    node: f32,
    inside: bool,
}

impl Facet {
    /// Prepares triangle `t`; `place` maps its corners to samples.
    pub(crate) fn new(scene: &Raster, t: usize, place: impl Fn(DVec3) -> Vec3) -> Self {
        let corners = scene.triangles[t];
        let face = area_vector(corners.map(|i| scene.points[i]));
        let face = face.normalize_or(DVec3::Z).as_vec3();
        // At sharp edges the mean normal belongs to neither side.
        let normals = corners.map(|i| {
            let mean = scene.normals[i].as_vec3();
            if mean.dot(face) > 0.75 { mean } else { face }
        });
        let values = corners.map(|i| scene.values[i]);
        let [a, b, c] = corners.map(|i| place(scene.points[i]));
        let (u, v) = ((b - a).truncate(), (c - a).truncate());
        let area = u.perp_dot(v);
        // Edge-on, a triangle covers no sample.
        let step = match area.abs() > 1e-6 {
            true => [[v.y / area, -v.x / area], [-u.y / area, u.x / area]],
            false => [[f32::NAN; 2]; 2],
        };
        let (p, q) = (values[1] - values[0], values[2] - values[0]);
        let slope = [0, 1].map(|axis| p * step[0][axis] + q * step[1][axis]);
        Self {
            corners: [a, b, c],
            normals,
            values,
            step,
            slope: slope[0].hypot(slope[1]),
            node: scene.nodes.get(t).copied().unwrap_or(0.0),
            inside: face.z < 0.0,
        }
    }

    /// Returns the barycentric weights of the corners at a sample.
    pub(crate) fn weights(&self, x: f32, y: f32) -> [f32; 3] {
        let (dx, dy) = (x - self.corners[0].x, y - self.corners[0].y);
        let v = dx * self.step[0][0] + dy * self.step[0][1];
        let w = dx * self.step[1][0] + dy * self.step[1][1];
        [1.0 - v - w, v, w]
    }
}

/// Colours in linear light.
pub(crate) struct Palette {
    /// Background.
    pub ground: [f32; 3],
    /// Outline on the background.
    pub line: [f32; 3],
    table: Vec<[f32; 3]>,
    node: [f32; 3],
    unknown: [f32; 3],
    light: Light,
}

impl Palette {
    pub(crate) fn new(scene: &Raster) -> Self {
        let linear = |color: Color| color.rgb.map(|c| linear_from_srgb(c) as f32);
        let ground = linear(PANEL);
        Self {
            ground,
            line: mix(ground, linear(FAINT), 0.6),
            table: (0..1024).map(|i| linear((scene.colors)(f64::from(i) / 1023.0))).collect(),
            node: linear(NODE),
            unknown: linear(UNKNOWN),
            light: scene.light,
        }
    }

    /// Returns the light of a triangle at a sample.
    pub(crate) fn light(&self, facet: &Facet, x: f32, y: f32) -> [f32; 3] {
        let w = facet.weights(x, y);
        let value = Vec3::from(w).dot(facet.values.into());
        let mut color = match value.is_nan() {
            true => self.unknown,
            false => self.table[(1023.0 * value.clamp(0.0, 1.0) + 0.5) as usize],
        };
        // The value is linear: its distance from ½ over its gradient is the distance to the line.
        if facet.node > 0.0 && (value - 0.5).abs() < HALF_NODE * facet.slope {
            color = mix(color, self.node, facet.node);
        }
        let [a, b, c] = facet.normals;
        let n = w[0] * a + w[1] * b + w[2] * c;
        let n = n * (if facet.inside { -1.0 } else { 1.0 } / n.length_squared().sqrt().max(1e-6));
        let Light { ambient, gloss } = self.light;
        let bright = ambient + (1.0 - ambient) * n.dot(LIGHT).max(0.0);
        let gloss = gloss * n.dot(HALF_WAY).max(0.0).powi(32);
        // Back faces are a little darker.
        let side = if facet.inside { 0.82 } else { 1.0 };
        color.map(|c| side * (c * bright + gloss))
    }
}

fn mix(a: [f32; 3], b: [f32; 3], s: f32) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] + s * (b[i] - a[i]))
}
