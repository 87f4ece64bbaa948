//! STL, ASCII and binary. Identical corners become one vertex, since STL repeats them for every
//! triangle.

use super::text::{at_line, lines, name, point, words};
use crate::mesh::MeshError;
use crate::mesh::read::builder::{Builder, VertexMap};

/// 80 bytes of comment and the number of triangles.
const HEADER: usize = 84;
/// Normal, three corners, attribute.
const RECORD: usize = 50;

pub(super) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), MeshError> {
    let count = bytes
        .get(80..HEADER)
        .and_then(|b| b.try_into().ok())
        .map(|b| u64::from(u32::from_le_bytes(b)));
    let room = bytes.len().saturating_sub(HEADER) / RECORD;
    // Some programs begin binary files with `solid` too: the size decides.
    let exact = count.is_some_and(|n| HEADER as u64 + n * RECORD as u64 == bytes.len() as u64);
    let text = bytes.trim_ascii_start().starts_with(b"solid");
    match count {
        _ if text && !exact => ascii(bytes, builder),
        Some(count) if count <= room as u64 => binary(bytes, count as usize, builder),
        Some(count) => Err(MeshError::Syntax {
            format: "STL",
            place: "byte 80".to_owned(),
            problem: format!(
                "the header claims {count} triangles, the file has room for {room}: it is \
                 cut short or damaged"
            ),
        }),
        None => Err(MeshError::Syntax {
            format: "STL",
            place: "byte 0".to_owned(),
            problem: format!(
                "neither text that begins with `solid` nor {HEADER} bytes of binary header"
            ),
        }),
    }
}

fn binary(bytes: &[u8], count: usize, builder: &mut Builder) -> Result<(), MeshError> {
    builder.expect(0, count as u64, (bytes.len(), RECORD))?;
    let mut corners = VertexMap::new();
    for record in bytes[HEADER..].chunks_exact(RECORD).take(count) {
        let mut triangle = [0; 3];
        for (vertex, b) in triangle.iter_mut().zip(record[12..48].chunks_exact(12)) {
            let float = |i: usize| f32::from_le_bytes([b[i], b[i + 1], b[i + 2], b[i + 3]]);
            // Adding 0 makes −0 and 0 the same.
            let at = [float(0) + 0.0, float(4) + 0.0, float(8) + 0.0];
            *vertex = corners.vertex(builder, at.map(f32::to_bits), at.map(f64::from))?;
        }
        builder.triangle(triangle)?;
    }
    Ok(())
}

fn ascii(bytes: &[u8], builder: &mut Builder) -> Result<(), MeshError> {
    let mut corners = VertexMap::new();
    let mut triangle = [0; 3];
    let mut seen = 0;
    for (line, text) in lines(bytes) {
        let mut words = words(text);
        match words.next() {
            Some(b"solid") => {
                builder.name(&name(&text.trim_ascii_start()[b"solid".len()..]));
            }
            Some(b"vertex") => {
                let at = point(&mut words)
                    .ok_or_else(|| at_line("STL", line, "a vertex needs three numbers"))?
                    .map(|x| x + 0.0);
                if seen == 3 {
                    return Err(at_line("STL", line, "a facet has more than three corners"));
                }
                triangle[seen] = corners.vertex(builder, at.map(f64::to_bits), at)?;
                seen += 1;
            }
            Some(b"endfacet") => {
                if seen != 3 {
                    let problem = format!("a facet ends with {seen} of its three corners");
                    return Err(at_line("STL", line, problem));
                }
                builder.triangle(triangle)?;
                seen = 0;
            }
            _ => {}
        }
    }
    match seen {
        0 => Ok(()),
        _ => Err(at_line("STL", lines(bytes).count(), "the file ends inside a facet")),
    }
}
