//! Points on the surface of an object, where strikes and contacts act.

use crate::EngineError;
use foley_dsp::model::ModalModel;
use foley_geometry::vector::bounds;
use glam::DVec3;
use std::str::FromStr;
use thiserror::Error;

/// A point on an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SurfacePoint {
    /// The surface point closest to these coordinates (m).
    At([f64; 3]),
    /// One of the model's own surface points.
    Point(usize),
    /// The surface point closest to coordinates (m), with a direction of the force instead of
    /// the surface normal.
    Along {
        /// Coordinates, m.
        at: [f64; 3],
        /// Direction of the force; its length does not matter.
        direction: [f64; 3],
    },
}

/// A text that is no surface point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("write metres from the middle as 0.1,0,0 or a surface point as #7")]
pub struct SurfacePointError;

impl FromStr for SurfacePoint {
    type Err = SurfacePointError;

    /// Reads `#7`, or one to three coordinates such as `0.1,0,0`.
    fn from_str(text: &str) -> Result<Self, SurfacePointError> {
        if let Some(index) = text.trim().strip_prefix('#') {
            return index.parse().map(Self::Point).map_err(|_| SurfacePointError);
        }
        let metre = |part: &str| part.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let numbers: Option<Vec<f64>> = text.split(',').map(metre).collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) => Ok(Self::At([x, y, z])),
            Some(&[x, y]) => Ok(Self::At([x, y, 0.0])),
            Some(&[x]) => Ok(Self::At([x, 0.0, 0.0])),
            _ => Err(SurfacePointError),
        }
    }
}

impl SurfacePoint {
    /// Returns a point where all modes respond: off every centre line, 37 % of the way from the
    /// middle to a corner. Of a model without a surface, as a fit gives it, the first point.
    pub fn default_of(model: &ModalModel) -> Self {
        if model.triangles.is_empty() {
            return Self::Point(0);
        }
        Self::At(off_centre(&model.points))
    }

    /// Returns the same point with a direction of the force.
    pub fn along(self, model: &ModalModel, direction: [f64; 3]) -> Result<Self, EngineError> {
        match self {
            Self::At(at) | Self::Along { at, .. } => Ok(Self::Along { at, direction }),
            Self::Point(index) => match model.points.get(index) {
                Some(at) => Ok(Self::Along { at: *at, direction }),
                None => Err(missing(model, index)),
            },
        }
    }

    /// Returns its coordinates on a model, m; the origin for a point that the model does not have.
    pub fn position(self, model: &ModalModel) -> [f64; 3] {
        match self {
            Self::At(at) | Self::Along { at, .. } => at,
            Self::Point(index) => model.points.get(index).copied().unwrap_or_default(),
        }
    }

    /// Returns the direction of a force at this point, a unit vector: along the normal where none is given.
    pub fn direction(self, model: &ModalModel) -> Result<DVec3, EngineError> {
        match self {
            Self::At(at) => Ok(model.normal_at(at)),
            Self::Along { at, direction } => {
                Ok(DVec3::from(direction).try_normalize().unwrap_or_else(|| model.normal_at(at)))
            }
            Self::Point(index) if index < model.point_count() => Ok(model.normal_of_point(index)),
            Self::Point(index) => Err(missing(model, index)),
        }
    }

    /// Returns the gains of all modes of a model at this point.
    pub fn gains(self, model: &ModalModel) -> Result<Vec<f32>, EngineError> {
        match self {
            Self::At(at) => Ok(model.gains_at(at)),
            Self::Along { at, direction } => Ok(model.gains_along(at, direction)),
            Self::Point(index) if index < model.point_count() => Ok(model.gains_of_point(index)),
            Self::Point(index) => Err(missing(model, index)),
        }
    }
}

/// The point 37 % of the way from the middle of the bounding box to a corner.
fn off_centre(points: &[[f64; 3]]) -> [f64; 3] {
    let [low, high] = bounds(points.iter().map(|&p| p.into())).unwrap_or_default();
    (low + DVec3::new(0.685, 0.635, 0.5) * (high - low)).to_array()
}

fn missing(model: &ModalModel, index: usize) -> EngineError {
    EngineError::NoSurfacePoint { what: "point", index, count: model.point_count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_in_every_form() {
        let parse = str::parse::<SurfacePoint>;
        assert_eq!(parse("#7"), Ok(SurfacePoint::Point(7)));
        assert_eq!(parse("-0.1"), Ok(SurfacePoint::At([-0.1, 0.0, 0.0])));
        assert_eq!(parse("0.1, -2e-2"), Ok(SurfacePoint::At([0.1, -0.02, 0.0])));
        assert_eq!(parse("1,2,3"), Ok(SurfacePoint::At([1.0, 2.0, 3.0])));
        for wrong in ["", "#", "#-1", "#1.5", "middle", "1,2,3,4", "nan,0,0", "inf", "1,,2", "1;2"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
