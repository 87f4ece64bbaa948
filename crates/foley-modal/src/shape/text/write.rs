//! Writes shapes as text that parses to the same shape, to the last bit.

use super::{EDGES, ENDS};
use crate::shape::{Section, Shape};
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

/// Formats a choice that is not the default.
fn choice<T: PartialEq>(key: &str, value: T, choices: &[(&str, T)]) -> String {
    let found = choices.iter().skip(1).find(|choice| choice.1 == value);
    found.map_or(String::new(), |(word, _)| format!(",{key}={word}"))
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bar(bar) => match bar.section() {
                Section::Rectangle { width, thickness } => {
                    let size = lengths(&[bar.length(), width, thickness]);
                    write!(f, "bar:{size}{}", choice("ends", bar.end, &ENDS))
                }
                Section::Round { diameter } => {
                    write!(
                        f,
                        "rod:{}{}",
                        lengths(&[bar.length(), diameter]),
                        choice("ends", bar.end, &ENDS)
                    )
                }
            },
            Self::Plate(plate) => {
                let size = lengths(&[plate.length(), plate.width(), plate.thickness()]);
                write!(f, "plate:{size}{}", choice("edges", plate.edge, &EDGES))
            }
            Self::Disc(disc) => {
                let size = lengths(&[disc.diameter(), disc.thickness()]);
                write!(f, "disc:{size}{}", choice("edge", disc.edge, &EDGES))
            }
            Self::Membrane(m) => {
                let (size, tension, density) = (lengths(&[m.diameter()]), m.tension, m.density);
                write!(f, "membrane:{size},tension={tension}N/m,density={density}kg/m2")
            }
            Self::String(string) => {
                let size = lengths(&[string.length(), string.diameter()]);
                let stiff = if string.stiff { ",stiff=yes" } else { "" };
                write!(f, "string:{size},tension={}N{stiff}", string.tension)
            }
        }
    }
}
