//! Parses the bytes of a `.modal` file, which may be corrupt.

use super::header::{Array, DirectivityJson, Header};
use super::{FileError, MAGIC, PREFIX, VERSION};
use crate::provenance::Provenance;
use foley_dsp::model::{Directivity, Gains, ModalModel, ModalParts, Vibration};

/// Reads the bytes of a `.modal` file.
///
/// It never panics, and never allocates much more than the size of the input: every array must
/// lie within the file before memory is allocated for it.
pub fn read(bytes: &[u8]) -> Result<ModalModel, FileError> {
    read_with_provenance(bytes).map(|(model, _)| model)
}

/// Reads the bytes of a `.modal` file, with the provenance if the file has it.
pub fn read_with_provenance(bytes: &[u8]) -> Result<(ModalModel, Option<Provenance>), FileError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(FileError::NotModal);
    }
    let found = u32_at(bytes, 8)?;
    if !(1..=VERSION).contains(&found) {
        return Err(FileError::Version { found, known: VERSION });
    }
    let json_length = u32_at(bytes, 12)? as usize;
    let Some((content, checksum)) = bytes.split_last_chunk() else {
        return Err(FileError::Truncated { found: bytes.len(), what: "checksum" });
    };
    let (stored, computed) = (u32::from_le_bytes(*checksum), crc32fast::hash(content));
    if stored != computed {
        return Err(FileError::Checksum { stored, computed });
    }
    let (json, data) = content
        .get(PREFIX..)
        .and_then(|body| body.split_at_checked(json_length))
        .ok_or(FileError::Truncated { found: bytes.len(), what: "header" })?;
    let header: Header =
        serde_json::from_slice(json).map_err(|e| FileError::Header(e.to_string()))?;
    let Header { name, modes, points, triangles, body, free, rigid, .. } = header;
    let Header { directivity, provenance, arrays, .. } = header;

    let arrays = Arrays { arrays: &arrays, data };
    let frequencies_hz = arrays.get("frequencies_hz", "<f8", &[modes], f64::from_le_bytes)?;
    let decays = arrays.get("decays", "<f8", &[modes], f64::from_le_bytes)?;
    let coordinates = arrays.get("points", "<f8", &[points, 3], f64::from_le_bytes)?;
    let corners = arrays.get("triangles", "<u4", &[triangles, 3], u32::from_le_bytes)?;
    let gains = match arrays.has("shapes") {
        false => Gains::Normal(arrays.get("gains", "<f4", &[points, modes], f32::from_le_bytes)?),
        true => Gains::Vector {
            levels: arrays.get("levels", "<f4", &[modes], f32::from_le_bytes)?,
            shapes: arrays.get("shapes", "<f2", &[points, modes, 3], half::f16::from_le_bytes)?,
        },
    };
    let vibration = match arrays.has("pressures") {
        true => Some(Vibration {
            pressures_pa: arrays.get("pressures", "<f4", &[modes], f32::from_le_bytes)?,
            free: free.unwrap_or(true),
        }),
        false => None,
    };
    let directivity = match directivity.filter(|_| arrays.has("directivity")) {
        Some(DirectivityJson { first_hz, bands, degree }) => {
            let shape = [bands, degree.saturating_add(1).saturating_pow(2)];
            let coefficients = arrays.get("directivity", "<f4", &shape, f32::from_le_bytes)?;
            Some(Directivity::new(first_hz, degree, coefficients)?)
        }
        None => None,
    };
    let model = ModalModel::new(ModalParts {
        name,
        frequencies_hz,
        decays,
        points: coordinates.as_chunks().0.to_vec(),
        triangles: corners.as_chunks().0.to_vec(),
        gains,
        body: body.into(),
        vibration,
        rigid: rigid.map(|axes| axes.map(Into::into)),
        directivity,
    })?;
    Ok((model, provenance.filter(Provenance::is_sound)))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, FileError> {
    let short = FileError::Truncated { found: bytes.len(), what: "first 16 bytes" };
    let four = bytes.get(at..).and_then(|tail| tail.first_chunk()).ok_or(short)?;
    Ok(u32::from_le_bytes(*four))
}

/// The arrays that the header lists, and the bytes that must contain them.
struct Arrays<'a> {
    arrays: &'a [Array],
    data: &'a [u8],
}

impl Arrays<'_> {
    fn has(&self, name: &str) -> bool {
        self.arrays.iter().any(|a| a.name == name)
    }

    fn get<T, const N: usize>(
        &self,
        name: &'static str,
        dtype: &str,
        shape: &[usize],
        from: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, FileError> {
        let wrong = |problem: String| FileError::Array { name, problem };
        let array = self
            .arrays
            .iter()
            .find(|a| a.name == name)
            .ok_or_else(|| wrong("it is missing".into()))?;
        if array.dtype != dtype || array.shape != shape {
            return Err(wrong(format!("it must be of type {dtype} and shape {shape:?}")));
        }
        let length = shape.iter().try_fold(N, |bytes, n| bytes.checked_mul(*n));
        let within = length
            .and_then(|length| self.data.get(array.offset..)?.get(..length))
            .ok_or_else(|| wrong("it reaches beyond the end of the file".into()))?;
        Ok(within.as_chunks::<N>().0.iter().map(|chunk| from(*chunk)).collect())
    }
}
