//! Checks of dimensions against their permitted ranges.

use super::ShapeError;

fn within(
    what: &'static str,
    value: f64,
    unit: &'static str,
    [min, max]: [f64; 2],
) -> Result<f64, ShapeError> {
    match (min..=max).contains(&value) {
        true => Ok(value),
        false => Err(ShapeError::Dimension { what, value, unit, min, max }),
    }
}

/// Checks a length in m: from a micrometre to a kilometre.
pub(super) fn length(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    within(what, value, "m", [1e-6, 1e3])
}

/// Checks the tension of a string, N.
pub(super) fn force(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    within(what, value, "N", [1e-6, 1e9])
}

/// Checks the tension of a membrane, N/m.
pub(super) fn tension(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    within(what, value, "N/m", [1e-6, 1e9])
}

/// Checks a mass per area, kg/m².
pub(super) fn area_density(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    within(what, value, "kg/m2", [1e-6, 1e6])
}

/// Checks that a thickness does not exceed another dimension.
pub(super) fn thin(
    what: &'static str,
    value: f64,
    of: &'static str,
    limit: f64,
) -> Result<(), ShapeError> {
    match value <= limit {
        true => Ok(()),
        false => Err(ShapeError::Proportion { what, value, of, limit }),
    }
}

#[cfg(test)]
mod tests {
    use crate::shape::{Edge, End, Shape, ShapeError};

    #[test]
    fn bad_dimensions_are_named_with_their_value() {
        let error = |r: Result<Shape, ShapeError>| r.unwrap_err().to_string();
        let bar = |l, w, h| error(Shape::bar(l, w, h, End::Free));
        assert!(bar(-0.3, 0.03, 0.01).contains("length of the bar is -0.3 m"));
        assert!(bar(0.3, 0.0, 0.01).contains("width of the bar is 0 m"));
        assert!(bar(0.3, 0.03, f64::NAN).contains("thickness of the bar is NaN m"));
        assert!(bar(1001.0, 0.03, 0.01).contains("between 0.000001 and 1000 m"));
        assert!(
            bar(0.3, 0.03, 0.5).contains("thickness of the bar is 0.5 m, more than its length")
        );
        let plate = error(Shape::plate(f64::INFINITY, 0.2, 0.01, Edge::Free));
        assert!(plate.contains("length of the plate is inf m"), "{plate}");
        assert!(error(Shape::plate(0.3, 0.2, 0.25, Edge::Free)).contains("more than its width"));
        assert!(error(Shape::disc(1e-9, 1e-6, Edge::Free)).contains("diameter of the disc"));
        assert!(error(Shape::membrane(0.3, 0.0, 0.2)).contains("tension of the membrane is 0 N/m"));
        assert!(error(Shape::membrane(0.3, 1.0, -2.0)).contains("density of the membrane"));
        assert!(error(Shape::string(0.6, 0.001, f64::NAN)).contains("tension of the string"));
        assert!(error(Shape::string(0.6, 0.7, 10.0)).contains("diameter of the string"));
    }
}
