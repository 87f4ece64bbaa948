//! Text form of shapes: `kind:dimensions[,key=value]…`.
//!
//! | text | shape |
//! |---|---|
//! | `bar:300x30x8mm` | length × width × thickness, both ends free |
//! | `bar:30cmx3cmx8mm,ends=clamped` | `free`, `clamped`, `supported` or `cantilever` |
//! | `rod:300x12mm` | length × diameter |
//! | `plate:300x200x2mm,edges=clamped` | `free`, `clamped` or `supported` |
//! | `disc:200x2mm,edge=free` | diameter × thickness |
//! | `membrane:350mm,tension=2000N/m,density=0.26kg/m2` | diameter |
//! | `string:650x1mm,tension=70N,stiff=yes` | length × diameter |
//!
//! Units are m, cm, mm and in; dimensions without one take that of the last.

pub(super) mod fields;
mod write;

use super::{Edge, End, Shape, ShapeError, TautString};
use fields::Fields;
use std::str::FromStr;

impl Shape {
    /// The kinds, as they are written.
    pub const KINDS: [&str; 6] = ["bar", "rod", "plate", "disc", "membrane", "string"];
}

/// Returns a valid text for each kind of shape.
fn example(kind: &str) -> &'static str {
    match kind {
        "rod" => "rod:300x12mm,ends=free",
        "plate" => "plate:300x200x2mm,edges=free",
        "disc" => "disc:200x2mm,edge=free",
        "membrane" => "membrane:350mm,tension=2000N/m,density=0.26kg/m2",
        "string" => "string:650x1mm,tension=70N",
        _ => "bar:300x30x8mm,ends=free",
    }
}

/// Ends of bars as they are written; the first is the default.
const ENDS: [(&str, End); 4] = [
    ("free", End::Free),
    ("clamped", End::Clamped),
    ("supported", End::Supported),
    ("cantilever", End::Cantilever),
];

/// Edges of plates and discs as they are written; the first is the default.
const EDGES: [(&str, Edge); 3] =
    [("free", Edge::Free), ("clamped", Edge::Clamped), ("supported", Edge::Supported)];

fn parse(kind: &str, mut fields: Fields<'_>) -> Result<Shape, ShapeError> {
    let f = &mut fields;
    let end = |f: &mut Fields<'_>| f.choice(&["ends", "end"], &ENDS);
    let edge = |f: &mut Fields<'_>| f.choice(&["edges", "edge"], &EDGES);
    let shape = match kind {
        "bar" => {
            let [length, width, thickness] = f.lengths(["length", "width", "thickness"])?;
            Shape::bar(length, width, thickness, end(f)?)?
        }
        "rod" => {
            let [length, diameter] = f.lengths(["length", "diameter"])?;
            Shape::rod(length, diameter, end(f)?)?
        }
        "plate" => {
            let [length, width, thickness] = f.lengths(["length", "width", "thickness"])?;
            Shape::plate(length, width, thickness, edge(f)?)?
        }
        "disc" => {
            let [diameter, thickness] = f.lengths(["diameter", "thickness"])?;
            Shape::disc(diameter, thickness, edge(f)?)?
        }
        "membrane" => {
            let [diameter] = f.lengths(["diameter"])?;
            let tension = f.quantity("tension", &["n/m"])?;
            let density = f.quantity("density", &["kg/m2", "kg/m²", "kg/m^2"])?;
            Shape::membrane(diameter, tension, density)?
        }
        _ => {
            let [length, diameter] = f.lengths(["length", "diameter"])?;
            let string = TautString::new(length, diameter, f.quantity("tension", &["n"])?)?;
            let stiff = f.choice(&["stiff"], &[("no", false), ("yes", true)])?;
            Shape::String(if stiff { string.stiff() } else { string })
        }
    };
    fields.finish()?;
    Ok(shape)
}

