//! GLB, the binary container: a header and two chunks.

use super::wrong;
use crate::mesh::MeshError;
use crate::mesh::read::text::without_mark;

/// Returns the JSON and, in a GLB file, the first buffer.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), MeshError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((without_mark(bytes), None));
    }
    let version = word(bytes, 4).ok_or_else(|| wrong("byte 4", "the file ends here"))?;
    if version != 2 {
        let problem = format!("this is version {version}; only version 2 is read: convert it");
        return Err(wrong("byte 4", problem));
    }
    let (json, next) = chunk(bytes, 12, b"JSON")?;
    let binary = match next < bytes.len() {
        true => Some(chunk(bytes, next, b"BIN\0")?.0),
        false => None,
    };
    Ok((json, binary))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

/// Returns the content of the chunk at an offset, and the offset of the next one.
fn chunk<'a>(bytes: &'a [u8], at: usize, kind: &[u8; 4]) -> Result<(&'a [u8], usize), MeshError> {
    let place = || format!("byte {at}");
    let length = word(bytes, at).ok_or_else(|| wrong(place(), "the file ends here"))? as usize;
    if bytes.get(at + 4..at + 8) != Some(kind) {
        let kind = String::from_utf8_lossy(kind).trim_end_matches('\0').to_owned();
        return Err(wrong(place(), format!("a chunk `{kind}` should begin here")));
    }
    let start = at + 8;
    let content = start.checked_add(length).and_then(|end| bytes.get(start..end));
    let content = content.ok_or_else(|| {
        let room = bytes.len() - start;
        wrong(place(), format!("the chunk claims {length} bytes, {room} are there: cut short?"))
    })?;
    Ok((content, start + length))
}
