//! Rasters a picture to PNG.

use anyhow::{Context, Result};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke,
    Transform,
};

use crate::picture::color::Color;
use crate::picture::font::Face;
use crate::picture::{Picture, Shape, Text};

/// Returns the picture as the bytes of a PNG file.
pub(crate) fn png(picture: &Picture) -> Result<Vec<u8>> {
    let mut pixels = Pixmap::new(picture.width, picture.height).with_context(|| {
        format!("a picture of {} by {} pixels cannot be drawn", picture.width, picture.height)
    })?;
    let faces = [Face::new(false)?, Face::new(true)?];
    for shape in &picture.shapes {
        draw(&mut pixels, shape, &faces)?;
    }
    pixels.encode_png().context("the picture cannot be written as PNG")
}

/// Returns an image as the bytes of a PNG file; `width` pixels per row.
pub(crate) fn png_of_image(width: usize, rgb: &[[u8; 3]]) -> Result<Vec<u8>> {
    image(width, rgb)?.encode_png().context("the image cannot be written as PNG")
}

fn draw(pixels: &mut Pixmap, shape: &Shape, faces: &[Face; 2]) -> Result<()> {
    match shape {
        Shape::Rect([x, y, w, h], color) => {
            if let Some(rect) = Rect::from_xywh(*x, *y, *w, *h) {
                pixels.fill_rect(rect, &paint(*color), Transform::identity(), None);
            }
        }
        Shape::Line(points, width, color) => {
            let stroke = Stroke {
                width: *width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            if let Some(path) = path_through(points, false) {
                pixels.stroke_path(&path, &paint(*color), &stroke, Transform::identity(), None);
            }
        }
        Shape::Polygon(points, color) => {
            if let Some(path) = path_through(points, true) {
                fill(pixels, &path, *color, Transform::identity());
            }
        }
        Shape::Disc((x, y), radius, color) => {
            if let Some(path) = PathBuilder::from_circle(*x, *y, *radius) {
                fill(pixels, &path, *color, Transform::identity());
            }
        }
        Shape::Text(text) => draw_text(pixels, text, &faces[usize::from(text.bold)]),
        Shape::Image((x, y), width, rgb) => {
            let (x, y) = (x.round() as i32, y.round() as i32);
            let image = image(*width, rgb)?;
            let paint = PixmapPaint::default();
            pixels.draw_pixmap(x, y, image.as_ref(), &paint, Transform::identity(), None);
        }
    }
    Ok(())
}

fn draw_text(pixels: &mut Pixmap, text: &Text, face: &Face) {
    if let Some(path) = face.outline(text) {
        let turn = Transform::from_rotate_at(text.angle, text.at.0, text.at.1);
        fill(pixels, &path, text.color, turn);
    }
}

fn fill(pixels: &mut Pixmap, path: &Path, color: Color, transform: Transform) {
    pixels.fill_path(path, &paint(color), FillRule::Winding, transform, None);
}

fn paint(color: Color) -> Paint<'static> {
    let [r, g, b] = color.rgb;
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (255.0 * color.alpha).round() as u8);
    paint
}

fn path_through(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, (x, y)) in points.iter().enumerate() {
        if i == 0 {
            path.move_to(*x, *y);
        } else {
            path.line_to(*x, *y);
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn image(width: usize, rgb: &[[u8; 3]]) -> Result<Pixmap> {
    let height = rgb.len() / width.max(1);
    let mut image = Pixmap::new(width as u32, height as u32)
        .with_context(|| format!("an image of {width} by {height} pixels cannot be drawn"))?;
    for (pixel, [r, g, b]) in image.data_mut().chunks_exact_mut(4).zip(rgb) {
        pixel.copy_from_slice(&[*r, *g, *b, 255]);
    }
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Anchor;
    use crate::picture::color::{PAGE, TITLE};

    fn decoded(picture: &Picture) -> Pixmap {
        Pixmap::decode_png(&png(picture).unwrap()).unwrap()
    }

    #[test]
    fn shapes_land_where_they_should() {
        let red = Color::new(255, 0, 0);
        let mut picture = Picture::new(40, 20);
        picture.add(Shape::Disc((10.0, 10.0), 5.0, red));
        picture.add(Shape::Image((30.0, 5.0), 2, vec![[1, 2, 3]; 4]));
        let pixels = decoded(&picture);
        assert_eq!((pixels.width(), pixels.height()), (40, 20));
        let at = |x, y| {
            let c = pixels.pixel(x, y).unwrap();
            [c.red(), c.green(), c.blue()]
        };
        assert_eq!(at(10, 10), [255, 0, 0]);
        assert_eq!(at(20, 10), PAGE.rgb);
        assert_eq!(at(31, 6), [1, 2, 3]);
        assert_eq!(at(32, 6), PAGE.rgb);
    }

    #[test]
    fn text_ends_where_it_is_anchored() {
        let mut picture = Picture::new(200, 40);
        picture.text((150.0, 30.0), 20.0, Anchor::End, TITLE, "20 kHz");
        let pixels = decoded(&picture);
        let inked = |x: u32| (0..40).any(|y| pixels.pixel(x, y).unwrap().red() > 100);
        let columns: Vec<u32> = (0..200).filter(|&x| inked(x)).collect();
        let (first, last) = (columns[0], *columns.last().unwrap());
        assert!((145..=150).contains(&last) && first > 70, "{first} {last}");
    }

    #[test]
    fn impossible_sizes_are_errors() {
        assert!(png(&Picture::new(0, 10)).is_err());
        assert!(png_of_image(0, &[]).is_err());
    }
}
