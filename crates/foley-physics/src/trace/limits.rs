//! Limits of the values of an event: the one place that decides what a trace may contain, for every reader and
//! writer.
//!
//! They lie far beyond what rigid bodies do, and so far below infinity that no product of a few values overflows.

use crate::{Event, HailImpact, Impact, PoseEvent, SustainedContact};
use foley_geometry::number_format::format_number;

/// Smallest and largest value, and the unit. A smallest value above zero stands for "more than 0".
type Limit = (f64, f64, &'static str);

const TIME: Limit = (0.0, 1e9, " s");
const IMPULSE: Limit = (0.0, 1e13, " N·s");
const SPEED: Limit = (0.0, 1e6, " m/s");
const FORCE: Limit = (0.0, 1e13, " N");
const ENERGY: Limit = (0.0, 1e18, " J");
const MASS: Limit = (f64::MIN_POSITIVE, 1e9, " kg");
const RADIUS: Limit = (f64::MIN_POSITIVE, 1e4, " m");
const RESTITUTION: Limit = (0.0, 1.0, "");
const COORDINATE: Limit = (-1e6, 1e6, " m");
const VELOCITY: Limit = (-1e6, 1e6, " m/s");

/// The key of a value and what is wrong with it.
pub(super) type Violation = (String, String);

/// Returns the kind of an event, as a trace names it, and its first value that is out of range.
pub(super) fn violation(event: &Event) -> (&'static str, Option<Violation>) {
    match event {
        Event::Impact(impact) => ("impact", of_impact(impact).err()),
        Event::SustainedContact(contact) => ("touch", of_contact(contact).err()),
        Event::Pose(pose) => ("pose", of_pose(pose).err()),
        Event::HailImpact(stone) => ("stone", of_stone(stone).err()),
    }
}

pub(super) fn of_impact(impact: &Impact) -> Result<(), Violation> {
    number("at_s", impact.at_s, TIME)?;
    places(&impact.places)?;
    unit("normal", &impact.normal)?;
    number("impulse_ns", impact.impulse_ns, IMPULSE)?;
    number("speed_m_s", impact.speed_m_s, SPEED)?;
    impact.lost_j.map_or(Ok(()), |lost_j| number("lost_j", lost_j, ENERGY))
}

fn of_contact(contact: &SustainedContact) -> Result<(), Violation> {
    number("at_s", contact.at_s, TIME)?;
    places(&contact.places)?;
    unit("normal", &contact.normal)?;
    number("force_n", contact.force_n, FORCE)?;
    number("slip_m_s", contact.slip_m_s, SPEED)?;
    number("roll_m_s", contact.roll_m_s, SPEED)
}

fn of_pose(pose: &PoseEvent) -> Result<(), Violation> {
    number("at_s", pose.at_s, TIME)?;
    numbers("position", &pose.position, COORDINATE)?;
    unit("rotation", &pose.rotation)?;
    numbers("velocity", &pose.velocity, VELOCITY)
}

fn of_stone(stone: &HailImpact) -> Result<(), Violation> {
    number("at_s", stone.at_s, TIME)?;
    numbers("place", &stone.place, COORDINATE)?;
    unit("normal", &stone.normal)?;
    number("speed_m_s", stone.speed_m_s, SPEED)?;
    number("mass_kg", stone.mass_kg, MASS)?;
    number("radius_m", stone.radius_m, RADIUS)?;
    number("restitution", stone.restitution, RESTITUTION)
}

fn number(key: &str, value: f64, (low, high, unit): Limit) -> Result<(), Violation> {
    // Not a number is in no range.
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let must = match low > 0.0 {
        true => format!("more than 0 and at most {}{unit}", format_number(high)),
        false => format!("from {} to {}{unit}", format_number(low), format_number(high)),
    };
    Err((key.to_owned(), format!("is {}; it must be {must}", format_number(value))))
}

fn numbers(key: &str, values: &[f64], limit: Limit) -> Result<(), Violation> {
    let mut values = values.iter().enumerate();
    values.try_for_each(|(k, value)| number(&format!("{key}[{k}]"), *value, limit))
}

fn places(places: &[[f64; 3]; 2]) -> Result<(), Violation> {
    numbers("places[0]", &places[0], COORDINATE)?;
    numbers("places[1]", &places[1], COORDINATE)
}

fn unit(key: &str, values: &[f64]) -> Result<(), Violation> {
    let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (length - 1.0).abs() < 0.01 {
        return Ok(());
    }
    Err((key.to_owned(), format!("has the length {}; it must be 1", format_number(length))))
}
