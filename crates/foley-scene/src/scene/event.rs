//! What is done to objects by hand: strikes and scrapes.
//!
//! | key of `[[strike]]` | |
//! |---|---|
//! | `object` | the name of what is struck |
//! | `at_s` | when, s; default 0 |
//! | `with` | `"wooden mallet"` (default), another striker by name, or a table `{ like, mass_kg, radius_m, young_pa, poisson }` |
//! | `speed_m_s` | how fast, m/s; default 1 |
//! | `place` | where, in the object's own coordinates, m, or the number of a surface point; default 37 % of the way from its middle to a corner |
//! | `direction` | which way; default along the surface's normal |
//!
//! | key of `[[scrape]]` | |
//! |---|---|
//! | `object` | the name of what is scraped |
//! | `at_s` | when it begins, s; default 0 |
//! | `seconds` | how long at most; default to the end of the way |
//! | `with` | as above; default `"fingernail"`: the softer and blunter its tip, the duller |
//! | `along` | points on the object, in its own coordinates, m |
//! | `speed_m_s` | a number, or `[[time, number], …]` from its beginning; default 0.1 |
//! | `force_n` | how hard it is pressed, N, likewise; default 1 |
//! | `back_and_forth` | turns round at the ends until `seconds` are over; default false |

use super::curve::Curve;
use super::pose::{FAR_M, read_direction, read_points};
use crate::diagnostics::{Span, known, short};
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::write;
use foley_dsp::excitation::Striker;
use std::collections::HashMap;

/// A blow by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Strike {
    /// Which of the scene's objects.
    pub object: usize,
    /// When, s.
    pub at_s: f64,
    /// With what.
    pub with: Striker,
    /// How fast, m/s.
    pub speed_m_s: f64,
    /// Where; `None` for a place where all modes answer.
    pub place: Option<Place>,
    /// Which way; `None` for along the normal.
    pub direction: Option<[f64; 3]>,
}

/// A place on an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// The nearest to this, in the object's own coordinates, m.
    At([f64; 3]),
    /// A surface point of its model.
    Point(usize),
}

/// Something drawn along an object by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Scrape {
    /// Which of the scene's objects.
    pub object: usize,
    /// When it begins, s.
    pub at_s: f64,
    /// How long at most, s; `None` to the end of the way.
    pub seconds: Option<f64>,
    /// With what.
    pub with: Striker,
    /// The way, in the object's own coordinates, m: two points or more.
    pub along: Vec<[f64; 3]>,
    /// Speed over the time since it began, m/s.
    pub speed_m_s: Curve,
    /// Force over the time since it began, N.
    pub force_n: Curve,
    /// Whether it turns round at the ends.
    pub back_and_forth: bool,
}

/// The object that is meant, by name.
fn object(fields: &mut Fields<'_>, names: &HashMap<&str, usize>) -> Option<usize> {
    let Some(name) = fields.text("object") else {
        if !fields.has("object") {
            fields.wrong("object", "is missing: name one of the scene's objects");
        }
        return None;
    };
    let found = names.get(name).copied();
    if found.is_none() && fields.log.is_full() {
        fields.wrong("object", "there is no such object");
    } else if found.is_none() {
        let mut all: Vec<(&str, usize)> = names.iter().map(|(name, i)| (*name, *i)).collect();
        all.sort_by_key(|(_, i)| *i);
        let hint = known(name, all.into_iter().map(|(name, _)| name));
        fields.wrong("object", format!("there is no object \"{}\"{hint}", short(name)));
    }
    found
}

fn striker(fields: &mut Fields<'_>, usual: &str) -> Option<Striker> {
    let named = |fields: &Fields<'_>, key: &str, name: &str| {
        Striker::named(name).map_err(|_| {
            let plain = name.to_lowercase().replace(['-', '_'], " ");
            let hint = known(&plain, Striker::names());
            fields.wrong(key, format!("there is no striker `{}`{hint}", short(name)));
        })
    };
    let Some(value) = fields.take("with") else { return Striker::named(usual).ok() };
    if matches!(value.data, Data::Text(_)) {
        let name = fields.text("with")?;
        return named(fields, "with", name).ok();
    }
    let inside = format!("{}, with", fields.inside);
    let mut own = fields.table("with", inside)?;
    let like = own.text("like").unwrap_or(usual);
    let base = named(&own, "like", like).or(Striker::named(usual).map_err(|_| ())).ok()?;
    let striker = Striker {
        mass_kg: own.number("mass_kg", 1e-9..=1e6).unwrap_or(base.mass_kg),
        radius_m: own.number("radius_m", 1e-6..=1e3).unwrap_or(base.radius_m),
        young_pa: own.number("young_pa", 1.0..=1e15).unwrap_or(base.young_pa),
        poisson: own.number("poisson", -0.99..=0.5).unwrap_or(base.poisson),
    };
    own.finish();
    Some(striker)
}

