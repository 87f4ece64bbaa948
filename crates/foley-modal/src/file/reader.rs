//! From bytes to a model. The bytes may be anything.

use super::header::{Array, Header};
use super::{FileError, MAGIC, PREFIX, VERSION};
use foley_dsp::model::{ModalModel, ModalParts};

/// Reads the bytes of a `.modal` file.
///
/// No bytes can make it panic or allocate much more than they hold themselves: every
/// array must lie within the file before a place is made for it.
pub fn read(bytes: &[u8]) -> Result<ModalModel, FileError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(FileError::NotModal);
    }
    let found = u32_at(bytes, 8)?;
    if found != VERSION {
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
        .and_then(|rest| rest.split_at_checked(json_length))
        .ok_or(FileError::Truncated { found: bytes.len(), what: "header" })?;
    let header: Header =
        serde_json::from_slice(json).map_err(|e| FileError::Header(e.to_string()))?;
    let Header { name, modes, points, triangles, body, arrays } = header;

    let arrays = Arrays { arrays: &arrays, data };
    let coordinates = arrays.get("points", "<f8", &[points, 3], f64::from_le_bytes)?;
    let corners = arrays.get("triangles", "<u4", &[triangles, 3], u32::from_le_bytes)?;
    Ok(ModalModel::new(ModalParts {
        name,
        frequencies_hz: arrays.get("frequencies_hz", "<f8", &[modes], f64::from_le_bytes)?,
        decays: arrays.get("decays", "<f8", &[modes], f64::from_le_bytes)?,
        points: coordinates.as_chunks().0.to_vec(),
        triangles: corners.as_chunks().0.to_vec(),
        gains: arrays.get("gains", "<f4", &[points, modes], f32::from_le_bytes)?,
        body: body.into(),
    })?)
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, FileError> {
    let short = FileError::Truncated { found: bytes.len(), what: "first 16 bytes" };
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or(short)?;
    Ok(u32::from_le_bytes(*four))
}

/// The arrays that the header promises, and the bytes they must lie in.
struct Arrays<'a> {
    arrays: &'a [Array],
    data: &'a [u8],
}

impl Arrays<'_> {
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
