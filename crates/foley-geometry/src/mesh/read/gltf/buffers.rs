//! Buffers of a glTF file: from the GLB container, a data URI, or a file in the same folder or
//! below it. Other locations are refused.

use super::document::Document;
use super::wrong;
use crate::bounded_read::ReadCause;
use crate::mesh::MeshError;
use crate::mesh::read::Siblings;
use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Component, Path};

/// Loads all buffers; their total size is at most `limit` bytes.
pub(super) fn load<'a>(
    document: &Document,
    binary: Option<&'a [u8]>,
    siblings: Option<Siblings<'a>>,
    limit: u64,
) -> Result<Vec<Cow<'a, [u8]>>, MeshError> {
    let mut left = limit;
    let mut buffers = Vec::new();
    for (i, buffer) in document.buffers.iter().enumerate() {
        let place = || format!("buffer {i}");
        let bytes = match (&buffer.uri, binary) {
            (None, Some(binary)) if i == 0 => Cow::Borrowed(binary),
            (None, _) => return Err(wrong(place(), "it has no `uri` and no binary chunk")),
            (Some(uri), _) => {
                let bytes = match uri.strip_prefix("data:") {
                    Some(data) => {
                        Cow::Owned(embedded(data).map_err(|problem| wrong(place(), problem))?)
                    }
                    None => external(uri, siblings, left, &place)?,
                };
                left = left.saturating_sub(bytes.len() as u64);
                bytes
            }
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let (claims, found) = (buffer.byte_length, bytes.len());
            let problem = format!("it claims {claims} bytes, {found} are there: cut short?");
            return Err(wrong(place(), problem));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn external<'a>(
    uri: &str,
    siblings: Option<Siblings<'a>>,
    limit: u64,
    place: &dyn Fn() -> String,
) -> Result<Cow<'a, [u8]>, MeshError> {
    let shown: String = uri.chars().take(80).collect();
    let refused = |why: &str| wrong(place(), format!("`{shown}` {why}"));
    let Siblings { assets, folder } =
        siblings.ok_or_else(|| refused("is another file: read the mesh from its folder"))?;
    let name = unescaped(uri).ok_or_else(|| refused("is not a file name"))?;
    let plain = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    let outside = "is outside the folder of the file: move it beside the file";
    if name.contains([':', '\\', '\0']) || !Path::new(&name).components().all(plain) {
        return Err(refused(outside));
    }
    assets.load_below(folder, Path::new(&name), limit).map_err(|error| match error.cause {
        ReadCause::Outside => refused(outside),
        ReadCause::Open(cause) if cause.kind() == ErrorKind::NotFound => {
            refused("cannot be found beside the file")
        }
        _ => error.into(),
    })
}

/// Decodes percent escapes.
fn unescaped(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, next)) = rest.split_first() {
        rest = next;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, next) = rest.split_first_chunk::<2>()?;
        let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
        bytes.push(digit(digits[0])? << 4 | digit(digits[1])?);
        rest = next;
    }
    String::from_utf8(bytes).ok()
}

/// Decodes a base 64 data URI.
fn embedded(data: &str) -> Result<Vec<u8>, &'static str> {
    let (kind, text) = data.split_once(',').ok_or("its data URI has no comma")?;
    if !kind.ends_with(";base64") {
        return Err("its data URI is not in base 64");
    }
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for group in text.chunks(4) {
        let mut word = 0;
        for &b in group {
            let value = match b {
                b'A'..=b'Z' => b - b'A',
                b'a'..=b'z' => b - b'a' + 26,
                b'0'..=b'9' => b - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return Err("its data URI has a character that is not base 64"),
            };
            word = word << 6 | u32::from(value);
        }
        let missing = 4 - group.len();
        let word = (word << (6 * missing)).to_be_bytes();
        bytes.extend(&word[1..4usize.saturating_sub(missing).max(1)]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_as_in_rfc_4648() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")]
        {
            let uri = format!("application/octet-stream;base64,{text}");
            assert_eq!(embedded(&uri).unwrap(), bytes.as_bytes());
        }
        assert!(embedded("text/plain,hello").is_err());
        assert!(embedded(";base64,Zm9*").is_err());
        assert!(embedded(";base64,Z").unwrap().is_empty());
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescaped("a%20b.bin").as_deref(), Some("a b.bin"));
        assert_eq!(unescaped("%2"), None);
        assert_eq!(unescaped("%zz"), None);
    }
}
