//! Stanford PLY: ASCII, and binary of either byte order.
//!
//! Unknown elements and properties are skipped; vertices need `x`, `y`, `z`, faces need a list
//! `vertex_indices` or `vertex_index`.

mod body;
mod header;

use crate::mesh::MeshError;
use crate::mesh::read::builder::Builder;
use body::Body;
use header::{Element, Header, Property};

/// Returns a syntax error of this format.
fn wrong(place: impl Into<String>, problem: impl Into<String>) -> MeshError {
    MeshError::Syntax { format: "PLY", place: place.into(), problem: problem.into() }
}

pub(super) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), MeshError> {
    let header = Header::read(bytes)?;
    let mut body = Body::new(&bytes[header.length..], header.encoding);
    for element in &header.elements {
        // Elements without properties occupy no bytes, whatever their count.
        if element.properties.is_empty() {
            continue;
        }
        match element.name.as_str() {
            "vertex" => vertices(element, &mut body, builder)?,
            "face" => faces(element, &mut body, builder)?,
            _ => skip(element, &mut body)?,
        }
    }
    Ok(())
}

fn vertices(element: &Element, body: &mut Body, builder: &mut Builder) -> Result<(), MeshError> {
    let axes = ["x", "y", "z"];
    let axis: Vec<Option<usize>> = element
        .properties
        .iter()
        .map(|p| axes.iter().position(|a| *a == p.name && p.list.is_none()))
        .collect();
    if let Some(missing) = (0..3).find(|i| !axis.contains(&Some(*i))) {
        let problem = format!("the vertices have no property `{}`", axes[missing]);
        return Err(wrong("header", problem));
    }
    builder.expect(element.count, 0, (body.remaining(), element.properties.len()))?;
    for i in 0..element.count {
        let place = |p: &Property| format!("vertex {i}, `{}`", p.name);
        let mut at = [0.0; 3];
        for (property, axis) in element.properties.iter().zip(&axis) {
            match axis {
                Some(axis) => at[*axis] = body.value(property.kind, || place(property))?,
                None => body.skip(property, || place(property))?,
            }
        }
        builder.vertex(at)?;
    }
    Ok(())
}

fn faces(element: &Element, body: &mut Body, builder: &mut Builder) -> Result<(), MeshError> {
    let is_corners =
        |p: &Property| p.list.is_some() && ["vertex_indices", "vertex_index"].contains(&&*p.name);
    if !element.properties.iter().any(is_corners) {
        return Err(wrong("header", "the faces have no list `vertex_indices`"));
    }
    builder.expect(0, element.count, (body.remaining(), element.properties.len()))?;
    let vertices = builder.vertices.len();
    let mut corners: Vec<u32> = Vec::new();
    for i in 0..element.count {
        for property in &element.properties {
            let place = || format!("face {i}, `{}`", property.name);
            let (true, Some(length)) = (is_corners(property), property.list) else {
                body.skip(property, place)?;
                continue;
            };
            corners.clear();
            for _ in 0..body.length(length, place)? {
                let index = body.value(property.kind, place)?;
                if !(index.fract() == 0.0 && (0.0..vertices as f64).contains(&index)) {
                    let problem =
                        format!("refers to vertex {index}; {vertices} are defined above it");
                    return Err(wrong(place(), problem));
                }
                corners.push(index as u32);
            }
            builder.face(&corners)?;
        }
    }
    Ok(())
}

fn skip(element: &Element, body: &mut Body) -> Result<(), MeshError> {
    for i in 0..element.count {
        for property in &element.properties {
            body.skip(property, || format!("{} {i}, `{}`", element.name, property.name))?;
        }
    }
    Ok(())
}
