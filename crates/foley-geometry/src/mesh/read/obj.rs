//! Wavefront OBJ: `v`, `f`, `o`, `g` and `usemtl`; other statements are ignored.

use super::text::{at_line, lines, name, number, point, shown, words};
use crate::mesh::MeshError;
use crate::mesh::read::builder::Builder;
use std::borrow::Cow;

pub(super) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), MeshError> {
    let text = joined(bytes);
    let mut corners = Vec::new();
    for (line, text) in lines(&text) {
        let mut words = words(text);
        let Some(key) = words.next() else { continue };
        let rest = || name(&text.trim_ascii_start()[key.len()..]);
        match key {
            b"v" => {
                let at = point(&mut words)
                    .ok_or_else(|| at_line("OBJ", line, "a vertex needs three numbers"))?;
                builder.vertex(at)?;
            }
            b"f" => {
                corners.clear();
                for word in words {
                    corners.push(corner(word, builder.vertices.len(), line)?);
                }
                if corners.len() < 3 {
                    return Err(at_line("OBJ", line, "a face needs at least three corners"));
                }
                builder.face(&corners)?;
            }
            b"o" | b"g" => builder.name(&rest()),
            b"usemtl" => builder.material(Some(rest().as_str()).filter(|name| !name.is_empty())),
            _ => {}
        }
    }
    Ok(())
}

/// Joins lines that end in `\` with the next one.
fn joined(bytes: &[u8]) -> Cow<'_, [u8]> {
    let continued = |w: &[u8]| w[0] == b'\\' && matches!(w[1], b'\n' | b'\r');
    if !bytes.windows(2).any(continued) {
        return Cow::Borrowed(bytes);
    }
    let mut text = bytes.to_vec();
    for i in 0..text.len() - 1 {
        if continued(&text[i..i + 2]) {
            text[i..i + 2].fill(b' ');
            if text[i + 1..].starts_with(b" \n") {
                text[i + 2] = b' ';
            }
        }
    }
    Cow::Owned(text)
}

/// Parses `7`, `7/1`, `7//3` or `-1/…`: a vertex counted from 1, or backwards from the last.
fn corner(word: &[u8], vertices: usize, line: usize) -> Result<u32, MeshError> {
    let first = word.split(|&b| b == b'/').next().unwrap_or_default();
    let number = number(first).filter(|n| n.fract() == 0.0 && n.abs() <= f64::from(u32::MAX));
    let index = match number {
        Some(n) if n > 0.0 => Some(n as i64 - 1),
        Some(n) if n < 0.0 => Some(vertices as i64 + n as i64),
        _ => None,
    };
    match index {
        Some(index) if (0..vertices as i64).contains(&index) => Ok(index as u32),
        Some(_) => {
            let shown = shown(word);
            let problem =
                format!("a face refers to vertex `{shown}`; {vertices} are defined above it");
            Err(at_line("OBJ", line, problem))
        }
        None => {
            let shown = shown(word);
            Err(at_line("OBJ", line, format!("`{shown}` is not the number of a vertex")))
        }
    }
}
