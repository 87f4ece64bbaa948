//! Impacts as a CSV table.
//!
//! The first row names the columns: `at_s,first,second,` then the contact points
//! `x1,y1,z1,x2,y2,z2` in the frames of the bodies, the normal `nx,ny,nz`, and
//! `impulse_ns,speed_m_s`. The last column, `lost_j`, is optional, and its cells may be empty.

use super::lines::Lines;
use super::{MAX_LINE_BYTES, TraceError, limits};
use crate::Impact;
use std::io::{BufRead, Write};

const HEADER: &str = "at_s,first,second,x1,y1,z1,x2,y2,z2,nx,ny,nz,impulse_ns,speed_m_s,lost_j";

/// Number of required columns.
const NEEDED: usize = 14;

/// Writes impacts as comma-separated values; numbers round-trip exactly.
pub fn write_impacts_csv<'a>(
    mut output: impl Write,
    impacts: impl IntoIterator<Item = &'a Impact>,
) -> Result<(), TraceError> {
    let fail = |line| move |source| TraceError::Io { line, source };
    writeln!(output, "{HEADER}").map_err(fail(1))?;
    for (line, impact) in (2..).zip(impacts) {
        let wrong = |(key, why)| TraceError::Value { line, key, why };
        limits::of_impact(impact).map_err(wrong)?;
        let [first, second] = impact.bodies;
        let numbers: Vec<String> = impact
            .places
            .as_flattened()
            .iter()
            .chain(&impact.normal)
            .chain([&impact.impulse_ns, &impact.speed_m_s])
            .map(|number| format!("{number:?}"))
            .collect();
        let lost_j = impact.lost_j.map_or(String::new(), |lost_j| format!("{lost_j:?}"));
        writeln!(output, "{:?},{first},{second},{},{lost_j}", impact.at_s, numbers.join(","))
            .map_err(fail(line))?;
    }
    Ok(())
}

/// Reads impacts from comma-separated values. Their limits are those of a trace.
pub fn read_impacts_csv(input: impl BufRead) -> impl Iterator<Item = Result<Impact, TraceError>> {
    let (mut rows, mut failed) = (Rows(Lines::new(input)), false);
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let row = rows.impact();
        failed = row.is_err();
        row.transpose()
    })
}

struct Rows<R>(Lines<R>);

impl<R: BufRead> Rows<R> {
    fn impact(&mut self) -> Result<Option<Impact>, TraceError> {
        if self.0.number == 0 {
            let header = self.row()?.unwrap_or_default();
            let names = || header.iter().map(|name| name.trim());
            if names().ne(HEADER.split(',')) && names().ne(HEADER.split(',').take(NEEDED)) {
                let why = format!("must be: {HEADER}");
                return Err(self.wrong("the first row", why));
            }
        }
        let Some(cells) = self.row()? else { return Ok(None) };
        if !(NEEDED..=NEEDED + 1).contains(&cells.len()) {
            let why = format!("has {} cells; it must have {NEEDED}, or one more", cells.len());
            return Err(self.wrong("the row", why));
        }
        let mut numbers = [0.0_f64; NEEDED];
        for ((number, cell), name) in numbers.iter_mut().zip(&cells).zip(HEADER.split(',')) {
            let parsed = cell.trim().parse().ok().filter(|number: &f64| number.is_finite());
            let why = || self.wrong(name, format!("is `{}`; it must be a number", cell.trim()));
            *number = parsed.ok_or_else(why)?;
        }
        let [at_s, _, _, x1, y1, z1, x2, y2, z2, nx, ny, nz, impulse_ns, speed_m_s] = numbers;
        let lost_j = match cells.get(NEEDED).map(|cell| cell.trim()) {
            None | Some("") => None,
            Some(cell) => {
                let why = || self.wrong("lost_j", format!("is `{cell}`; it must be a number"));
                Some(cell.parse().map_err(|_| why())?)
            }
        };
        let body = |k: usize, name: &str| {
            let why = || self.wrong(name, "must be the number of a body".into());
            cells[k].trim().parse().map_err(|_| why())
        };
        let impact = Impact {
            at_s,
            bodies: [body(1, "first")?, body(2, "second")?],
            places: [[x1, y1, z1], [x2, y2, z2]],
            normal: [nx, ny, nz],
            impulse_ns,
            speed_m_s,
            lost_j,
        };
        limits::of_impact(&impact).map_err(|(key, why)| self.wrong(&column_of(&key), why))?;
        Ok(Some(impact))
    }

    /// Returns the cells of the next non-empty row.
    fn row(&mut self) -> Result<Option<Vec<String>>, TraceError> {
        while let Some(line) = self.0.next(MAX_LINE_BYTES)? {
            let text = String::from_utf8_lossy(line);
            if !text.trim().is_empty() {
                return Ok(Some(text.trim_end().split(',').map(String::from).collect()));
            }
        }
        Ok(None)
    }

    fn wrong(&self, key: &str, why: String) -> TraceError {
        TraceError::Value { line: self.0.number, key: key.into(), why }
    }
}

/// Returns the columns of a value that a trace names so.
fn column_of(key: &str) -> String {
    let index = |k: usize| key.as_bytes().get(k).map_or(0, |digit| usize::from(digit & 15));
    match key {
        "normal" => "nx, ny, nz".into(),
        key if key.starts_with("places[") => {
            format!("{}{}", ["x", "y", "z"][index(10).min(2)], index(7) + 1)
        }
        key => key.into(),
    }
}
