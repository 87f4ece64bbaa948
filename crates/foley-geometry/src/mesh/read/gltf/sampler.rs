//! Animation samplers: keyframes of one property of a node, and their interpolation.

use super::accessor::AccessorView;
use super::document::{Document, Sampler};
use crate::mesh::MeshError;
use std::borrow::Cow;

/// Animated property of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
}

/// Interpolation between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    /// Linear; spherical linear (slerp), the short way, for rotations.
    Linear,
    /// Holds the last key.
    Step,
    /// Cubic Hermite spline, with a tangent on either side of each key.
    Cubic,
}

/// Keyframes of one property. Vectors of three leave the fourth component 0.
#[derive(Debug)]
pub(super) struct Track {
    property: Property,
    pub(super) interpolation: Interpolation,
    pub(super) times_s: Vec<f64>,
    /// One for each time; for cubic splines three: in-tangent, value, out-tangent.
    values: Vec<[f64; 4]>,
}

impl Track {
    /// Reads a sampler; the error says in words what is wrong.
    pub(super) fn read(
        document: &Document,
        buffers: &[Cow<'_, [u8]>],
        sampler: &Sampler,
        property: Property,
        most: usize,
    ) -> Result<Self, String> {
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => {
                let other: String = other.chars().take(40).collect();
                return Err(format!("its interpolation `{other}` is not known"));
            }
        };
        let text = |error: MeshError| error.to_string();
        let shape = if property == Property::Rotation { "VEC4" } else { "VEC3" };
        let input = AccessorView::new(document, buffers, sampler.input, "SCALAR").map_err(text)?;
        let output = AccessorView::new(document, buffers, sampler.output, shape).map_err(text)?;
        let each = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        let (keys, values) = (input.count, output.count);
        if keys == 0 || keys.checked_mul(each) != Some(values) {
            return Err(format!("it has {keys} times and {values} values; each needs {each}"));
        }
        if keys > most {
            return Err(format!("it has {keys} keys; the limit on keys in one file is exceeded"));
        }
        let times_s: Vec<f64> = (0..keys).filter_map(|k| Some(input.item::<1>(k)?[0])).collect();
        let rising = times_s.windows(2).all(|pair| pair[0] < pair[1]);
        if !(rising && times_s.iter().all(|t| (0.0..=86_400.0).contains(t))) {
            return Err("its times must increase, from 0 s up to one day".into());
        }
        let wide = |[x, y, z]: [f64; 3]| [x, y, z, 0.0];
        let values: Vec<[f64; 4]> = match property {
            Property::Rotation => (0..values).filter_map(|k| output.item::<4>(k)).collect(),
            _ => (0..values).filter_map(|k| output.item::<3>(k).map(wide)).collect(),
        };
        if !values.iter().flatten().all(|x| x.is_finite()) {
            return Err("its values are not all finite".into());
        }
        let track = Self { property, interpolation, times_s, values };
        let flat = |k: usize| property == Property::Rotation && length(track.key(k)) < 1e-6;
        match (0..keys).find(|k| flat(*k)) {
            Some(k) => Err(format!("its key {k} is a rotation of length 0")),
            None => Ok(track),
        }
    }

    fn key(&self, k: usize) -> [f64; 4] {
        self.values[if self.interpolation == Interpolation::Cubic { 3 * k + 1 } else { k }]
    }

    /// Returns the value at a time; before the first key and after the last, theirs.
    pub(super) fn at(&self, time_s: f64) -> [f64; 4] {
        let next = self.times_s.partition_point(|t| *t <= time_s);
        let value = match (next.checked_sub(1), self.times_s.get(next)) {
            (None, _) => self.key(0),
            (Some(k), None) => self.key(k),
            (Some(k), Some(end_s)) => {
                let span_s = end_s - self.times_s[k];
                self.between(k, (time_s - self.times_s[k]) / span_s, span_s)
            }
        };
        if self.property == Property::Rotation { unit(value) } else { value }
    }

    fn between(&self, k: usize, u: f64, span_s: f64) -> [f64; 4] {
        let (a, b) = (self.key(k), self.key(k + 1));
        match self.interpolation {
            Interpolation::Step => a,
            Interpolation::Linear if self.property == Property::Rotation => {
                slerp(unit(a), unit(b), u)
            }
            Interpolation::Linear => [0, 1, 2, 3].map(|i| a[i] + u * (b[i] - a[i])),
            Interpolation::Cubic => {
                let (leaving, arriving) = (self.values[3 * k + 2], self.values[3 * (k + 1)]);
                let (u2, u3) = (u * u, u * u * u);
                [0, 1, 2, 3].map(|i| {
                    (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                        + (u3 - 2.0 * u2 + u) * span_s * leaving[i]
                        + (3.0 * u2 - 2.0 * u3) * b[i]
                        + (u3 - u2) * span_s * arriving[i]
                })
            }
        }
    }
}

fn length(q: [f64; 4]) -> f64 {
    q.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = length(q).max(1e-12);
    q.map(|x| x / length)
}

/// Interpolates two rotations along the shorter arc at constant speed (Shoemake 1985).
fn slerp(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    let (b, dot) = if dot < 0.0 { (b.map(|x| -x), -dot) } else { (b, dot) };
    let angle = dot.min(1.0).acos();
    let [from, to] = match angle < 1e-6 {
        true => [1.0 - u, u],
        false => [((1.0 - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin()],
    };
    [0, 1, 2, 3].map(|i| from * a[i] + to * b[i])
}
