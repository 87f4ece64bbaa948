//! A picture: shapes in drawing order, written as PNG (`raster`) or SVG (`svg`).

pub(crate) mod color;
pub(crate) mod font;
mod raster;
mod svg;

use std::path::Path;

use anyhow::{Result, bail};

use color::{Color, PAGE};
use foley_geometry::atomic_file::AtomicFile;

/// Horizontal alignment of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The text begins at its position.
    Start,
    /// The text is centred at its position.
    Middle,
    /// The text ends at its position.
    End,
}

/// A line of text on its baseline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    /// Position of the anchor, pixels from the top left.
    pub at: (f32, f32),
    /// Height of the em square, pixels.
    pub size: f32,
    /// The text.
    pub text: String,
    /// Colour.
    pub color: Color,
    /// Alignment.
    pub anchor: Anchor,
    /// Bold or regular.
    pub bold: bool,
    /// Rotation about `at`, degrees clockwise.
    pub angle: f32,
}

/// A shape; lengths are pixels from the top left.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// A filled rectangle: left, top, width, height.
    Rect([f32; 4], Color),
    /// An open line through points, with its width.
    Line(Vec<(f32, f32)>, f32, Color),
    /// A filled polygon.
    Polygon(Vec<(f32, f32)>, Color),
    /// A filled disc: centre and radius.
    Disc((f32, f32), f32, Color),
    /// Text.
    Text(Text),
    /// Pixels, row after row from the top: corner, width, and RGB bytes.
    Image((f32, f32), usize, Vec<[u8; 3]>),
}

/// Shapes on a page.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Width, pixels.
    pub(crate) width: u32,
    /// Height, pixels.
    pub(crate) height: u32,
    /// Shapes in drawing order.
    pub(crate) shapes: Vec<Shape>,
}

impl Picture {
    /// Makes an empty page.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let page = Shape::Rect([0.0, 0.0, width as f32, height as f32], PAGE);
        Self { width, height, shapes: vec![page] }
    }

    /// Makes a page of pixels, `size` wide and high.
    pub(crate) fn of_pixels(size: (usize, usize), pixels: Vec<[u8; 3]>) -> Self {
        let mut picture = Self::new(size.0 as u32, size.1 as u32);
        picture.add(Shape::Image((0.0, 0.0), size.0, pixels));
        picture
    }

    /// Draws a shape on top.
    pub(crate) fn add(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// Draws a straight line.
    pub(crate) fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, color: Color) {
        self.add(Shape::Line(vec![from, to], width, color));
    }

    /// Draws regular, level text.
    pub(crate) fn text(
        &mut self,
        at: (f32, f32),
        size: f32,
        anchor: Anchor,
        color: Color,
        text: impl Into<String>,
    ) {
        let text = text.into();
        self.add(Shape::Text(Text { at, size, text, color, anchor, bold: false, angle: 0.0 }));
    }

    /// Writes the picture to an uncommitted file, as PNG or SVG by the extension of its name.
    pub fn draw(&self, path: &Path) -> Result<AtomicFile> {
        let bytes = match kind(path)? {
            Kind::Png => raster::png(self)?,
            Kind::Svg => svg::document(self)?.into_bytes(),
        };
        Ok(AtomicFile::new(path, &bytes)?)
    }
}

enum Kind {
    Png,
    Svg,
}

fn kind(path: &Path) -> Result<Kind> {
    let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match ending.as_deref() {
        Some("png") => Ok(Kind::Png),
        Some("svg") => Ok(Kind::Svg),
        Some(other) => bail!("cannot draw {}: .{other} is not .png or .svg", path.display()),
        None => bail!("cannot draw {}: end its name with .png or .svg", path.display()),
    }
}

/// Checks that a file name has the extension .png or .svg.
pub fn check_extension(path: &Path) -> Result<()> {
    kind(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_chooses_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let picture = Picture::new(64, 32);
        for (name, start) in [("a.png", &b"\x89PNG"[..]), ("a.SVG", &b"<svg"[..])] {
            let path = folder.path().join(name);
            picture.draw(&path).unwrap().keep().unwrap();
            assert!(std::fs::read(&path).unwrap().starts_with(start));
        }
        for (name, says) in [("a.jpg", ".jpg is not .png or .svg"), ("a", "end its name")] {
            let error = picture.draw(&folder.path().join(name)).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        let error = picture.draw(&folder.path().join("no/such/folder.png")).unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
    }
}
