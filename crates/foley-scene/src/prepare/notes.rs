//! Notes for the author of a scene: what makes no sound, and why.

use super::PreparedObject;
use crate::scene::{Motion, Scene};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of objects that a note names.
const MAX_NAMES: usize = 8;

impl Scene {
    /// Returns the notes that need no modes.
    pub(super) fn notes(&self, objects: &[PreparedObject]) -> Vec<String> {
        let mut notes = Vec::new();
        let struck: BTreeSet<usize> = self.strikes.iter().map(|strike| strike.object).collect();
        for object in struck.into_iter().filter_map(|number| self.objects.get(number)) {
            let clicks = object.motion == Motion::Dynamic && self.acceleration_noise;
            if object.silent && !clicks {
                notes.push(format!(
                    "\"{}\" is silent, but a strike names it; leave out `silent` or the strike",
                    object.name
                ));
            }
        }
        notes.extend(self.hail_note(objects));
        notes.extend(self.late_note());
        notes.extend(self.release_notes());
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
        let (late, end_s) = (late.join(", "), self.seconds);
        (count > 0).then(|| {
            format!(
                "after the end of the scene at {end_s} s: {late} (the last at {latest_s} s); write a larger `seconds`"
            )
        })
    }

    /// Returns notes on strikes and scrapes of objects that are not in the scene yet, each on one object.
    fn release_notes(&self) -> Vec<String> {
        let strikes = self.strikes.iter().map(|strike| (strike.object, strike.at_s, [1, 0]));
        let scrapes = self.scrapes.iter().map(|scrape| (scrape.object, scrape.at_s, [0, 1]));
        let mut early: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
        for (object, at_s, [strike, scrape]) in strikes.chain(scrapes) {
            if !self.is_present(object, at_s) {
                let counts = early.entry(object).or_default();
                *counts = [counts[0] + strike, counts[1] + scrape];
            }
        }
        let mut notes = Vec::new();
        for (object, [strikes, scrapes]) in early.iter().take(MAX_NAMES) {
            let Some(object) = self.objects.get(*object) else { continue };
            let (name, release_s) = (&object.name, object.release_s);
            match strikes {
                0 => (),
                1 => notes.push(format!(
                    "1 strike of \"{name}\" is before its release at {release_s} s and makes no sound; write a later \
                     `at_s`"
                )),
                n => notes.push(format!(
                    "{n} strikes of \"{name}\" are before its release at {release_s} s and make no sound; write a \
                     later `at_s`"
                )),
            }
            let remedy = format!("silent until its release at {release_s} s; write a later `at_s`");
            match scrapes {
                0 => (),
                1 => notes.push(format!("1 scrape of \"{name}\" is {remedy}")),
                n => notes.push(format!("{n} scrapes of \"{name}\" are {remedy}")),
            }
        }
        if let more @ 1.. = early.len().saturating_sub(MAX_NAMES) {
            let objects = if more == 1 { "object has" } else { "objects have" };
            notes.push(format!("{more} more {objects} strikes or scrapes before the release"));
        }
        notes
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
