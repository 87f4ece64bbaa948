//! Notes for the author of a scene: what makes no sound, and why.

use super::PreparedObject;
use crate::scene::{Motion, Scene};

/// Largest number of objects that a note names.
const MAX_NAMES: usize = 8;

impl Scene {
    /// Returns the notes that need no modes.
    pub(super) fn notes(&self, objects: &[PreparedObject]) -> Vec<String> {
        let mut notes = Vec::new();
        for strike in &self.strikes {
            if let Some(object) = self.objects.get(strike.object)
                && object.silent
            {
                notes.push(format!("\"{}\" is silent, but a strike names it", object.name));
            }
        }
        notes.extend(self.hail_note(objects));
        notes.extend(self.late_note());
        notes.extend(self.release_note());
        notes
    }

    /// Returns a note that names the moving objects, which hail passes through.
    fn hail_note(&self, objects: &[PreparedObject]) -> Option<String> {
        self.hail.filter(|hail| hail.per_second > 0.0 && self.trace.is_none())?;
        let moving = self.objects.iter().zip(objects).filter(|(object, prepared)| {
            object.motion != Motion::Fixed && prepared.collider.is_some()
        });
        let names = quoted(moving.map(|(object, _)| &*object.name))?;
        let remedy = "write motion = \"fixed\" for those it should strike";
        Some(format!("hail passes through moving objects: {names}; {remedy}"))
    }

    /// Returns a note on what the scene file places after the end of the scene.
    fn late_note(&self) -> Option<String> {
        let hail_s = self.hail.filter(|hail| hail.per_second > 0.0).and_then(|hail| hail.from_s);
        let is_simulated = self.trace.is_none();
        let released = self.objects.iter().filter(|_| is_simulated).map(|object| object.release_s);
        let kinds: [(&str, &str, Vec<f64>); 4] = [
            ("strike", "strikes", self.strikes.iter().map(|strike| strike.at_s).collect()),
            ("scrape", "scrapes", self.scrapes.iter().map(|scrape| scrape.at_s).collect()),
            ("release", "releases", released.collect()),
            ("hail", "hail", hail_s.filter(|_| is_simulated).into_iter().collect()),
        ];
        let (mut late, mut latest_s, mut count) = (Vec::new(), 0.0_f64, 0);
        for (one, many, times_s) in kinds {
            let after: Vec<f64> =
                times_s.into_iter().filter(|at_s| *at_s >= self.seconds).collect();
            latest_s = after.iter().copied().fold(latest_s, f64::max);
            count += after.len();
            match after.len() {
                0 => (),
                _ if one == many => late.push(one.to_owned()),
                1 => late.push(format!("1 {one}")),
                n => late.push(format!("{n} {many}")),
            }
        }
        let are = if count == 1 { "is" } else { "are" };
        let (late, end_s) = (late.join(", "), self.seconds);
        let place = format!("after the end of the scene at {end_s} s, at {latest_s} s the latest");
        (count > 0).then(|| format!("{late} {are} {place}; write a larger `seconds`"))
    }

    /// Returns a note on strikes and scrapes of objects that are not in the scene yet.
    fn release_note(&self) -> Option<String> {
        let strikes = self.strikes.iter().map(|strike| (strike.object, strike.at_s));
        let scrapes = self.scrapes.iter().map(|scrape| (scrape.object, scrape.at_s));
        let early: Vec<usize> = strikes
            .chain(scrapes)
            .filter(|(object, at_s)| !self.is_present(*object, *at_s))
            .map(|(object, _)| object)
            .collect();
        let mut objects = early.clone();
        objects.sort_unstable();
        objects.dedup();
        let names = objects.into_iter().filter_map(|object| self.objects.get(object));
        let names = quoted(names.map(|object| &*object.name))?;
        let events = match early.len() {
            1 => "1 strike or scrape begins before the release of its object and makes".to_owned(),
            n => {
                format!("{n} strikes and scrapes begin before the release of their object and make")
            }
        };
        Some(format!("{events} no sound until then: {names}; write a later `at_s`"))
    }
}

/// Returns names in a list; `None` without any.
pub(super) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    let more = match names.len().saturating_sub(MAX_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| format!("{}{more}", names[..names.len().min(MAX_NAMES)].join(", ")))
}
