//! The page of a painted surface: one or two views, and the bar that explains the colours.

use anyhow::Result;

use super::body::{Body, normals};
use super::outline::outline;
use super::render::{Scene, render};
use super::shade::Light;
use super::vector::Vector;
use super::view::{self, View, Window};
use crate::axis::Scale;
use crate::color::{Color, FAINT};
use crate::panel::{color_bar, heading};
use crate::picture::{Anchor, Picture, Shape};

const WIDTH: u32 = 1600;
const LEFT: f32 = 60.0;
const TOP: f32 = 130.0;
const PANELS: f32 = 1360.0;
const GAP: f32 = 16.0;
/// The least and the most height of a view.
const HEIGHTS: (f32, f32) = (440.0, 810.0);
const BOTTOM: f32 = 48.0;

/// A painted surface.
pub(super) struct Painted<'a> {
    /// The surface at rest.
    pub body: &'a Body,
    /// Where its corners are drawn.
    pub points: Vec<Vector>,
    /// What is painted, 0 to 1; NaN where nothing is known.
    pub values: Vec<f32>,
    /// The colours of the values.
    pub colors: fn(f64) -> Color,
    /// How strongly the line where the value is ½ is drawn, for each triangle; or empty.
    pub nodes: Vec<f32>,
    /// How it is lit.
    pub light: Light,
    /// Whether the surface at rest is outlined.
    pub at_rest: bool,
}

/// What the page says.
pub(super) struct Words<'a> {
    pub title: &'a str,
    pub facts: &'a str,
    /// The values between which the colours lie.
    pub scale: Scale,
    /// Over the bar.
    pub quantity: &'a str,
    /// Under the bar, line by line.
    pub notes: &'a [&'a str],
}

/// Draws the page.
pub(super) fn picture(painted: &Painted, words: &Words) -> Result<Picture> {
    let views = view::choose(painted.body);
    let count = views.len() as f32;
    let panel_width = (PANELS - (count - 1.0) * GAP) / count;
    // As high as the object needs where it fills the width.
    let needed = |view: &View| panel_width * window(painted, view, (100, 100)).aspect() as f32;
    let panel_height =
        views.iter().map(needed).fold(0.0, f32::max).clamp(HEIGHTS.0, HEIGHTS.1).round();
    let mut picture = Picture::new(WIDTH, (TOP + panel_height + BOTTOM) as u32);
    let size = (panel_width as usize, panel_height as usize);
    for (i, view) in views.iter().enumerate() {
        let left = LEFT + i as f32 * (panel_width + GAP);
        picture.add(Shape::Image((left, TOP), size.0, seen(painted, view, size)));
        let at = (left + 16.0, TOP + panel_height - 16.0);
        picture.text(at, 17.0, Anchor::Start, FAINT, view.name);
    }
    let bar_left = LEFT + PANELS + 36.0;
    let bar = [bar_left, TOP + 28.0, 22.0, panel_height - 28.0 - 24.0 * words.notes.len() as f32];
    color_bar(&mut picture, bar, words.scale, painted.colors, words.quantity);
    for (i, note) in words.notes.iter().enumerate() {
        let at = (bar_left, bar[1] + bar[3] + 24.0 + 21.0 * i as f32);
        picture.text(at, 15.0, Anchor::Start, FAINT, *note);
    }
    heading(&mut picture, LEFT, words.title, words.facts)?;
    Ok(picture)
}

/// The pixels of one view.
pub(super) fn seen(painted: &Painted, view: &View, size: (usize, usize)) -> Vec<[u8; 3]> {
    let body = painted.body;
    let turned = |points: &[Vector]| points.iter().map(|p| view.of(*p)).collect::<Vec<_>>();
    let window = window(painted, view, size);
    let lines: Vec<[Vector; 2]> = match painted.at_rest {
        true => outline(body, view).into_iter().map(|l| l.map(|p| view.of(p))).collect(),
        false => Vec::new(),
    };
    let scene = Scene {
        points: &turned(&painted.points),
        triangles: &body.triangles,
        normals: &turned(&normals(&painted.points, &body.triangles)),
        values: &painted.values,
        colors: painted.colors,
        nodes: &painted.nodes,
        lines: &lines,
        light: painted.light,
    };
    render(&scene, &window)
}

/// The window that shows the surface both at rest and as it is drawn.
pub(super) fn window(painted: &Painted, view: &View, size: (usize, usize)) -> Window {
    let corners = || painted.body.corners();
    let both = corners().flat_map(|i| [painted.points[i], painted.body.points[i]]);
    Window::around(both.map(|p| view.of(p)), size)
}
