//! Scripted strikes and scrapes.

use super::curve::Curve;
use super::pose::{read_direction, read_points};
use crate::diagnostics::{Span, suggestion, truncated};
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::Key;
use crate::schema::keys::{scrape, strike, striker};
use crate::write;
use foley_dsp::excitation::Striker;
use foley_engine::SurfacePoint;
use glam::DVec3;
use std::collections::HashMap;

/// A scripted strike.
#[derive(Debug, Clone, PartialEq)]
pub struct Strike {
    /// Index of the object.
    pub object: usize,
    /// Time, s.
    pub at_s: f64,
    /// Striker.
    pub with: Striker,
    /// Speed of the striker, m/s.
    pub speed_m_s: f64,
    /// Point on the object; `None`: a point where all modes respond.
    pub place: Option<SurfacePoint>,
    /// Direction; `None`: along the surface normal.
    pub direction: Option<[f64; 3]>,
}

/// A scripted scrape.
#[derive(Debug, Clone, PartialEq)]
pub struct Scrape {
    /// Index of the object.
    pub object: usize,
    /// Start time, s.
    pub at_s: f64,
    /// Largest duration, s; `None`: to the end of the path.
    pub seconds: Option<f64>,
    /// Striker.
    pub with: Striker,
    /// Path in the object's coordinates, m: two points or more.
    pub along: Vec<[f64; 3]>,
    /// Speed as a function of the time since the start, m/s.
    pub speed_m_s: Curve,
    /// Normal force as a function of the time since the start, N.
    pub force_n: Curve,
    /// Whether it turns round at the ends of the path.
    pub back_and_forth: bool,
}

/// Reads the name of an object; returns its index.
fn read_object(fields: &mut Fields<'_>, names: &HashMap<&str, usize>) -> Option<usize> {
    let Some(name) = fields.text(&strike::OBJECT) else {
        if !fields.has(&strike::OBJECT) {
            fields.report(&strike::OBJECT, "is missing: name one of the scene's objects");
        }
        return None;
    };
    let found = names.get(name).copied();
    // A list of names for each problem that is only counted would take quadratic time.
    if found.is_none() && fields.log.is_full() {
        fields.report(&strike::OBJECT, "there is no such object");
    } else if found.is_none() {
        let mut all: Vec<(&str, usize)> = names.iter().map(|(name, i)| (*name, *i)).collect();
        all.sort_by_key(|(_, i)| *i);
        let hint = suggestion(name, all.into_iter().map(|(name, _)| name));
        fields.report(&strike::OBJECT, format!("there is no object \"{}\"{hint}", truncated(name)));
    }
    found
}

/// Reads a striker: a name, or a table with the values of `default` or of `like`.
fn read_striker(fields: &mut Fields<'_>, default: &str) -> Option<Striker> {
    let named = |fields: &Fields<'_>, key: &Key, name: &str| {
        Striker::named(name).map_err(|_| {
            let plain = name.to_lowercase().replace(['-', '_'], " ");
            let hint = suggestion(&plain, Striker::names());
            fields.report(key, format!("there is no striker `{}`{hint}", truncated(name)));
        })
    };
    let Some(value) = fields.take(&strike::WITH) else { return Striker::named(default).ok() };
    if matches!(value.data, Data::Text(_)) {
        let name = fields.text(&strike::WITH)?;
        return named(fields, &strike::WITH, name).ok();
    }
    let context = format!("{}, with", fields.context);
    let mut own = fields.table(&strike::WITH, context)?;
    let like = own.text(&striker::LIKE).unwrap_or(default);
    let base =
        named(&own, &striker::LIKE, like).or(Striker::named(default).map_err(|_| ())).ok()?;
    let striker = Striker {
        mass_kg: own.number(&striker::MASS_KG).unwrap_or(base.mass_kg),
        radius_m: own.number(&striker::RADIUS_M).unwrap_or(base.radius_m),
        young_pa: own.number(&striker::YOUNG_PA).unwrap_or(base.young_pa),
        poisson: own.number(&striker::POISSON).unwrap_or(base.poisson),
    };
    own.finish();
    Some(striker)
}

fn write_striker(striker: &Striker, table: &mut Table) {
    let mut own = Table::new(table.span.clone());
    own.put(striker::MASS_KG.name, Data::Float(striker.mass_kg));
    own.put(striker::RADIUS_M.name, Data::Float(striker.radius_m));
    own.put(striker::YOUNG_PA.name, Data::Float(striker.young_pa));
    own.put(striker::POISSON.name, Data::Float(striker.poisson));
    table.put(strike::WITH.name, Data::Table(own));
}

