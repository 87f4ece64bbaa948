//! The colour of a sample: what is colored there, the lines of rest, and the light.

use super::drawn_surface::area_vector;
use super::rasterizer::{FINE, Raster};
use super::vector::{Vector, unit_or};
use crate::picture::color::{Color, FAINT, PANEL, linear_from_srgb};

/// Half the width of a line of rest, samples.
const HALF_NODE: f32 = 0.9 * FINE as f32;
/// Towards the light, which stands at the upper left behind the eye; and half-way to the eye.
const LIGHT: [f32; 3] = [-0.424, 0.566, 0.707];
const HALF_WAY: [f32; 3] = [-0.229, 0.306, 0.924];
/// The colour of a line of rest.
const NODE: Color = Color::new(0x16, 0x18, 0x20);
/// Where nothing is known.
const UNKNOWN: Color = Color::new(0x50, 0x54, 0x5e);

/// How a surface is lit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Light {
    /// The part of the light that comes from everywhere.
    ambient: f32,
    /// How strongly the light is mirrored.
    gloss: f32,
}

impl Light {
    /// Where the form matters most.
    pub(crate) const FORM: Self = Self { ambient: 0.42, gloss: 0.05 };
    /// Where lightness means something else, and light must not change it much.
    pub(crate) const COLOR: Self = Self { ambient: 0.7, gloss: 0.0 };
}

/// A triangle as it is shaded.
pub(crate) struct Facet {
    /// Right, down (samples), towards the eye.
    pub corners: [[f32; 3]; 3],
    normals: [[f32; 3]; 3],
    values: [f32; 3],
    /// Change of the weights of the second and third corner to the right and down.
    step: [[f32; 2]; 2],
    /// Change of the value from sample to sample.
    slope: f32,
    node: f32,
    inside: bool,
}

impl Facet {
    /// Triangle `t` of a scene; `place` says where on the samples its corners stand.
    pub(crate) fn new(scene: &Raster, t: usize, place: impl Fn(Vector) -> [f32; 3]) -> Self {
        let corners = scene.triangles[t];
        let face = area_vector(scene.points, &corners);
        let face = unit_or(face, [0.0, 0.0, 1.0]).map(|x| x as f32);
        // Where the surface is bent sharply the mean normal belongs to neither side.
        let normals = corners.map(|i| {
            let mean = scene.normals[i].map(|x| x as f32);
            if dot(mean, face) > 0.75 { mean } else { face }
        });
        let values = corners.map(|i| scene.values[i]);
        let [a, b, c] = corners.map(|i| place(scene.points[i]));
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let area = u[0] * v[1] - u[1] * v[0];
        // Seen along its edge a triangle has no area, and no sample is in it.
        let step = match area.abs() > 1e-6 {
            true => [[v[1] / area, -v[0] / area], [-u[1] / area, u[0] / area]],
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
            inside: face[2] < 0.0,
        }
    }

    /// How much each corner counts at a place.
    pub(crate) fn weights(&self, x: f32, y: f32) -> [f32; 3] {
        let (dx, dy) = (x - self.corners[0][0], y - self.corners[0][1]);
        let v = dx * self.step[0][0] + dy * self.step[0][1];
        let w = dx * self.step[1][0] + dy * self.step[1][1];
        [1.0 - v - w, v, w]
    }
}

/// The colours of a scene, linear.
pub(crate) struct Palette {
    /// Behind everything.
    pub ground: [f32; 3],
    /// An outline on the ground.
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

    /// What comes from a triangle at a sample.
    pub(crate) fn light(&self, facet: &Facet, x: f32, y: f32) -> [f32; 3] {
        let w = facet.weights(x, y);
        let between = |c: [f32; 3]| w[0] * c[0] + w[1] * c[1] + w[2] * c[2];
        let value = between(facet.values);
        let mut color = match value.is_nan() {
            true => self.unknown,
            false => self.table[(1023.0 * value.clamp(0.0, 1.0) + 0.5) as usize],
        };
        // The value is linear, so its distance from ½ over its slope is the way to the line.
        if facet.node > 0.0 && (value - 0.5).abs() < HALF_NODE * facet.slope {
            color = mix(color, self.node, facet.node);
        }
        let n = [0, 1, 2].map(|axis| between(facet.normals.map(|n| n[axis])));
        let turn = if facet.inside { -1.0 } else { 1.0 } / dot(n, n).sqrt().max(1e-6);
        let n = n.map(|x| x * turn);
        let Light { ambient, gloss } = self.light;
        let bright = ambient + (1.0 - ambient) * dot(n, LIGHT).max(0.0);
        let gloss = gloss * dot(n, HALF_WAY).max(0.0).powi(32);
        // A little darker inside, which tells it from outside.
        let side = if facet.inside { 0.82 } else { 1.0 };
        color.map(|c| side * (c * bright + gloss))
    }
}

fn mix(a: [f32; 3], b: [f32; 3], s: f32) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] + s * (b[i] - a[i]))
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
