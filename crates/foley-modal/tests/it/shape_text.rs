//! Shapes as text, whatever the text.

use foley_modal::shape::TautString;
use foley_modal::{Edge, End, Shape};
use proptest::prelude::*;

fn end() -> impl Strategy<Value = End> {
    prop::sample::select(vec![End::Free, End::Clamped, End::Supported, End::Cantilever])
}

fn edge() -> impl Strategy<Value = Edge> {
    prop::sample::select(vec![Edge::Free, Edge::Clamped, Edge::Supported])
}

/// Any length, ordered so that thickness never exceeds the rest.
fn sizes() -> impl Strategy<Value = [f64; 3]> {
    let any = prop_oneof![1e-6..1e3, (1u32..10_000).prop_map(|mm| f64::from(mm) / 1000.0)];
    [any.clone(), any.clone(), any].prop_map(|mut sizes: [f64; 3]| {
        sizes.sort_by(|a, b| b.total_cmp(a));
        sizes
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    let kind = 0..6usize;
    (kind, sizes(), end(), edge(), 1e-6..1e6, any::<bool>()).prop_map(
        |(kind, [a, b, c], end, edge, force, stiff)| match kind {
            0 => Shape::bar(a, b, c, end).unwrap(),
            1 => Shape::rod(a, b, end).unwrap(),
            2 => Shape::plate(a, b, c, edge).unwrap(),
            3 => Shape::disc(a, b, edge).unwrap(),
            4 => Shape::membrane(a, force, b).unwrap(),
            _ => {
                let string = TautString::new(a, b, force).unwrap();
                Shape::String(if stiff { string.stiff() } else { string })
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read(shape in shape()) {
        let text = shape.to_string();
        prop_assert_eq!(text.parse::<Shape>().unwrap(), shape, "{}", text);
    }

    #[test]
    fn any_text_is_answered(text in ".{0,80}") {
        let _ = text.parse::<Shape>();
    }

    /// Near misses: valid text with one character replaced.
    #[test]
    fn broken_text_is_answered(shape in shape(), at in any::<prop::sample::Index>(), c in any::<char>()) {
        let mut chars: Vec<char> = shape.to_string().chars().collect();
        let at = at.index(chars.len());
        chars[at] = c;
        if let Err(error) = chars.iter().collect::<String>().parse::<Shape>() {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn grammar_like_text_is_answered(text in "(bar|rod|plate|disc|membrane|string):[-+.0-9ex]{0,12}(mm|cm|in|m)?(,[a-z]{0,7}=[a-z0-9N/]{0,6}){0,3}") {
        if let Ok(shape) = text.parse::<Shape>() {
            prop_assert_eq!(shape.to_string().parse::<Shape>().unwrap(), shape);
        }
    }
}

#[test]
fn texts_stay_short() {
    for text in [
        "bar:300x30x8mm",
        "bar:300x30x8mm,ends=cantilever",
        "rod:304.8x12.7mm",
        "plate:300x200x0.5mm,edges=clamped",
        "disc:200x2mm,edge=supported",
        "membrane:350mm,tension=2000N/m,density=0.26kg/m2",
        "string:650x1mm,tension=70N,stiff=yes",
    ] {
        assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
    }
}
