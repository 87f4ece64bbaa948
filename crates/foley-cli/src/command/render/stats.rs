//! What happened in a scene, how loud it was and what it took.

mod histogram;

use anyhow::Result;
use foley::physics::Event;
use foley::scene::Scene;
use foley::scene::prepare::Prepared;
use foley::scene::sonify::{
    ImpactRecord, Rendered, SceneEvent, SonifyStats, computed_share, impulses,
};
use serde_json::{Value, json};
use std::collections::HashSet;

use super::CpuTimes;
use crate::output::{counted, finite};
use foley::AudioBuffer;
use histogram::Histogram;

/// More times than this are not listed; the count says how many there are.
const MOST_TIMES: usize = 100_000;
/// Rate at which the share of computed modes is listed, Hz.
const SHARES_HZ: f64 = 20.0;

/// Facts about a scene that was rendered.
#[derive(Debug, Clone)]
pub(crate) struct Stats {
    title: String,
    seconds: f64,
    pub(super) impulses: Vec<ImpactRecord>,
    sustained_contacts: usize,
    sonify: SonifyStats,
    /// Time, oscillators computed, modes there are.
    modes: Vec<(f64, [u64; 2])>,
    took: CpuTimes,
    full_scale_pa: f64,
    loudness_lufs: f64,
    peak_dbfs: f64,
    lost: Vec<String>,
    /// Name of the hail backend.
    hail_backend_name: Option<String>,
}

impl Stats {
    pub(crate) fn new(
        scene: &Scene,
        prepared: &Prepared,
        rendered: &Rendered,
        took: &CpuTimes,
        sound: &AudioBuffer,
    ) -> Result<Self> {
        let contact = |event: &SceneEvent| match event {
            SceneEvent::Physics(Event::SustainedContact(contact)) => Some(contact.contact),
            _ => None,
        };
        let contacts: HashSet<u64> = rendered.events.iter().filter_map(contact).collect();
        Ok(Self {
            title: scene.title.clone(),
            seconds: scene.seconds,
            impulses: impulses(scene, prepared, &rendered.events),
            sustained_contacts: contacts.len(),
            sonify: rendered.stats,
            modes: rendered.computed_over_time(scene),
            took: *took,
            full_scale_pa: rendered.full_scale_pa,
            loudness_lufs: sound.loudness_lufs()?,
            peak_dbfs: sound.peak_dbfs(),
            lost: rendered.lost.clone(),
            hail_backend_name: rendered.hail_backend_name.clone(),
        })
    }

    fn impacts(&self) -> impl Iterator<Item = &ImpactRecord> {
        self.impulses.iter().filter(|impact| !impact.is_scripted)
    }

    fn strike_count(&self) -> usize {
        self.impulses.len() - self.impacts().count()
    }

    /// Oscillators computed for each mode there was, over the whole scene.
    fn mean_share(&self) -> f64 {
        computed_share(&self.modes)
    }

    /// As one JSON object.
    pub(crate) fn to_json(&self) -> Value {
        let histogram = Histogram::new(self.impacts().map(|impact| impact.impulse_ns));
        let times: Vec<f64> = self.impacts().take(MOST_TIMES).map(|impact| impact.at_s).collect();
        let hardest = self.impacts().map(|impact| impact.impulse_ns).fold(0.0, f64::max);
        let step = ((self.modes.len() as f64 / (self.seconds * SHARES_HZ)).ceil() as usize).max(1);
        let parts = || self.modes.chunks(step);
        json!({
            "title": self.title,
            "seconds": self.seconds,
            "impacts": {
                "count": self.impacts().count(),
                "times_s": times,
                "hardest_ns": hardest,
                "histogram": histogram,
            },
            "strikes": self.strike_count(),
            "sustained_contacts": self.sustained_contacts,
            "heard": self.sonify,
            "lost_j": self.sonify.lost_j,
            "hail_found_by": self.hail_backend_name,
            "modes": {
                "most": self.modes.iter().map(|(_, counts)| counts[1]).max().unwrap_or(0),
                "most_computed": self.modes.iter().map(|(_, counts)| counts[0]).max().unwrap_or(0),
                "mean_share": self.mean_share(),
                "times_s": parts().filter_map(|p| Some(p.first()?.0)).collect::<Vec<f64>>(),
                "shares": parts().map(computed_share).collect::<Vec<f64>>(),
            },
            "processor": {
                "physics_s": self.took.physics_s,
                "level_s": self.took.level_s,
                "sound_s": self.took.sound_s,
                "sound_share": self.took.sound_share(),
                "times_real_time": self.seconds / self.took.total_s().max(1e-9),
            },
            "full_scale_pa": self.full_scale_pa,
            "loudness_lufs": finite(self.loudness_lufs),
            "peak_dbfs": finite(self.peak_dbfs),
            "lost": self.lost,
        })
    }

    /// In sentences.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "{}: {:.1} s, {}, {}, {}, {:.3} J lost in impacts",
                self.title,
                self.seconds,
                counted(self.impacts().count(), "impact"),
                counted(self.strike_count(), "strike"),
                counted(self.sustained_contacts, "sustained contact"),
                self.sonify.lost_j,
            ),
            match self.peak_dbfs.is_finite() {
                true => format!(
                    "{:.1} LUFS, peak {:.1} dBFS; full scale is {:.3} Pa",
                    self.loudness_lufs, self.peak_dbfs, self.full_scale_pa
                ),
                false => "nothing is heard".into(),
            },
            format!(
                "{:.1} × real time; of physics and sound, sound takes {:.0} % of the processor",
                self.seconds / self.took.total_s().max(1e-9),
                100.0 * self.took.sound_share(),
            ),
        ];
        lines.extend(self.details());
        lines
    }

    /// Returns what became of the hail, and what was left out or lost, in sentences.
    pub(crate) fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let hail = self.sonify.hail;
        if hail != Default::default() {
            let (fell, struck, heard) = (hail.emitted, hail.impacts, hail.sounded);
            lines.push(match fell {
                // A trace contains only the audible ones.
                0 => format!("hail: {heard} stones were heard"),
                _ => format!(
                    "hail: {fell} stones fell, {struck} struck what sounds, {heard} were heard"
                ),
            });
        }
        if let Some(name) = self.hail_backend_name.as_ref().filter(|name| *name != "CPU") {
            lines.push(format!("hail: found by {name}"));
        }
        lines.extend(self.sonify.left_out().iter().map(|what| format!("left out: {what}")));
        lines.extend(self.lost.iter().map(|name| format!("lost: \"{name}\" flew away")));
        lines
    }
}
