//! Page of a coloured surface: one or two views, and the colour bar.

use anyhow::Result;
use glam::DVec3;

use super::drawn_surface::{DrawnSurface, normals};
use super::outline::outline;
use super::rasterizer::{Raster, render};
use super::shading::Light;
use super::view::{self, View, Window};
use crate::layout::axis::Scale;
use crate::layout::panel::{color_bar, heading};
use crate::picture::color::{Color, FAINT};
use crate::picture::{Anchor, Picture, Shape};

const WIDTH: u32 = 1600;
const LEFT: f32 = 60.0;
const TOP: f32 = 130.0;
const PANELS: f32 = 1360.0;
const GAP: f32 = 16.0;
/// Least and largest height of a view, pixels.
const HEIGHTS: (f32, f32) = (440.0, 810.0);
const BOTTOM: f32 = 48.0;

/// A surface with a colour value at each vertex.
pub(crate) struct ColoredSurface<'a> {
    /// The undeformed surface.
    pub surface: &'a DrawnSurface,
    /// Displaced vertices.
    pub points: Vec<DVec3>,
    /// Values, 0 to 1; NaN where unknown.
    pub values: Vec<f32>,
    /// Colour map.
    pub colors: fn(f64) -> Color,
    /// Opacity of the nodal line (value ½) in each triangle; or empty.
    pub nodes: Vec<f32>,
    /// Lighting.
    pub light: Light,
    /// Whether the undeformed surface is outlined.
    pub outlined: bool,
}

/// Texts of the page.
pub(crate) struct Captions<'a> {
    pub title: &'a str,
    pub facts: &'a str,
    /// Scale of the colour bar.
    pub scale: Scale,
    /// Title of the colour bar.
    pub quantity: &'a str,
    /// Lines under the colour bar.
    pub notes: &'a [&'a str],
}

/// Draws the page.
pub(crate) fn picture(colored: &ColoredSurface, captions: &Captions) -> Result<Picture> {
    let views = view::choose(colored.surface);
    let count = views.len() as f32;
    let panel_width = (PANELS - (count - 1.0) * GAP) / count;
    // The height at which the object fills the width.
    let needed = |view: &View| panel_width * window(colored, view, (100, 100)).aspect() as f32;
    let panel_height =
        views.iter().map(needed).fold(0.0, f32::max).clamp(HEIGHTS.0, HEIGHTS.1).round();
    let mut picture = Picture::new(WIDTH, (TOP + panel_height + BOTTOM) as u32);
    let size = (panel_width as usize, panel_height as usize);
    for (i, view) in views.iter().enumerate() {
        let left = LEFT + i as f32 * (panel_width + GAP);
        picture.add(Shape::Image((left, TOP), size.0, view_pixels(colored, view, size)));
        let at = (left + 16.0, TOP + panel_height - 16.0);
        picture.text(at, 17.0, Anchor::Start, FAINT, view.name);
    }
    let bar_left = LEFT + PANELS + 36.0;
    let bar =
        [bar_left, TOP + 28.0, 22.0, panel_height - 28.0 - 24.0 * captions.notes.len() as f32];
    color_bar(&mut picture, bar, captions.scale, colored.colors, captions.quantity);
    for (i, note) in captions.notes.iter().enumerate() {
        let at = (bar_left, bar[1] + bar[3] + 24.0 + 21.0 * i as f32);
        picture.text(at, 15.0, Anchor::Start, FAINT, *note);
    }
    heading(&mut picture, LEFT, captions.title, captions.facts)?;
    Ok(picture)
}

/// Renders the pixels of one view.
pub(crate) fn view_pixels(
    colored: &ColoredSurface,
    view: &View,
    size: (usize, usize),
) -> Vec<[u8; 3]> {
    let surface = colored.surface;
    let in_view = |points: &[DVec3]| points.iter().map(|p| view.of(*p)).collect::<Vec<_>>();
    let window = window(colored, view, size);
    let lines: Vec<[DVec3; 2]> = match colored.outlined {
        true => outline(surface, view).into_iter().map(|l| l.map(|p| view.of(p))).collect(),
        false => Vec::new(),
    };
    let scene = Raster {
        points: &in_view(&colored.points),
        triangles: &surface.triangles,
        normals: &in_view(&normals(&colored.points, &surface.triangles)),
        values: &colored.values,
        colors: colored.colors,
        nodes: &colored.nodes,
        lines: &lines,
        light: colored.light,
    };
    render(&scene, &window)
}

/// Returns the window that fits the undeformed and the displaced surface.
pub(crate) fn window(colored: &ColoredSurface, view: &View, size: (usize, usize)) -> Window {
    let corners = || colored.surface.corners();
    let both = corners().flat_map(|i| [colored.points[i], colored.surface.points[i]]);
    Window::around(both.map(|p| view.of(p)), size)
}
