//! Fields of a shape's text: dimensions, then key=value pairs.

use super::shorten;
use crate::shape::ShapeError;

/// Dimensions and keys that are not consumed yet, with the text and a valid one for errors.
pub(in crate::shape) struct Fields<'a> {
    text: &'a str,
    example: &'static str,
    dimensions: Vec<&'a str>,
    keys: Vec<(String, &'a str)>,
}

/// Splits a number from the unit that follows it.
fn number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)));
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let value: f64 = digits.parse().ok()?;
    Some((value, unit.trim()))
}

/// Converts a length to metres. Divides rather than multiplies, so that 300mm is exactly 0.3 m.
fn metres(value: f64, unit: &str) -> Option<f64> {
    match unit {
        "m" => Some(value),
        "cm" => Some(value / 100.0),
        "mm" => Some(value / 1000.0),
        "in" => Some(value * 0.0254),
        _ => None,
    }
}

impl<'a> Fields<'a> {
    /// Splits what follows the kind of the shape in `text`.
    pub(in crate::shape) fn new(
        text: &'a str,
        fields: &'a str,
        example: &'static str,
    ) -> Result<Self, ShapeError> {
        let mut parts = fields.split(',').map(str::trim);
        let dimensions = parts.next().unwrap_or("").split(['x', 'X', '×']).map(str::trim).collect();
        let mut fields = Self { text, example, dimensions, keys: Vec::new() };
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                fields.wrong(format!("`{}` is not of the form key=value", shorten(part)))
            })?;
            let key = key.trim().to_lowercase();
            if fields.keys.iter().any(|(k, _)| *k == key) {
                return Err(fields.wrong(format!("`{}` is given twice", shorten(&key))));
            }
            fields.keys.push((key, value.trim()));
        }
        Ok(fields)
    }

    fn wrong(&self, problem: String) -> ShapeError {
        ShapeError::Text { text: shorten(self.text), problem, example: self.example }
    }

    /// Returns exactly these lengths, in metres.
    pub(in crate::shape) fn lengths<const N: usize>(
        &mut self,
        names: [&'static str; N],
    ) -> Result<[f64; N], ShapeError> {
        let found = self.dimensions.len();
        if found != N {
            let names = names.join(" x ");
            let s = if found == 1 { "" } else { "s" };
            return Err(
                self.wrong(format!("it has {found} dimension{s} where {N} are needed: {names}"))
            );
        }
        let mut lengths = [0.0; N];
        let mut last = None;
        for i in (0..N).rev() {
            let (name, text) = (names[i], self.dimensions[i]);
            let (value, unit) = number(text).ok_or_else(|| {
                self.wrong(format!("the {name} `{}` is not a number with a unit", shorten(text)))
            })?;
            let unit = match unit {
                "" => last.ok_or_else(|| {
                    self.wrong(format!("the {name} `{text}` has no unit; use m, cm, mm or in"))
                })?,
                unit => unit,
            };
            lengths[i] = metres(value, unit).ok_or_else(|| {
                self.wrong(format!("unknown unit `{}`; use m, cm, mm or in", shorten(unit)))
            })?;
            last = last.or(Some(unit));
        }
        Ok(lengths)
    }

    fn take(&mut self, names: &[&str]) -> Option<&'a str> {
        let at = self.keys.iter().position(|(key, _)| names.contains(&&**key))?;
        Some(self.keys.remove(at).1)
    }

    /// Returns one of several words; the first of them when the key is absent.
    pub(in crate::shape) fn choice<T: Copy>(
        &mut self,
        names: &[&str],
        choices: &[(&str, T)],
    ) -> Result<T, ShapeError> {
        let Some(word) = self.take(names) else { return Ok(choices[0].1) };
        let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        found.map(|(_, value)| *value).ok_or_else(|| {
            let known = choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            self.wrong(format!("`{}` is not one of {known}", shorten(word)))
        })
    }

    /// Returns a required number in one unit, which may have several spellings.
    pub(in crate::shape) fn quantity(
        &mut self,
        name: &str,
        units: &[&str],
    ) -> Result<f64, ShapeError> {
        let text = self.take(&[name]).ok_or_else(|| self.wrong(format!("`{name}` is missing")))?;
        number(text)
            .filter(|(_, unit)| units.contains(&&*unit.to_lowercase()))
            .map(|(value, _)| value)
            .ok_or_else(|| {
                let unit = units[0].replace('n', "N");
                self.wrong(format!("the {name} `{}` needs a unit, {unit}", shorten(text)))
            })
    }

    /// Refuses keys that were not consumed.
    pub(in crate::shape) fn finish(self) -> Result<(), ShapeError> {
        match self.keys.first() {
            Some((key, _)) => Err(self.wrong(format!("unknown key `{}`", shorten(key)))),
            None => Ok(()),
        }
    }
}
