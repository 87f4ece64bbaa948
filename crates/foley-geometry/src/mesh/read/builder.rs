//! Mesh builder of the readers: enforces limits, collects parts.

use super::{Limits, triangulate};
use crate::mesh::{Mesh, MeshError, Part};
use std::collections::HashMap;
use std::hash::Hash;

/// Limit on named parts.
const MAX_PARTS: usize = 1 << 16;

/// Collects vertices and triangles from a reader, within [`Limits`].
pub(super) struct Builder {
    limits: Limits,
    /// Metres per unit of the file.
    unit_m: f64,
    pub(super) vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Part of every triangle.
    part_of: Vec<u32>,
    parts: Vec<Name>,
    known: HashMap<Name, u32>,
    name: Name,
    /// Index of the current part, once it has a triangle.
    current: Option<u32>,
    ear_work: u64,
}

/// A part's name and material.
type Name = (String, Option<String>);

impl Builder {
    pub(super) fn new(limits: Limits, unit_m: f64) -> Self {
        Self {
            limits,
            unit_m,
            vertices: Vec::new(),
            triangles: Vec::new(),
            part_of: Vec::new(),
            parts: Vec::new(),
            known: HashMap::new(),
            name: Name::default(),
            current: None,
            ear_work: triangulate::EAR_WORK,
        }
    }

    /// Reserves memory for the counts of a header. `bytes` remain in the file and each item takes
    /// at least `size` of them: counts that do not fit into them are false.
    pub(super) fn expect(
        &mut self,
        vertices: u64,
        triangles: u64,
        (bytes, size): (usize, usize),
    ) -> Result<(), MeshError> {
        let room = bytes / size.max(1);
        for (what, count, limit) in [
            ("vertices", vertices, self.limits.vertices),
            ("triangles", triangles, self.limits.triangles),
        ] {
            if count > room as u64 {
                return Err(MeshError::NoRoom { what, count, room });
            }
            check(what, count, limit)?;
        }
        self.vertices.reserve(vertices as usize);
        self.triangles.reserve(triangles as usize);
        Ok(())
    }

    pub(super) fn vertex(&mut self, at: [f64; 3]) -> Result<u32, MeshError> {
        let count = self.vertices.len();
        check("vertices", count as u64 + 1, self.limits.vertices)?;
        self.vertices.push(at.map(|x| x * self.unit_m));
        Ok(count as u32)
    }

    pub(super) fn triangle(&mut self, corners: [u32; 3]) -> Result<(), MeshError> {
        check("triangles", self.triangles.len() as u64 + 1, self.limits.triangles)?;
        let part = match self.current {
            Some(part) => part,
            None => self.part()?,
        };
        self.triangles.push(corners);
        self.part_of.push(part);
        Ok(())
    }

    /// Adds a face with any number of corners, which must exist.
    pub(super) fn face(&mut self, corners: &[u32]) -> Result<(), MeshError> {
        match *corners {
            [a, b, c] => self.triangle([a, b, c]),
            _ => {
                for t in triangulate::triangulate(&self.vertices, corners, &mut self.ear_work) {
                    self.triangle(t)?;
                }
                Ok(())
            }
        }
    }

    /// Starts an object or group.
    pub(super) fn name(&mut self, name: &str) {
        if self.name.0 != name {
            self.name.0 = name.to_owned();
            self.current = None;
        }
    }

    /// Sets the material of the following faces.
    pub(super) fn material(&mut self, material: Option<&str>) {
        if self.name.1.as_deref() != material {
            self.name.1 = material.map(str::to_owned);
            self.current = None;
        }
    }

    fn part(&mut self) -> Result<u32, MeshError> {
        let part = match self.known.get(&self.name) {
            Some(&part) => part,
            None => {
                let part = self.parts.len();
                check("named parts", part as u64 + 1, MAX_PARTS)?;
                self.parts.push(self.name.clone());
                self.known.insert(self.name.clone(), part as u32);
                part as u32
            }
        };
        self.current = Some(part);
        Ok(part)
    }

    /// Returns the mesh, its triangles sorted by part and otherwise in the order of the file.
    pub(super) fn finish(self) -> Result<Mesh, MeshError> {
        if self.triangles.is_empty() {
            return Err(MeshError::NoTriangles);
        }
        let mut starts = vec![0; self.parts.len() + 1];
        for &part in &self.part_of {
            starts[part as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let ranges: Vec<_> = starts.windows(2).map(|w| w[0]..w[1]).collect();
        let sorted = self.part_of.is_sorted();
        let triangles = if sorted {
            self.triangles
        } else {
            let mut triangles = vec![[0; 3]; self.triangles.len()];
            for (&t, &part) in self.triangles.iter().zip(&self.part_of) {
                triangles[starts[part as usize]] = t;
                starts[part as usize] += 1;
            }
            triangles
        };
        let part = |((name, material), triangles)| Part { name, material, triangles };
        let parts = self.parts.into_iter().zip(ranges).map(part).collect();
        Ok(Mesh { vertices: self.vertices, triangles, parts })
    }
}

/// Merges vertices that are bit-identical.
pub(super) struct VertexMap<K>(HashMap<K, u32>);

impl<K: Hash + Eq> VertexMap<K> {
    pub(super) fn new() -> Self {
        Self(HashMap::new())
    }

    pub(super) fn vertex(
        &mut self,
        builder: &mut Builder,
        key: K,
        at: [f64; 3],
    ) -> Result<u32, MeshError> {
        match self.0.get(&key) {
            Some(&vertex) => Ok(vertex),
            None => {
                let vertex = builder.vertex(at)?;
                self.0.insert(key, vertex);
                Ok(vertex)
            }
        }
    }
}

fn check(what: &'static str, found: u64, limit: usize) -> Result<(), MeshError> {
    if found > limit as u64 {
        return Err(MeshError::Limit { what, found, limit: limit as u64 });
    }
    Ok(())
}
