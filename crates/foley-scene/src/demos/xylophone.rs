//! A xylophone of three octaves, tuned by geometry, played by falling dice.
//!
//! A die that strikes at time t from the height h is released at `t − √(2h/g)`. It crosses the bar
//! from front to back, so that it strikes once; without friction it keeps its direction.

use super::DemoError;
use super::score::{self, Note};
use super::tuning::{equal_temperament_hz, tuned_bar};
use crate::Scene;
use foley_geometry::constants::GRAVITY_M_S2;
use foley_modal::{Material, Shape};
use std::fmt::Write;

/// Note of the lowest bar, g.
pub const LOWEST: u8 = 55;
/// Number of bars: three octaves and the final note.
pub const BARS: u8 = 37;
/// Time of the first strike, s.
pub const LEAD_S: f64 = 0.4;

/// Width of the bars, m.
const WIDTH_M: f64 = 0.03;
/// Thickness of the bars, m.
const THICKNESS_M: f64 = 0.012;
/// Distance between bars, m.
const SPACING_M: f64 = 0.036;
/// Height of their centres above the ground, m.
const HEIGHT_M: f64 = 0.8;
/// Material of the bars.
const MATERIAL: &str = "rosewood";

/// Edge of a die, m.
const DIE_M: f64 = 0.016;
/// Height of the fall, m.
const FALL_M: f64 = 0.25;
/// Speed across the bar, m/s.
const CROSSING_M_S: f64 = 1.4;

/// Strike point from the middle, relative to half the bar's length: the middle is a node of the
/// even modes.
const STRIKE_POINT: f64 = 0.12;

/// Duration of a sixteenth, s: 76 quarters a minute.
pub const SIXTEENTH_S: f64 = 60.0 / 76.0 / 4.0;
/// Time after the last note, s.
const RING_S: f64 = 1.5;

/// Returns the scene of the opening of *The Entertainer*.
pub fn entertainer() -> Result<Scene, DemoError> {
    play("The Entertainer, played by dice", &score::entertainer(), SIXTEENTH_S)
}

/// Returns the time of a note's strike, s.
pub fn strike_time_s(note: &Note, sixteenth_s: f64) -> f64 {
    LEAD_S + f64::from(note.begins) * sixteenth_s
}

/// Returns a scene that plays notes; those without a bar are left out.
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
        // Writing to a string never fails.
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
            0.5 * STRIKE_POINT * length_m - CROSSING_M_S * fall_s,
            HEIGHT_M + 0.5 * (THICKNESS_M + DIE_M) + FALL_M,
        ];
        let _ = write!(
            text,
            "[[object]]\nname = \"die {}\"\nshape = \"box:{e}x{e}x{e}mm\"\nmaterial = \"plastic\"\n\
             silent = true\nposition = {at:?}\nvelocity = [0, {CROSSING_M_S:?}, 0]\n\
             release_s = {:?}\nfriction = 0\nrestitution = 0.6\n",
            i + 1,
            strike_time_s(note, sixteenth_s) - fall_s,
            e = 1e3 * DIE_M,
        );
    }
    Ok(Scene::parse(&text)?)
}

/// Returns the name of a bar.
pub fn bar_name(number: u8) -> String {
    format!("bar {number}")
}

fn bar_x_m(number: u8) -> f64 {
    (f64::from(number - LOWEST) - 0.5 * f64::from(BARS - 1)) * SPACING_M
}
