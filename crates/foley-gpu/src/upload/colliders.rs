//! Colliders as flat arrays for the shaders.

use super::flatten::flatten;
use crate::upload::layout::{Collider, Node, Part, Triangle};
use crate::upload::local_space::LocalSpace;
use foley_geometry::bvh::Aabb;
use foley_hail::map::Patch;
use foley_hail::target::{ImplicitSurface, Outline, Plane, Quadric};
use foley_hail::{CheckedTarget, HailError, ImpactFilter, PartRole, Region, TargetSet};
use glam::DVec3;

/// The collider arrays of the shaders.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColliderBuffers {
    pub(crate) nodes: Vec<Node>,
    /// The ends of the BVHs over planes, quadrics and meshes; the BVHs of the meshes follow. One for each kind,
    /// which reduces divergence between neighbouring threads.
    pub(crate) trees: [u32; 3],
    pub(crate) colliders: Vec<Collider>,
    pub(crate) parts: Vec<Part>,
    pub(crate) triangles: Vec<Triangle>,
}

impl ColliderBuffers {
    pub(crate) fn new(
        colliders: &TargetSet,
        local: &LocalSpace,
        patches: &[Patch],
        uploaded: ImpactFilter,
    ) -> Result<Self, HailError> {
        let mut scene = Self::default();
        for kind in 0..3 {
            let those = (0_u32..).zip(colliders.as_slice());
            let those = those.filter(|(_, target)| {
                kind_of(target.implicit()) == kind
                    && (uploaded == ImpactFilter::All || !target.target().silent)
            });
            let (numbers, boxes): (Vec<u32>, Vec<Aabb>) =
                those.map(|(number, target)| (number, target.target().surface.bounds())).unzip();
            let tree = foley_hail::bvh::build(&boxes, 1)?;
            flatten(&tree, local, &mut scene.nodes, |node, out| {
                // One leaf for each collider, with a direct link to it.
                let range = node.link as usize..(node.link + node.count) as usize;
                let links = tree.order()[range].iter().map(|i| numbers[*i as usize]);
                out.extend(links.map(|link| Node { link, count: 1, ..node }));
            });
            scene.trees[kind] = scene.nodes.len() as u32;
        }
        for (number, target) in colliders.as_slice().iter().enumerate() {
            let patch = patches
                .get(number)
                .map_or([0; 4], |patch| [patch.at[0], patch.at[1], patch.size[0], patch.size[1]]);
            let collider = scene.collider(target, local, patch);
            scene.colliders.push(collider);
        }
        Ok(scene)
    }

    fn collider(
        &mut self,
        target: &CheckedTarget,
        local: &LocalSpace,
        patch: [u32; 4],
    ) -> Collider {
        let first_part = self.parts.len() as u32;
        self.parts.extend(target.target().parts.iter().map(part));
        let end_part = self.parts.len() as u32;
        let collider = match target.implicit() {
            ImplicitSurface::Plane(plane) => plane_collider(plane, local),
            ImplicitSurface::Quadric(quadric) => quadric_collider(quadric, local),
            ImplicitSurface::Mesh(mesh) => self.mesh(mesh, local),
        };
        Collider { first_part, end_part, patch, ..collider }
    }

    fn mesh(&mut self, mesh: &foley_hail::bvh::TargetMesh, local: &LocalSpace) -> Collider {
        let from = self.nodes.len() as u32;
        let first = self.triangles.len() as u32;
        for number in mesh.bvh().order() {
            let corners = mesh.triangles()[*number as usize].map(|i| mesh.vertices_m()[i as usize]);
            let [a, b, c] = corners.map(DVec3::from_array);
            self.triangles.push(Triangle {
                corner: local.local(corners[0]),
                number: *number,
                ab: (b - a).as_vec3().to_array(),
                pad0: 0,
                ac: (c - a).as_vec3().to_array(),
                pad1: 0,
            });
        }
        flatten(mesh.bvh(), local, &mut self.nodes, |node, out| {
            out.push(Node { link: first + node.link, ..node });
        });
        let pairs = mesh.triangles().len().div_ceil(2);
        let columns = (pairs as f64).sqrt().ceil() as u32;
        let rows = (pairs as u32).div_ceil(columns);
        let tree = [from, self.nodes.len() as u32, rows, 0];
        Collider { kind: 3, columns, tree, ..bytemuck::Zeroable::zeroed() }
    }
}

/// Returns the index of the BVH that contains a surface.
fn kind_of(surface: &ImplicitSurface) -> usize {
    match surface {
        ImplicitSurface::Plane(_) => 0,
        ImplicitSurface::Quadric(_) => 1,
        ImplicitSurface::Mesh(_) => 2,
    }
}

fn plane_collider(plane: &Plane, local: &LocalSpace) -> Collider {
    let (kind, [d, e]) = match plane.outline {
        Outline::Quad([a, b, c, d]) => (0, [[a, b], [c, d]].map(two)),
        Outline::Disc => (1, [[0.0; 4]; 2]),
    };
    let abc = [plane.normal, plane.across, plane.along].map(four);
    Collider {
        kind,
        origin: four_at(local, plane.origin_m),
        abc,
        d,
        e,
        ..bytemuck::Zeroable::zeroed()
    }
}

fn quadric_collider(quadric: &Quadric, local: &LocalSpace) -> Collider {
    let [c, b, d] = quadric.form;
    let [lo, hi] = quadric.heights_m;
    // |∇f| = 2 √(ρ² + (c z + b/2)²), the maximum over both ends and the middle; ρ² = −(c z² + b z + d).
    let gradients = [lo, 0.5 * (lo + hi), hi].map(|z| {
        let rho2 = (-(c * z * z + b * z + d)).max(0.0);
        2.0 * (rho2 + (c * z + 0.5 * b).powi(2)).sqrt()
    });
    let near_zero = gradients.into_iter().fold(0.0, f64::max) * local.margin_m;
    let mut origin = four_at(local, quadric.origin_m);
    origin[3] = near_zero as f32;
    Collider {
        kind: 2,
        origin,
        abc: quadric.axes.map(four),
        d: [c as f32, b as f32, d as f32, 0.0],
        e: [lo as f32, hi as f32, 0.0, 0.0],
        ..bytemuck::Zeroable::zeroed()
    }
}

fn part(part: &foley_hail::Part) -> Part {
    let (kind, a, b) = match part.region {
        Region::Ellipse { centre_uv, radii_uv } => (0, centre_uv, radii_uv),
        Region::Rectangle { from_uv, to_uv } => (1, from_uv, to_uv),
        Region::Everywhere => (2, [0.0; 2], [0.0; 2]),
    };
    let [a, b] = [a, b].map(|uv| uv.map(|x| x as f32));
    Part { kind, hole: u32::from(part.role == PartRole::Hole), pad: [0; 2], a, b }
}

fn four([x, y, z]: [f64; 3]) -> [f32; 4] {
    [x as f32, y as f32, z as f32, 0.0]
}

fn four_at(local: &LocalSpace, position_m: [f64; 3]) -> [f32; 4] {
    let [x, y, z] = local.local(position_m);
    [x, y, z, 0.0]
}

fn two([[a, b], [c, d]]: [[f64; 2]; 2]) -> [f32; 4] {
    [a as f32, b as f32, c as f32, d as f32]
}
