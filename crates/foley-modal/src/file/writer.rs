//! Writes a model as the bytes of a `.modal` file.

use super::header::{Array, DirectivityJson, Header};
use super::{ALIGN, MAGIC, PREFIX, VERSION};
use crate::provenance::Provenance;
use foley_dsp::model::{Gains, ModalModel};

/// Names longer than this many bytes are cut.
const MAX_NAME: usize = 1 << 16;

/// Returns the bytes of a `.modal` file. Names are cut after 64 KiB.
///
/// ```
/// use foley_modal::{Material, ShapeOptions, Shape, file};
/// let gong: Shape = "disc:400x3mm".parse()?;
/// let model = gong.model(Material::named("bronze")?, &ShapeOptions::default())?;
/// assert_eq!(file::read(&file::write(&model))?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(model: &ModalModel) -> Vec<u8> {
    write_with_provenance(model, None)
}

/// Returns the bytes of a `.modal` file with the provenance of the model.
pub fn write_with_provenance(model: &ModalModel, provenance: Option<&Provenance>) -> Vec<u8> {
    let (modes, points, triangles) =
        (model.mode_count(), model.point_count(), model.triangles.len());
    let mut data = Data::default();
    data.array(
        "frequencies_hz",
        "<f8",
        vec![modes],
        bytes(&model.frequencies_hz, f64::to_le_bytes),
    );
    data.array("decays", "<f8", vec![modes], bytes(&model.decays, f64::to_le_bytes));
    data.array(
        "points",
        "<f8",
        vec![points, 3],
        bytes(model.points.as_flattened(), f64::to_le_bytes),
    );
    let corners = bytes(model.triangles.as_flattened(), u32::to_le_bytes);
    data.array("triangles", "<u4", vec![triangles, 3], corners);
    match &model.gains {
        Gains::Normal(gains) => {
            data.array("gains", "<f4", vec![points, modes], bytes(gains, f32::to_le_bytes));
        }
        Gains::Vector { levels, shapes } => {
            data.array("levels", "<f4", vec![modes], bytes(levels, f32::to_le_bytes));
            let shapes = bytes(shapes, half::f16::to_le_bytes);
            data.array("shapes", "<f2", vec![points, modes, 3], shapes);
        }
    }

    if let Some(vibration) = &model.vibration {
        let pressures = bytes(&vibration.pressures_pa, f32::to_le_bytes);
        data.array("pressures", "<f4", vec![modes], pressures);
    }

    let directivity = model.directivity.as_ref().map(|directivity| {
        let (first_hz, bands) = (directivity.first_hz(), directivity.bands());
        let coefficients = bytes(directivity.coefficients(), f32::to_le_bytes);
        let shape = vec![bands, directivity.coefficients().len() / bands.max(1)];
        data.array("directivity", "<f4", shape, coefficients);
        DirectivityJson { first_hz, bands, degree: directivity.degree() }
    });

    let name = model.name[..model.name.floor_char_boundary(MAX_NAME)].to_owned();
    let body = model.body.into();
    let provenance = provenance.cloned();
    let free = model.vibration.as_ref().map(|vibration| vibration.free);
    let rigid = model.rigid.map(|axes| axes.map(Into::into));
    let arrays = data.arrays;
    let header = Header {
        name,
        modes,
        points,
        triangles,
        body,
        free,
        rigid,
        directivity,
        provenance,
        arrays,
    };
    // Strings and finite numbers only: this cannot fail.
    let mut json = serde_json::to_vec(&header).unwrap_or_default();
    json.resize((PREFIX + json.len()).next_multiple_of(ALIGN) - PREFIX, b' ');

    let mut file = Vec::with_capacity(PREFIX + json.len() + data.bytes.len() + 4);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(json);
    file.extend(data.bytes);
    file.extend(crc32fast::hash(&file).to_le_bytes());
    file
}

/// The arrays behind the header.
#[derive(Default)]
struct Data {
    arrays: Vec<Array>,
    bytes: Vec<u8>,
}

impl Data {
    fn array(
        &mut self,
        name: &str,
        dtype: &str,
        shape: Vec<usize>,
        values: impl Iterator<Item = u8>,
    ) {
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGN), 0);
        let offset = self.bytes.len();
        self.arrays.push(Array { name: name.into(), dtype: dtype.into(), shape, offset });
        self.bytes.extend(values);
    }
}

fn bytes<T: Copy, const N: usize>(values: &[T], to: fn(T) -> [u8; N]) -> impl Iterator<Item = u8> {
    values.iter().flat_map(move |v| to(*v))
}