/// Parses a shape.
///
/// ```
/// use foley_modal::{End, Shape};
/// let bar: Shape = "bar:30cm x 3cm x 8mm, ends=clamped".parse()?;
/// assert_eq!(bar, Shape::bar(0.3, 0.03, 0.008, End::Clamped)?);
/// assert_eq!(bar.to_string(), "bar:300x30x8mm,ends=clamped");
///
/// let error = "bar:300x30mm".parse::<Shape>().unwrap_err().to_string();
/// assert!(error.contains("2 dimensions where 3 are needed: length x width x thickness"));
/// # Ok::<(), foley_modal::ShapeError>(())
/// ```
impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let wrong = |problem: String, kind: &str| ShapeError::Text {
            text: shorten(text),
            problem,
            example: example(kind),
        };
        let (kind, dimensions) = text.split_once(':').ok_or_else(|| {
            wrong("a colon must part the kind of shape from its dimensions".into(), text.trim())
        })?;
        let kind = kind.trim().to_lowercase();
        if !Self::KINDS.contains(&&*kind) {
            let known = Self::KINDS.join(", ");
            let problem = format!("there is no kind `{}`, only {known}", shorten(&kind));
            return Err(wrong(problem, ""));
        }
        parse(&kind, Fields::new(text, dimensions, example(&kind))?)
    }
}

/// Shortens a text for messages.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_texts_are_read() {
        let read = |text: &str| text.parse::<Shape>().unwrap();
        assert_eq!(read("bar:300x30x8mm"), Shape::bar(0.3, 0.03, 0.008, End::Free).unwrap());
        assert_eq!(
            read("bar:30cmx3cmx8mm,ends=clamped"),
            Shape::bar(0.3, 0.03, 0.008, End::Clamped).unwrap()
        );
        assert_eq!(read("rod:300mmx12mm"), Shape::rod(0.3, 0.012, End::Free).unwrap());
        assert_eq!(
            read("plate:300x200x2mm,edges=free"),
            Shape::plate(0.3, 0.2, 0.002, Edge::Free).unwrap()
        );
        assert_eq!(read("disc:200x2mm,edge=free"), Shape::disc(0.2, 0.002, Edge::Free).unwrap());
        assert_eq!(
            read("membrane:350mm,tension=2000N/m,density=0.26kg/m2"),
            Shape::membrane(0.35, 2000.0, 0.26).unwrap()
        );
        assert_eq!(read("string:650x1mm,tension=70N"), Shape::string(0.65, 0.001, 70.0).unwrap());
        assert_eq!(read(" Rod : 10 × 1 in "), Shape::rod(0.254, 0.0254, End::Free).unwrap());
        assert_eq!(read("rod:1e-1x2.5E-3m"), Shape::rod(0.1, 0.0025, End::Free).unwrap());
    }

    #[test]
    fn wrong_texts_say_what_and_show_how() {
        for (text, problem) in [
            ("", "a colon"),
            ("bar", "a colon"),
            ("cube:3x3x3mm", "no kind `cube`, only bar, rod"),
            ("bar:300x30x8", "has no unit"),
            ("bar:300x30mm", "2 dimensions where 3 are needed: length x width x thickness"),
            ("bar:300xx8mm", "the width `` is not a number"),
            ("bar:300x30x8ft", "unknown unit `ft`"),
            ("bar:300xNaNx8mm", "the width `NaN` is not a number"),
            ("bar:infx30x8mm", "the length `inf` is not a number"),
            ("bar:300x30x8mm,ends=glued", "`glued` is not one of free, clamped"),
            ("bar:300x30x8mm,colour=red", "unknown key `colour`"),
            ("bar:300x30x8mm,ends", "`ends` is not of the form key=value"),
            ("bar:300x30x8mm,ends=free,ends=free", "`ends` is given twice"),
            ("plate:300x200x2mm,edges=free,edge=clamped", "unknown key `edge`"),
            ("string:650x1mm", "`tension` is missing"),
            ("string:650x1mm,tension=70", "tension `70` needs a unit, N"),
            ("membrane:350mm,tension=2000N,density=1kg/m2", "tension `2000N` needs a unit, N/m"),
        ] {
            let error = text.parse::<Shape>().unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
            let example = error.split("for example `").nth(1).unwrap().trim_end_matches('`');
            example.parse::<Shape>().unwrap();
        }
        let negative = "bar:-300x30x8mm".parse::<Shape>().unwrap_err().to_string();
        assert!(negative.contains("length of the bar is -0.3 m"), "{negative}");
    }
}
