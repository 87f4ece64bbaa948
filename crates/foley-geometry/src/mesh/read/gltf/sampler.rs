//! Animation samplers: keyframes of one property of a node, and their interpolation.

use super::accessor::AccessorView;
use super::document::{Document, Sampler};
use crate::mesh::MeshError;
use glam::{DQuat, DVec3, DVec4};
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
    values: Vec<DVec4>,
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
        let value = |k: usize| match property {
            Property::Rotation => output.item(k).map(DVec4::from_array),
            _ => output.item(k).map(|v| DVec3::from_array(v).extend(0.0)),
        };
        let values: Vec<DVec4> = (0..values).filter_map(value).collect();
        if !values.iter().all(|value| value.is_finite()) {
            return Err("its values are not all finite".into());
        }
        let track = Self { property, interpolation, times_s, values };
        let flat = |k: usize| property == Property::Rotation && track.key(k).length() < 1e-6;
        match (0..keys).find(|k| flat(*k)) {
            Some(k) => Err(format!("its key {k} is a rotation of length 0")),
            None => Ok(track),
        }
    }

    fn key(&self, k: usize) -> DVec4 {
        self.values[if self.interpolation == Interpolation::Cubic { 3 * k + 1 } else { k }]
    }

    /// Returns the value at a time; before the first key and after the last, theirs.
    pub(super) fn at(&self, time_s: f64) -> DVec4 {
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

    fn between(&self, k: usize, u: f64, span_s: f64) -> DVec4 {
        let (a, b) = (self.key(k), self.key(k + 1));
        match self.interpolation {
            Interpolation::Step => a,
            Interpolation::Linear if self.property == Property::Rotation => {
                let [a, b] = [a, b].map(|q| DQuat::from_vec4(unit(q)));
                a.slerp(b, u).into()
            }
            Interpolation::Linear => a + u * (b - a),
            Interpolation::Cubic => {
                let (leaving, arriving) = (self.values[3 * k + 2], self.values[3 * (k + 1)]);
                let (u2, u3) = (u * u, u * u * u);
                (2.0 * u3 - 3.0 * u2 + 1.0) * a
                    + (u3 - 2.0 * u2 + u) * span_s * leaving
                    + (3.0 * u2 - 2.0 * u3) * b
                    + (u3 - u2) * span_s * arriving
            }
        }
    }
}

fn unit(q: DVec4) -> DVec4 {
    q / q.length().max(1e-12)
}
