//! Range checks of the values of a modal model.

use super::{Gains, MAX_DECAY, ModalParts, ModelError};

pub(super) fn values(parts: &ModalParts) -> Result<(), ModelError> {
    let all = |what, values: &mut dyn Iterator<Item = f64>, must, ok: fn(f64) -> bool| match values
        .enumerate()
        .find(|(_, v)| !ok(*v))
    {
        Some((index, value)) => Err(ModelError::Value { what, index, value, must }),
        None => Ok(()),
    };
    let positive = |v: f64| v.is_finite() && v > 0.0;
    let body = parts.body;
    all(
        "frequency",
        &mut parts.frequencies_hz.iter().copied(),
        "positive and at most 1 MHz",
        |v| v > 0.0 && v <= 1e6,
    )?;
    all("decay rate", &mut parts.decays.iter().copied(), "between 0 and 1e7 per second", |v| {
        (0.0..=MAX_DECAY).contains(&v)
    })?;
    all("coordinate", &mut parts.points.iter().flatten().copied(), "finite", f64::is_finite)?;
    match &parts.gains {
        Gains::Normal(gains) => {
            let gains = &mut gains.iter().map(|&g| f64::from(g));
            all("gain", gains, "at most 1e20", |v| v.abs() <= 1e20)?;
        }
        Gains::Vector { levels, shapes } => {
            let levels = &mut levels.iter().map(|&g| f64::from(g));
            all("level", levels, "between 0 and 1e20", |v| (0.0..=1e20).contains(&v))?;
            let shapes = &mut shapes.iter().map(|&u| f64::from(u));
            all("mode shape entry", shapes, "between -1 and 1", |v| v.abs() <= 1.0)?;
        }
    }
    if let Some(vibration) = &parts.vibration {
        let pressures = &mut vibration.pressures_pa.iter().map(|&p| f64::from(p));
        all("pressure", pressures, "between 0 and 1e20", |v| (0.0..=1e20).contains(&v))?;
    }
    let rigid = || parts.rigid.iter().flatten();
    let must = "positive and at most 1e20";
    let is_positive = |v: f64| v > 0.0 && v <= 1e20;
    all("gain of acceleration noise", &mut rigid().map(|r| r.gain_pa), must, is_positive)?;
    all(
        "angular frequency of acceleration noise",
        &mut rigid().map(|r| r.omega),
        must,
        is_positive,
    )?;
    all(
        "damping of acceleration noise",
        &mut rigid().map(|r| r.damping),
        "from 1e-3 to below 1",
        |v| (1e-3..1.0).contains(&v),
    )?;
    let corners = parts.points.len();
    for (index, k) in parts.triangles.iter().flatten().enumerate() {
        if *k as usize >= corners {
            let (what, must) = ("triangle corner", "the index of a point");
            return Err(ModelError::Value { what, index, value: f64::from(*k), must });
        }
    }
    all("mass", &mut [body.mass_kg].into_iter(), "positive", positive)?;
    all("Young's modulus", &mut [body.young_pa].into_iter(), "positive", positive)?;
    all("Poisson's ratio", &mut [body.poisson].into_iter(), "above -1 and below 0.5", |v| {
        v > -1.0 && v < 0.5
    })?;
    all("radius", &mut [body.radius_m].into_iter(), "positive (infinite when flat)", |v| v > 0.0)
}
