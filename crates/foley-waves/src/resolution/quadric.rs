//! Error quadrics: the squared distances of a point from a set of planes.
//!
//! M. Garland, P. Heckbert, *Surface simplification using quadric error metrics*, SIGGRAPH 1997.

use glam::{DMat3, DVec3};
use std::ops::Add;

/// Σ w (n·x + d)² = xᵀAx + 2b·x + c.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
    /// Σ w.
    weight: f64,
}

impl Quadric {
    pub(super) const ZERO: Self = Self { a: DMat3::ZERO, b: DVec3::ZERO, c: 0.0, weight: 0.0 };

    /// The plane through a point.
    pub(super) fn plane(normal: DVec3, point: DVec3, weight: f64) -> Self {
        let d = -normal.dot(point);
        let a = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        Self { a: a * weight, b: normal * (d * weight), c: d * d * weight, weight }
    }

    /// Returns the mean squared distance of a point from the planes.
    pub(super) fn error(&self, x: DVec3) -> f64 {
        let sum = x.dot(self.a * x) + 2.0 * self.b.dot(x) + self.c;
        if self.weight > 0.0 { (sum / self.weight).max(0.0) } else { 0.0 }
    }

    /// Returns the point of least error; a small pull towards `start` decides where the planes
    /// leave it open.
    pub(super) fn minimiser(&self, start: DVec3) -> DVec3 {
        let pull = 1e-3 * self.weight;
        let a = self.a + DMat3::from_diagonal(DVec3::splat(pull));
        // Relative to the start, so that no digits are lost far from the origin.
        let right = -(self.a * start + self.b);
        match a.determinant() > 0.0 {
            true => start + a.inverse() * right,
            false => start,
        }
    }
}

impl Add for Quadric {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            a: self.a + other.a,
            b: self.b + other.b,
            c: self.c + other.c,
            weight: self.weight + other.weight,
        }
    }
}
