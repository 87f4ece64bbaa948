//! A xylophone of three octaves, tuned by geometry, played by falling dice.
//!
//! A die that is to strike at t from the height h is released at `t − √(2h/g)`. It comes from the
//! front and leaves behind its bar, so that it strikes once; without friction it keeps its way.

use super::DemoError;
use super::score::{self, Note};
use super::tuning::{equal_temperament_hz, tuned_bar};
use crate::Scene;
use foley_geometry::constants::GRAVITY_M_S2;
use foley_modal::{Material, Shape};
use std::fmt::Write;

/// The lowest bar, g, and how many there are.
pub const LOWEST: u8 = 55;
/// Three octaves and the note that ends them.
pub const BARS: u8 = 37;
/// Nothing is struck before, s.
pub const LEAD_S: f64 = 0.4;

/// Of the bars, m.
const WIDTH_M: f64 = 0.03;
const THICKNESS_M: f64 = 0.012;
const APART_M: f64 = 0.036;
/// Height of their middle over the ground, m.
const HEIGHT_M: f64 = 0.8;
const MATERIAL: &str = "hardwood";

/// Edge of a die; from where it falls; how fast it crosses the bar.
const DIE_M: f64 = 0.016;
const FALL_M: f64 = 0.25;
const ACROSS_M_S: f64 = 1.4;

/// Where a die strikes, against half the length of the bar: beside the middle, behind which the
/// even modes are silent.
const STRUCK: f64 = 0.12;

/// Seconds of a sixteenth: 76 quarters a minute, for ragtime is not to be played fast.
pub const SIXTEENTH_S: f64 = 60.0 / 76.0 / 4.0;
/// The last note rings, s.
const RING_S: f64 = 1.5;

/// The opening of *The Entertainer*.
pub fn entertainer() -> Result<Scene, DemoError> {
    play("The Entertainer, played by dice", &score::entertainer(), SIXTEENTH_S)
}

/// When a note is struck, s.
pub fn strike_time_s(note: &Note, sixteenth_s: f64) -> f64 {
    LEAD_S + f64::from(note.begins) * sixteenth_s
}

/// Any notes from [`LOWEST`] on; those beyond the instrument are not played.
pub fn play(title: &str, notes: &[Note], sixteenth_s: f64) -> Result<Scene, DemoError> {
    let material = Material::named(MATERIAL)?;
    let last_s = notes.iter().map(|note| strike_time_s(note, sixteenth_s)).fold(LEAD_S, f64::max);
    let mut text = format!(
        "title = {title:?}\nseconds = {:?}\nground = \"concrete\"\ngravity = {GRAVITY_M_S2}\n\
         [listener]\nposition = [0, -1.2, 1.3]\nlook_at = [0, 0, {HEIGHT_M}]\n",
        last_s + RING_S
    );
    let mut lengths_m = Vec::new();
    for number in LOWEST..LOWEST + BARS {
        let bar = tuned_bar(equal_temperament_hz(number), WIDTH_M, THICKNESS_M, material)?;
        lengths_m.push(bar.length());
        let (name, shape, x) = (bar_name(number), Shape::Bar(bar), bar_x_m(number));
        // Writing to a text cannot fail.
        let _ = write!(
            text,
            "[[object]]\nname = {name:?}\nshape = \"{shape}\"\nmaterial = {MATERIAL:?}\n\
             position = [{x:?}, 0, {HEIGHT_M:?}]\nrotation = [0, 0, 90]\nmotion = \"fixed\"\n\
             friction = 0\nrestitution = 0.6\n"
        );
    }
    let fall_s = (2.0 * FALL_M / GRAVITY_M_S2).sqrt();
    for (i, note) in notes.iter().enumerate() {
        let Some(length_m) =
            note.number.checked_sub(LOWEST).and_then(|n| lengths_m.get(usize::from(n)))
        else {
            continue;
        };
        let at = [
            bar_x_m(note.number),
            0.5 * STRUCK * length_m - ACROSS_M_S * fall_s,
            HEIGHT_M + 0.5 * (THICKNESS_M + DIE_M) + FALL_M,
        ];
        let _ = write!(
            text,
            "[[object]]\nname = \"die {}\"\nshape = \"box:{e}x{e}x{e}mm\"\nmaterial = \"hardwood\"\n\
             silent = true\nposition = {at:?}\nvelocity = [0, {ACROSS_M_S:?}, 0]\n\
             release_s = {:?}\nfriction = 0\nrestitution = 0.6\n",
            i + 1,
            strike_time_s(note, sixteenth_s) - fall_s,
            e = 1e3 * DIE_M,
        );
    }
    Ok(Scene::parse(&text)?)
}

/// The name of a bar.
pub fn bar_name(number: u8) -> String {
    format!("bar {number}")
}

fn bar_x_m(number: u8) -> f64 {
    (f64::from(number - LOWEST) - 0.5 * f64::from(BARS - 1)) * APART_M
}
