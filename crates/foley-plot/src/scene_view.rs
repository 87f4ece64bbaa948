//! Pictures of a scene at any time: its colliders, seen from the listener, so that left and right agree
//! in picture and sound.

mod pose_timeline;
mod collider_mesh;
mod material_color;
mod hail_streaks;
mod framing;

use foley_geometry::Collider;
use foley_physics::Event;
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::sonify::SceneEvent;
use glam::DVec3;

use crate::surface::rasterizer::{Raster, render};
use crate::surface::shading::Light;
use crate::surface::view::{View, Window};
use collider_mesh::ColliderMesh;
use hail_streaks::HailStreaks;
use material_color::{Flashes, ICE, SHADOW, TILES, color, color_index, value};
use pose_timeline::PoseTimeline;

/// Tiles along a side of the ground.
const GROUND: i32 = 14;

/// A scene that can be drawn at any time.
pub struct SceneView<'a> {
    seconds: f64,
    timeline: PoseTimeline<'a>,
    flashes: Flashes,
    /// Mesh of each object.
    meshes: Vec<ColliderMesh>,
    colors: Vec<usize>,
    hail: Option<HailStreaks>,
    view: View,
    /// Framed area in the view's plane: left bottom, right top.
    shown: [[f64; 2]; 2],
    /// Height of the ground, its centre, and the side of a tile, m.
    ground: Option<(f64, [f64; 2], f64)>,
}

/// The triangles of one frame.
#[derive(Default)]
struct FrameMesh {
    points: Vec<DVec3>,
    triangles: Vec<[usize; 3]>,
    normals: Vec<DVec3>,
    values: Vec<f32>,
}

impl<'a> SceneView<'a> {
    /// Prepares the view of a rendered scene from its events.
    pub fn new(scene: &'a Scene, prepared: &Prepared, events: &'a [SceneEvent]) -> Self {
        let timeline = PoseTimeline::new(scene, events);
        let strikes: Vec<(usize, f64)> = scene.strikes.iter().map(|s| (s.object, s.at_s)).collect();
        let flashes = Flashes::new(scene.objects.len(), events, &strikes);
        let meshes: Vec<ColliderMesh> = prepared.objects.iter().map(ColliderMesh::of).collect();
        let colors = scene.objects.iter().map(|o| color_index(&o.material.name)).collect();
        let framed_area = framing::bounds(&timeline, &meshes, scene.seconds);
        let shown_m = framed_area.0;
        let view = framing::view(&scene.listener, shown_m);
        let mut hailed = vec![false; scene.objects.len()];
        for one in events {
            if let SceneEvent::Physics(Event::HailImpact(stone)) = one
                && let Some(hailed) = hailed.get_mut(stone.body as usize)
            {
                *hailed = true;
            }
        }
        let is_struck = |object: usize| hailed[object] || flashes.is_any(object);
        let shown =
            framing::frame(&timeline, &meshes, scene.seconds, &view, framed_area, &is_struck);
        let ground = prepared
            .objects
            .iter()
            .position(|object| object.collider.as_deref() == Some(&Collider::HalfSpace));
        let ground = ground.map(|object| {
            let height = scene.objects[object].pose.position_m[2];
            let side =
                [0, 1].map(|k| shown[1][k] - shown[0][k]).iter().copied().fold(0.0, f64::max);
            (height, shown_m.truncate().to_array(), framing::round(0.18 * side))
        });
        let hail = HailStreaks::over(scene, prepared);
        Self {
            seconds: scene.seconds,
            timeline,
            flashes,
            meshes,
            colors,
            hail,
            view,
            shown,
            ground,
        }
    }

