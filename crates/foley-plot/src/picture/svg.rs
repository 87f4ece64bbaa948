//! Writes a picture as an SVG document.

use std::fmt::Write;

use anyhow::Result;

use crate::picture::color::Color;
use crate::picture::raster;
use crate::picture::{Anchor, Picture, Shape, Text};

/// Returns the picture as an SVG document; text stays text, images are embedded PNG.
pub(crate) fn document(picture: &Picture) -> Result<String> {
    let (w, h) = (picture.width, picture.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\" font-family=\"Noto Sans, DejaVu Sans, Helvetica, Arial, \
         sans-serif\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
    );
    for shape in &picture.shapes {
        element(&mut out, shape)?;
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn element(out: &mut String, shape: &Shape) -> Result<()> {
    match shape {
        Shape::Rect([x, y, w, h], color) => writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>",
            short(*x),
            short(*y),
            short(*w),
            short(*h),
            paint("fill", *color)
        )?,
        Shape::Line(points, width, color) => writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke-width=\"{}\" {}/>",
            list(points),
            short(*width),
            paint("stroke", *color)
        )?,
        Shape::Polygon(points, color) => {
            writeln!(out, "<polygon points=\"{}\" {}/>", list(points), paint("fill", *color))?;
        }
        Shape::Disc((x, y), radius, color) => writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>",
            short(*x),
            short(*y),
            short(*radius),
            paint("fill", *color)
        )?,
        Shape::Text(text) => text_element(out, text)?,
        Shape::Image((x, y), width, rgb) => {
            let height = rgb.len() / (*width).max(1);
            let data = base64(&raster::png_of_image(*width, rgb)?);
            writeln!(
                out,
                "<image x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" \
                 href=\"data:image/png;base64,{data}\"/>",
                short(x.round()),
                short(y.round()),
            )?;
        }
    }
    Ok(())
}

fn text_element(out: &mut String, text: &Text) -> Result<()> {
    let (x, y) = (short(text.at.0), short(text.at.1));
    write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"", short(text.size))?;
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if text.bold {
        out.push_str(" font-weight=\"bold\"");
    }
    if text.angle != 0.0 {
        write!(out, " transform=\"rotate({} {x} {y})\"", short(text.angle))?;
    }
    writeln!(out, " {}>{}</text>", paint("fill", text.color), escaped(&text.text))?;
    Ok(())
}

fn paint(what: &str, color: Color) -> String {
    let [r, g, b] = color.rgb;
    let mut out = format!("{what}=\"#{r:02x}{g:02x}{b:02x}\"");
    if color.alpha < 1.0 {
        out += &format!(" {what}-opacity=\"{}\"", (1e3 * color.alpha).round() / 1e3);
    }
    out
}

/// Formats a length to a hundredth of a pixel.
fn short(v: f32) -> f32 {
    (v * 100.0).round() / 100.0
}

fn list(points: &[(f32, f32)]) -> String {
    let pairs: Vec<String> =
        points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
    pairs.join(" ")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}

/// Encodes as base64 (RFC 4648, §4).
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |n, i| n << 8 | u32::from(*group.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= group.len() { char::from(sign) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::color::TITLE;

    #[test]
    fn base64_of_the_standard() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn names_cannot_break_the_document() {
        let mut picture = Picture::new(10, 10);
        picture.text((0.0, 0.0), 9.0, Anchor::Start, TITLE, "<b> & \u{0}\n\"c\"");
        let document = document(&picture).unwrap();
        assert!(document.contains(">&lt;b&gt; &amp; \"c\"</text>"), "{document}");
    }
}
