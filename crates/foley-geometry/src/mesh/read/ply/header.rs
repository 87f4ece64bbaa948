//! Header of a PLY file.

use super::super::text::{shown, words};
use super::wrong;
use crate::mesh::MeshError;

/// Limits on the header, in bytes and in significant lines.
const MAX_BYTES: usize = 1 << 20;
const MAX_ITEMS: usize = 1000;

/// Encoding of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    Little,
    Big,
}

/// Type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn named(word: &[u8]) -> Option<Kind> {
        Some(match word {
            b"char" | b"int8" => Kind::I8,
            b"uchar" | b"uint8" => Kind::U8,
            b"short" | b"int16" => Kind::I16,
            b"ushort" | b"uint16" => Kind::U16,
            b"int" | b"int32" => Kind::I32,
            b"uint" | b"uint32" => Kind::U32,
            b"float" | b"float32" => Kind::F32,
            b"double" | b"float64" => Kind::F64,
            _ => return None,
        })
    }
}

/// One number, or a list of numbers.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Type of its length, when it is a list.
    pub(super) list: Option<Kind>,
}

/// A table of items of one kind.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Offset of the values.
    pub(super) length: usize,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Header, MeshError> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let (mut at, mut items) = (0, 0);
        for number in 1.. {
            let place = || format!("header, line {number}");
            let (line, next) = line(bytes, at).ok_or_else(|| {
                wrong(place(), "the header does not end; is this a PLY file, and all of it?")
            })?;
            at = next;
            let line: Vec<&[u8]> = words(line).take(6).collect();
            items += 1;
            match line.as_slice() {
                [b"ply"] if number == 1 => {}
                _ if number == 1 => {
                    return Err(wrong(place(), "the file does not begin with `ply`"));
                }
                [b"format", name, ..] => {
                    encoding = Some(match *name {
                        b"ascii" => Encoding::Ascii,
                        b"binary_little_endian" => Encoding::Little,
                        b"binary_big_endian" => Encoding::Big,
                        other => {
                            let problem = format!("unknown format `{}`", shown(other));
                            return Err(wrong(place(), problem));
                        }
                    });
                }
                [b"element", name, count] => {
                    let count = std::str::from_utf8(count).ok().and_then(|c| c.parse().ok());
                    let count = count
                        .ok_or_else(|| wrong(place(), "the number of elements is not a number"))?;
                    elements.push(Element { name: shown(name), count, properties: Vec::new() });
                }
                [b"property", rest @ ..] => {
                    let element = elements
                        .last_mut()
                        .ok_or_else(|| wrong(place(), "a property before any element"))?;
                    let property = property(rest).ok_or_else(|| {
                        wrong(place(), "a property needs a known type and a name")
                    })?;
                    element.properties.push(property);
                }
                [b"end_header"] => break,
                [b"comment" | b"obj_info", ..] | [] => items -= 1,
                [other, ..] => {
                    let problem = format!("unknown keyword `{}`", shown(other));
                    return Err(wrong(place(), problem));
                }
            }
            if items > MAX_ITEMS {
                return Err(wrong(place(), format!("more than {MAX_ITEMS} properties")));
            }
        }
        let encoding = encoding.ok_or_else(|| wrong("header", "no line says `format`"))?;
        Ok(Header { encoding, elements, length: at })
    }
}

fn property(words: &[&[u8]]) -> Option<Property> {
    let (list, kind, name) = match *words {
        [b"list", length, kind, name] => (Some(Kind::named(length)?), kind, name),
        [kind, name] => (None, kind, name),
        _ => return None,
    };
    Some(Property { name: shown(name), kind: Kind::named(kind)?, list })
}

/// Returns the line at an offset, and the offset of the next one.
fn line(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let rest = &bytes[at..bytes.len().min(MAX_BYTES).max(at)];
    let end = rest.iter().position(|b| *b == b'\n' || *b == b'\r')?;
    let both = bytes[at + end..].starts_with(b"\r\n");
    Some((&rest[..end], at + end + if both { 2 } else { 1 }))
}
