//! Mesh export as OBJ and STL.

use super::Mesh;
use crate::vector::{area_vector, unit_or_zero};
use glam::DVec3;
use std::io::{self, Write};

/// Writes an OBJ file: exact coordinates in metres, one object and material for each part.
pub fn write_obj(mesh: &Mesh, to: &mut impl Write) -> io::Result<()> {
    for [x, y, z] in &mesh.vertices {
        writeln!(to, "v {x} {y} {z}")?;
    }
    let mut part = None;
    for (t, [a, b, c]) in mesh.triangles.iter().enumerate() {
        let now = mesh.part_of(t);
        if now != part
            && let Some(p) = now
        {
            writeln!(to, "o {}", one_line(&p.name))?;
            writeln!(to, "usemtl {}", one_line(p.material.as_deref().unwrap_or_default()))?;
        }
        part = now;
        writeln!(to, "f {} {} {}", u64::from(*a) + 1, u64::from(*b) + 1, u64::from(*c) + 1)?;
    }
    Ok(())
}

fn one_line(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// Writes a binary STL file in metres: single precision, no parts.
///
/// # Panics
/// When a vertex index is out of range.
pub fn write_stl(mesh: &Mesh, to: &mut impl Write) -> io::Result<()> {
    let count = u32::try_from(mesh.triangles.len()).map_err(io::Error::other)?;
    let mut header = [b' '; 80];
    let text = b"Foley mesh in metres";
    header[..text.len()].copy_from_slice(text);
    to.write_all(&header)?;
    to.write_all(&count.to_le_bytes())?;
    for t in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(t);
        let normal = unit_or_zero(area_vector([a, b, c]));
        for x in [normal, a, b, c].iter().flat_map(DVec3::as_ref) {
            to.write_all(&(*x as f32).to_le_bytes())?;
        }
        to.write_all(&[0; 2])?;
    }
    Ok(())
}