fn write_striker(striker: &Striker, table: &mut Table) {
    let mut own = Table::new(table.span.clone());
    own.put("mass_kg", Data::Float(striker.mass_kg));
    own.put("radius_m", Data::Float(striker.radius_m));
    own.put("young_pa", Data::Float(striker.young_pa));
    own.put("poisson", Data::Float(striker.poisson));
    table.put("with", Data::Table(own));
}

impl Strike {
    pub(crate) fn read(mut fields: Fields<'_>, names: &HashMap<&str, usize>) -> Option<Self> {
        let object = object(&mut fields, names);
        let at_s = fields.number("at_s", 0.0..=86_400.0).unwrap_or(0.0);
        let with = striker(&mut fields, "wooden mallet");
        let speed_m_s = fields.number("speed_m_s", 0.0..=1e3).unwrap_or(1.0);
        let place = match fields.take("place").map(|value| (&value.data, value)) {
            None => None,
            Some((Data::Integer(_), _)) => {
                fields.integer("place", 0..=1 << 28).map(|point| Place::Point(point as usize))
            }
            Some((_, value)) => fields.numbers_of("place", value, -FAR_M..=FAR_M).map(Place::At),
        };
        let direction = read_direction(&mut fields, "direction");
        fields.finish();
        Some(Self { object: object?, at_s, with: with?, speed_m_s, place, direction })
    }

    pub(crate) fn write(&self, names: &[&str], span: &Span) -> Table {
        let mut table = Table::new(span.clone());
        table.put("object", write::text(*names.get(self.object).unwrap_or(&"")));
        table.put("at_s", Data::Float(self.at_s));
        write_striker(&self.with, &mut table);
        table.put("speed_m_s", Data::Float(self.speed_m_s));
        match self.place {
            None => (),
            Some(Place::Point(point)) => table.put("place", Data::Integer(point as i64)),
            Some(Place::At(at)) => table.put_numbers("place", &at),
        }
        if let Some(direction) = self.direction {
            table.put_numbers("direction", &direction);
        }
        table
    }
}

impl Scrape {
    pub(crate) fn read(mut fields: Fields<'_>, names: &HashMap<&str, usize>) -> Option<Self> {
        let object = object(&mut fields, names);
        let at_s = fields.number("at_s", 0.0..=86_400.0).unwrap_or(0.0);
        let seconds = fields.number("seconds", 0.0..=86_400.0);
        let with = striker(&mut fields, "fingernail");
        let along = read_points(&mut fields, "along");
        let speed_m_s = Curve::read(&mut fields, "speed_m_s", 0.0..=100.0);
        let force_n = Curve::read(&mut fields, "force_n", 0.0..=1e4);
        let back_and_forth = fields.boolean("back_and_forth").unwrap_or(false);
        let length: f64 = along
            .windows(2)
            .map(|p| (0..3).map(|i| (p[1][i] - p[0][i]).powi(2)).sum::<f64>().sqrt())
            .sum();
        if !(length > 0.0) {
            fields.wrong("along", "needs two points or more that are not in one place");
        }
        if back_and_forth && seconds.is_none() && !fields.has("seconds") {
            fields.wrong("back_and_forth", "goes on for ever; say how many `seconds`");
        }
        fields.finish();
        Some(Self {
            object: object?,
            at_s,
            seconds,
            with: with?,
            along,
            speed_m_s: speed_m_s.unwrap_or(Curve::constant(0.1)),
            force_n: force_n.unwrap_or(Curve::constant(1.0)),
            back_and_forth,
        })
    }

    pub(crate) fn write(&self, names: &[&str], span: &Span) -> Table {
        let mut table = Table::new(span.clone());
        table.put("object", write::text(*names.get(self.object).unwrap_or(&"")));
        table.put("at_s", Data::Float(self.at_s));
        if let Some(seconds) = self.seconds {
            table.put("seconds", Data::Float(seconds));
        }
        write_striker(&self.with, &mut table);
        let point = |p: &[f64; 3]| write::list(p.iter().map(|x| Data::Float(*x)), span);
        table.put("along", write::list(self.along.iter().map(point), span));
        self.speed_m_s.write("speed_m_s", &mut table);
        self.force_n.write("force_n", &mut table);
        if self.back_and_forth {
            table.put("back_and_forth", Data::Boolean(true));
        }
        table
    }
}
