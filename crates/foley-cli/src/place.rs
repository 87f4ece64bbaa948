//! Where to strike.

use anyhow::{Result, bail};
use foley::Place;
use foley_dsp::model::ModalModel;

/// A place as it is written: `#7`, or one to three coordinates such as `0.1,0,0`.
pub(crate) fn parse(text: &str) -> Result<Place, String> {
    let remedy = "write metres from the middle as 0.1,0,0 or a surface point as #7";
    if let Some(index) = text.trim().strip_prefix('#') {
        return index.parse().map(Place::Point).map_err(|_| remedy.into());
    }
    let metre = |part: &str| part.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(metre).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok(Place::At([x, y, z])),
        Some(&[x, y]) => Ok(Place::At([x, y, 0.0])),
        Some(&[x]) => Ok(Place::At([x, 0.0, 0.0])),
        _ => Err(remedy.into()),
    }
}

/// A direction as it is written: three coordinates, not all zero.
pub(crate) fn direction(text: &str) -> Result<[f64; 3], String> {
    match parse(text) {
        Ok(Place::At(v)) if text.split(',').count() == 3 && v != [0.0; 3] => Ok(v),
        _ => Err("write a direction as three numbers, e.g. 0,0,-1".into()),
    }
}

/// The place, struck along a direction if one is given.
pub(crate) fn towards(model: &ModalModel, place: Place, along: Option<[f64; 3]>) -> Place {
    match (along, place) {
        (None, place) => place,
        (Some(direction), Place::Point(k)) => Place::Along { at: model.points[k], direction },
        (Some(direction), Place::At(at) | Place::Along { at, .. }) => {
            Place::Along { at, direction }
        }
    }
}

/// The place that is meant, on this model.
pub(crate) fn on(model: &ModalModel, asked: Option<Place>) -> Result<Place> {
    match asked {
        Some(Place::Point(index)) if index >= model.point_count() => {
            bail!("--at #{index}: {} has points #0 to #{}", model.name, model.point_count() - 1)
        }
        Some(place) => Ok(place),
        None => Ok(default(model)),
    }
}

/// Off every centre line, 37 % of the way out from the middle: all modes answer there. On
/// a model without a surface, as recordings give it, the first of its places.
fn default(model: &ModalModel) -> Place {
    if model.triangles.is_empty() {
        return Place::Point(0);
    }
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for p in &model.points {
        for i in 0..3 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    }
    let part = [0.685, 0.635, 0.5];
    Place::At(std::array::from_fn(|i| low[i] + part[i] * (high[i] - low[i])))
}

/// The gains there, one per mode.
pub(crate) fn gains(model: &ModalModel, place: Place) -> Vec<f32> {
    match place {
        Place::At(at) => model.gains_at(at),
        Place::Along { at, direction } => model.gains_along(at, direction),
        Place::Point(index) => model.gains_of_point(index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_in_every_form() {
        assert_eq!(parse("#7"), Ok(Place::Point(7)));
        assert_eq!(parse("-0.1"), Ok(Place::At([-0.1, 0.0, 0.0])));
        assert_eq!(parse("0.1, -2e-2"), Ok(Place::At([0.1, -0.02, 0.0])));
        assert_eq!(parse("1,2,3"), Ok(Place::At([1.0, 2.0, 3.0])));
        for wrong in ["", "#", "#-1", "#1.5", "middle", "1,2,3,4", "nan,0,0", "inf", "1,,2", "1;2"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