    /// Returns the duration of the scene, s.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Returns the time of the strongest impacts, s.
    pub fn busiest_s(&self) -> f64 {
        let seconds = self.seconds;
        let life =
            |at_s: f64| (0..self.meshes.len()).map(|k| self.flashes.at(k, at_s)).sum::<f64>();
        let lives = framing::moments(seconds).map(|at_s| (life(at_s), at_s));
        let most = lives.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(life, _)| *life > 0.0);
        most.map_or(0.5 * seconds, |(_, at_s)| at_s)
    }

    /// Renders the pixels at a time, row after row.
    pub fn frame(&self, at_s: f64, size: (usize, usize)) -> Vec<[u8; 3]> {
        let mut frame = FrameMesh::default();
        if let Some(ground) = self.ground {
            self.lay_ground(&mut frame, ground);
        }
        for (object, mesh) in self.meshes.iter().enumerate() {
            self.put(&mut frame, object, mesh, at_s);
        }
        if let Some(hail) = &self.hail {
            for streak in hail.streaks(at_s, &self.view, self.shown) {
                let to_the_eye = [DVec3::Z; 4].into_iter();
                let two = [[0, 1, 2], [0, 2, 3]];
                frame.add(streak.into_iter(), to_the_eye, &two, value(ICE, 0.0));
            }
        }
        let corners = self.shown.map(|[x, y]| DVec3::new(x, y, 0.0));
        let window = Window::around(corners.into_iter(), size);
        let FrameMesh { points, triangles, normals, values } = &frame;
        let scene = Raster {
            points,
            triangles,
            normals,
            values,
            colors: color,
            nodes: &[],
            lines: &[],
            light: Light::FORM,
        };
        render(&scene, &window)
    }

    fn put(&self, frame: &mut FrameMesh, object: usize, mesh: &ColliderMesh, at_s: f64) {
        let pose = self.timeline.at(object, at_s);
        let lit = value(self.colors[object], self.flashes.at(object, at_s));
        let places: Vec<DVec3> =
            mesh.points.iter().map(|p| pose.apply(p.to_array()).into()).collect();
        let normals = mesh.normals.iter().map(|n| self.view.of(pose.rotate(n.to_array()).into()));
        frame.add(places.iter().map(|p| self.view.of(*p)), normals, &mesh.triangles, lit);
        let Some((height, _, tile)) = self.ground else { return };
        // The shadow is the projection along z. It lies slightly
        // above the tiles, and both slightly below objects that penetrate the ground.
        let above = places.iter().map(|p| p.z).fold(f64::INFINITY, f64::min) - height;
        if (-0.1 * tile..4.0 * tile).contains(&above) {
            let flat = places.iter().map(|p| self.view.of(p.with_z(height - 2e-3 * tile)));
            let up = self.view.of(DVec3::Z);
            let normals = std::iter::repeat_n(up, places.len());
            frame.add(flat, normals, &mesh.triangles, value(SHADOW, 0.0));
        }
    }

    fn lay_ground(&self, frame: &mut FrameMesh, (height, middle, tile): (f64, [f64; 2], f64)) {
        // Tiles are fixed in space, whatever part of them is framed.
        let first = middle.map(|m| (m / tile).round() as i32 - GROUND / 2);
        let up = self.view.of(DVec3::Z);
        for (i, j) in (0..GROUND).flat_map(|i| (0..GROUND).map(move |j| (i, j))) {
            let (x, y) = (first[0].saturating_add(i), first[1].saturating_add(j));
            let corner = |dx: i32, dy: i32| {
                let at = [f64::from(x) + f64::from(dx), f64::from(y) + f64::from(dy)];
                self.view.of(DVec3::new(tile * at[0], tile * at[1], height - 4e-3 * tile))
            };
            let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let paint = TILES[(x ^ y) as usize & 1];
            let two = [[0, 1, 2], [0, 2, 3]];
            frame.add(corners.into_iter(), [up; 4].into_iter(), &two, value(paint, 0.0));
        }
    }
}

impl FrameMesh {
    fn add(
        &mut self,
        points: impl Iterator<Item = DVec3>,
        normals: impl Iterator<Item = DVec3>,
        triangles: &[[usize; 3]],
        value: f32,
    ) {
        let first = self.points.len();
        self.points.extend(points);
        self.normals.extend(normals);
        self.values.resize(self.points.len(), value);
        self.triangles.extend(triangles.iter().map(|t| t.map(|k| first + k)));
    }
}
