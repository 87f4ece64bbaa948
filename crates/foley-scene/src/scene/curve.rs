//! A number as a function of time.

use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::Key;
use crate::write;

/// A piecewise linear function of time, constant before its first and after its last point.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve(Vec<[f64; 2]>);

impl Curve {
    /// Returns a constant.
    pub fn constant(value: f64) -> Self {
        Self(vec![[0.0, value]])
    }

    /// Returns the points, time in s and value, in order of time.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.0
    }

    /// Returns the value at a time.
    pub fn at(&self, at_s: f64) -> f64 {
        let next = self.0.partition_point(|p| p[0] <= at_s);
        match (self.0.get(next.max(1) - 1), self.0.get(next)) {
            (Some(a), Some(b)) if next > 0 => a[1] + (at_s - a[0]) / (b[0] - a[0]) * (b[1] - a[1]),
            (Some(a), _) => a[1],
            _ => 0.0,
        }
    }

    /// Reads a number, or `[[time, number], …]`.
    pub(crate) fn read(fields: &mut Fields<'_>, key: &Key) -> Option<Self> {
        let range = key.range();
        let value = fields.take(key)?;
        let Data::Array(items) = &value.data else {
            return fields.number(key).map(Self::constant);
        };
        let mut points: Vec<[f64; 2]> = Vec::new();
        for item in fields.list(key) {
            let point: [f64; 2] = fields.numbers_of(key, item, -1e9..=1e9)?;
            if !range.contains(&point[1]) || !(0.0..=86_400.0).contains(&point[0]) {
                let [low, high] = [range.start(), range.end()];
                fields.report(key, format!("pairs are time (s) and a number from {low} to {high}"));
                return None;
            }
            if points.last().is_some_and(|last| last[0] >= point[0]) {
                fields.report(key, "times must increase from pair to pair");
                return None;
            }
            points.push(point);
        }
        if items.is_empty() {
            fields.report(key, "is empty; write a number or pairs such as [[0, 1], [2, 0.5]]");
        }
        (!points.is_empty()).then_some(Self(points))
    }

    pub(crate) fn write(&self, key: &Key, table: &mut Table) {
        if let [[0.0, value]] = self.0[..] {
            return table.put(key.name, Data::Float(value));
        }
        let pair = |p: &[f64; 2]| write::list(p.iter().map(|x| Data::Float(*x)), &table.span);
        let list = write::list(self.0.iter().map(pair), &table.span);
        table.put(key.name, list);
    }
}
