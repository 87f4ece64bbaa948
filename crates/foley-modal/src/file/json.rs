//! Exports a model as JSON.

use super::header::BodyJson;
use foley_dsp::model::{Gains, ModalModel};
use serde::Serialize;

#[derive(Serialize)]
struct Json<'a> {
    name: &'a str,
    frequencies_hz: &'a [f64],
    decays: &'a [f64],
    points: &'a [[f64; 3]],
    triangles: &'a [[u32; 3]],
    /// One row for each point.
    gains: Vec<Row>,
    body: BodyJson,
    /// p_n, Pa at 1 m for unit modal velocity; absent where mode shapes are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pressures_pa: Option<&'a [f32]>,
    /// Whether the body is free to move as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    free: Option<bool>,
}

/// The gains of one point: a number for each mode, or a vector.
#[derive(Serialize)]
#[serde(untagged)]
enum Row {
    Normal(Vec<f32>),
    Vector(Vec<[f32; 3]>),
}

fn row(model: &ModalModel, k: usize) -> Row {
    let modes = model.mode_count();
    match &model.gains {
        Gains::Normal(gains) => Row::Normal(gains[k * modes..(k + 1) * modes].to_vec()),
        Gains::Vector { levels, shapes } => {
            let own = shapes[3 * k * modes..3 * (k + 1) * modes].as_chunks::<3>().0;
            let pairs = own.iter().zip(levels);
            Row::Vector(pairs.map(|(u, level)| u.map(|x| x.to_f32() * level)).collect())
        }
    }
}

/// Returns the model as one JSON object; `gains` is a list of points, each a list of modes (numbers,
/// or vectors where all directions are stored), and `radius_m` of `body` is null where the
/// body is flat.
///
/// ```
/// use foley_modal::{Material, ShapeOptions, Shape, file};
/// let tine: Shape = "rod:80x1mm,ends=cantilever".parse()?;
/// let model = tine.model(Material::named("steel")?, &ShapeOptions::default())?;
/// let json: serde_json::Value = serde_json::from_str(&file::to_json(&model))?;
/// assert_eq!(json["frequencies_hz"][0], model.frequencies_hz[0]);
/// assert_eq!(json["gains"].as_array().unwrap().len(), model.point_count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_json(model: &ModalModel) -> String {
    let json = Json {
        name: &model.name,
        frequencies_hz: &model.frequencies_hz,
        decays: &model.decays,
        points: &model.points,
        triangles: &model.triangles,
        gains: (0..model.point_count()).map(|k| row(model, k)).collect(),
        body: model.body.into(),
        pressures_pa: model.vibration.as_ref().map(|v| &*v.pressures_pa),
        free: model.vibration.as_ref().map(|v| v.free),
    };
    // Strings and finite numbers only: this cannot fail.
    serde_json::to_string(&json).unwrap_or_default()
}
