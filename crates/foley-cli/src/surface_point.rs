//! Surface points as arguments.

use anyhow::{Result, bail};
use foley::SurfacePoint;
use foley::dsp::model::ModalModel;

/// Reads a direction: three coordinates, not all zero.
pub(crate) fn direction(text: &str) -> Result<[f64; 3], String> {
    match text.parse() {
        Ok(SurfacePoint::At([0.0, 0.0, 0.0])) => Err("its length is zero".into()),
        Ok(SurfacePoint::At(v)) if text.split(',').count() == 3 => Ok(v),
        _ => Err("write a direction as three numbers, e.g. 0,0,-1".into()),
    }
}

/// Returns the point that `--at` and `--direction` mean on a model.
pub(crate) fn on(
    model: &ModalModel,
    at: Option<SurfacePoint>,
    direction: Option<[f64; 3]>,
) -> Result<SurfacePoint> {
    if let Some(SurfacePoint::Point(index)) = at
        && index >= model.point_count()
    {
        bail!("--at #{index}: {} has points #0 to #{}", model.name, model.point_count() - 1)
    }
    let point = at.unwrap_or_else(|| SurfacePoint::default_of(model));
    Ok(match direction {
        Some(direction) => point.along(model, direction)?,
        None => point,
    })
}