impl Strike {
    pub(crate) fn read(mut fields: Fields<'_>, names: &HashMap<&str, usize>) -> Option<Self> {
        let object = read_object(&mut fields, names);
        let at_s = fields.number(&strike::AT_S).unwrap_or(const { strike::AT_S.default_number() });
        let with = read_striker(&mut fields, const { strike::WITH.default_word() });
        let speed_m_s = fields
            .number(&strike::SPEED_M_S)
            .unwrap_or(const { strike::SPEED_M_S.default_number() });
        let place = match fields.take(&strike::PLACE).map(|value| (&value.data, value)) {
            None => None,
            Some((Data::Integer(_), _)) => {
                fields.integer(&strike::PLACE).map(|point| SurfacePoint::Point(point as usize))
            }
            Some((_, value)) => fields
                .numbers_of(&strike::PLACE, value, strike::PLACE.list_range())
                .map(SurfacePoint::At),
        };
        let direction = read_direction(&mut fields, &strike::DIRECTION_OF);
        fields.finish();
        Some(Self { object: object?, at_s, with: with?, speed_m_s, place, direction })
    }

    pub(crate) fn write(&self, names: &[&str], span: &Span) -> Table {
        let mut table = Table::new(span.clone());
        table.put(strike::OBJECT.name, write::text(*names.get(self.object).unwrap_or(&"")));
        table.put(strike::AT_S.name, Data::Float(self.at_s));
        write_striker(&self.with, &mut table);
        table.put(strike::SPEED_M_S.name, Data::Float(self.speed_m_s));
        match self.place {
            None => (),
            Some(SurfacePoint::Point(point)) => {
                table.put(strike::PLACE.name, Data::Integer(point as i64))
            }
            Some(SurfacePoint::Along { at, direction }) => {
                table.put_numbers(strike::PLACE.name, &at);
                table.put_numbers(strike::DIRECTION_OF.name, &direction);
            }
            Some(SurfacePoint::At(at)) => table.put_numbers(strike::PLACE.name, &at),
        }
        if let Some(direction) = self.direction {
            table.put_numbers(strike::DIRECTION_OF.name, &direction);
        }
        table
    }
}

impl Scrape {
    pub(crate) fn read(mut fields: Fields<'_>, names: &HashMap<&str, usize>) -> Option<Self> {
        let object = read_object(&mut fields, names);
        let at_s = fields.number(&scrape::AT_S).unwrap_or(const { scrape::AT_S.default_number() });
        let seconds = fields.number(&scrape::SECONDS);
        let with = read_striker(&mut fields, const { scrape::WITH.default_word() });
        let along = read_points(&mut fields, &scrape::ALONG);
        let speed_m_s = Curve::read(&mut fields, &scrape::SPEED_M_S);
        let force_n = Curve::read(&mut fields, &scrape::FORCE_N);
        let back_and_forth = fields.boolean(&scrape::BACK_AND_FORTH).unwrap_or(false);
        let length: f64 = along.windows(2).map(|p| DVec3::from(p[1]).distance(p[0].into())).sum();
        if !(length > 0.0) {
            fields.report(&scrape::ALONG, "needs two or more different points");
        }
        if back_and_forth && seconds.is_none() && !fields.has(&scrape::SECONDS) {
            fields.report(&scrape::BACK_AND_FORTH, "never ends; add `seconds`");
        }
        fields.finish();
        Some(Self {
            object: object?,
            at_s,
            seconds,
            with: with?,
            along,
            speed_m_s: speed_m_s
                .unwrap_or(Curve::constant(const { scrape::SPEED_M_S.default_number() })),
            force_n: force_n.unwrap_or(Curve::constant(const { scrape::FORCE_N.default_number() })),
            back_and_forth,
        })
    }

    pub(crate) fn write(&self, names: &[&str], span: &Span) -> Table {
        let mut table = Table::new(span.clone());
        table.put(scrape::OBJECT.name, write::text(*names.get(self.object).unwrap_or(&"")));
        table.put(scrape::AT_S.name, Data::Float(self.at_s));
        table.put_some(scrape::SECONDS.name, self.seconds.map(Data::Float));
        write_striker(&self.with, &mut table);
        let point = |p: &[f64; 3]| write::list(p.iter().map(|x| Data::Float(*x)), span);
        table.put(scrape::ALONG.name, write::list(self.along.iter().map(point), span));
        self.speed_m_s.write(&scrape::SPEED_M_S, &mut table);
        self.force_n.write(&scrape::FORCE_N, &mut table);
        if self.back_and_forth {
            table.put(scrape::BACK_AND_FORTH.name, Data::Boolean(true));
        }
        table
    }
}
