//! Writes shapes as text that parses to the same shape, to the last bit.

use super::super::{Edge, End, Section, Shape};
use std::fmt;

/// Formats lengths in millimetres where these are exact, else in metres.
fn lengths(values: &[f64]) -> String {
    let millimetres = |metres: f64| {
        let text = format!("{:.6}", metres * 1000.0);
        let text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
        (text.parse::<f64>().ok()? / 1000.0 == metres).then_some(text)
    };
    let texts: Option<Vec<String>> = values.iter().map(|v| millimetres(*v)).collect();
    match texts {
        Some(texts) => texts.join("x") + "mm",
        None => values.iter().map(f64::to_string).collect::<Vec<_>>().join("x") + "m",
    }
}

fn end(end: End) -> &'static str {
    match end {
        End::Free => "",
        End::Clamped => ",ends=clamped",
        End::Supported => ",ends=supported",
        End::Cantilever => ",ends=cantilever",
    }
}

fn edge(edge: Edge, key: &str) -> String {
    match edge {
        Edge::Free => String::new(),
        Edge::Clamped => format!(",{key}=clamped"),
        Edge::Supported => format!(",{key}=supported"),
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bar(bar) => match bar.section() {
                Section::Rectangle { width, thickness } => {
                    let size = lengths(&[bar.length(), width, thickness]);
                    write!(f, "bar:{size}{}", end(bar.end()))
                }
                Section::Round { diameter } => {
                    write!(f, "rod:{}{}", lengths(&[bar.length(), diameter]), end(bar.end()))
                }
            },
            Self::Plate(plate) => {
                let size = lengths(&[plate.length(), plate.width(), plate.thickness()]);
                write!(f, "plate:{size}{}", edge(plate.edge(), "edges"))
            }
            Self::Disc(disc) => {
                let size = lengths(&[disc.diameter(), disc.thickness()]);
                write!(f, "disc:{size}{}", edge(disc.edge(), "edge"))
            }
            Self::Membrane(m) => {
                let (size, tension, density) = (lengths(&[m.diameter()]), m.tension(), m.density());
                write!(f, "membrane:{size},tension={tension}N/m,density={density}kg/m2")
            }
            Self::String(string) => {
                let size = lengths(&[string.length(), string.diameter()]);
                let stiff = if string.is_stiff() { ",stiff=yes" } else { "" };
                write!(f, "string:{size},tension={}N{stiff}", string.tension())
            }
        }
    }
}
