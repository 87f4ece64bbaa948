//! Forces and speeds of sustained contacts over time, as \[FA\] Fig. 8.

use foley_physics::{Event, SustainedContact};
use foley_scene::sonify::SceneEvent;
use std::collections::HashMap;

use super::line_chart::Series;
use super::time_chart::{TimeChart, Track, TrackStyle};

/// Number of time steps.
const STEPS: usize = 2800;

/// Forces and speeds over time.
#[derive(Debug, Default)]
struct Histories {
    /// Sum of normal forces, N.
    force: Vec<(f64, f64)>,
    /// Highest sliding speed, m/s.
    slip: Vec<(f64, f64)>,
    /// Highest rolling speed, m/s.
    roll: Vec<(f64, f64)>,
    /// Most contacts at a time.
    most: usize,
}

/// Returns the normal force and the fastest sliding and rolling of all sustained contacts.
pub fn contact_forces(title: &str, events: &[SceneEvent], seconds: f64) -> TimeChart {
    let histories = histories(events, seconds);
    let line = |name: &str, points: Vec<(f64, f64)>| Series {
        name: name.into(),
        points,
        ..Series::default()
    };
    let track = |name: &str, lines| Track {
        name: name.into(),
        height: 330.0,
        style: TrackStyle::Lines(lines),
    };
    let speeds = vec![line("sliding", histories.slip), line("rolling", histories.roll)];
    TimeChart {
        title: format!("{title}: forces and speeds of contacts"),
        facts: format!(
            "at most {} contacts at a time  ·  forces of all, without impacts  ·  the fastest of each",
            histories.most
        ),
        seconds,
        tracks: vec![
            track("Normal force (N)", vec![line("", histories.force)]),
            track("Speed (m/s)", speeds),
        ],
    }
}

/// Returns the maxima within each time step: no peak is lost.
fn histories(events: &[SceneEvent], seconds: f64) -> Histories {
    let mut contacts: Vec<&SustainedContact> = events
        .iter()
        .filter_map(|one| match one {
            SceneEvent::Physics(Event::SustainedContact(contact)) => Some(contact),
            _ => None,
        })
        .collect();
    contacts.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    let mut waiting = contacts.into_iter().peekable();
    let mut now: HashMap<u64, &SustainedContact> = HashMap::new();
    let mut all = Histories::default();
    for k in 0..STEPS {
        let (at_s, end_s) = (k as f64, (k + 1) as f64);
        let [at_s, end_s] = [at_s, end_s].map(|k| k * seconds / STEPS as f64);
        let mut most = [now.values().map(|t| t.force_n).sum(), fastest(&now)[0], fastest(&now)[1]];
        let mut force_n: f64 = most[0];
        while let Some(contact) = waiting.next_if(|contact| contact.at_s < end_s) {
            force_n -= now.remove(&contact.contact).map_or(0.0, |before| before.force_n);
            if !contact.over {
                force_n += contact.force_n;
                now.insert(contact.contact, contact);
                let own = [force_n, contact.slip_m_s, contact.roll_m_s];
                most = [0, 1, 2].map(|k| most[k].max(own[k]));
            }
            all.most = all.most.max(now.len());
        }
        all.force.push((at_s, most[0]));
        all.slip.push((at_s, most[1]));
        all.roll.push((at_s, most[2]));
    }
    all
}

fn fastest(now: &HashMap<u64, &SustainedContact>) -> [f64; 2] {
    now.values().fold([0.0, 0.0], |[slip, roll], contact| {
        [f64::max(slip, contact.slip_m_s), f64::max(roll, contact.roll_m_s)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(at_s: f64, contact: u64, force_n: f64, slip_m_s: f64, over: bool) -> SceneEvent {
        SceneEvent::Physics(Event::SustainedContact(SustainedContact {
            at_s,
            contact,
            bodies: [0, 1],
            places: [[0.0; 3]; 2],
            normal: [0.0, 0.0, 1.0],
            force_n,
            slip_m_s,
            roll_m_s: 0.0,
            over,
        }))
    }

    #[test]
    fn forces_add_and_speeds_do_not() {
        let events = [
            contact(0.2, 1, 3.0, 0.5, false),
            contact(0.4, 2, 4.0, 0.2, false),
            contact(0.6, 1, 0.0, 0.0, true),
            contact(0.8, 2, 0.0, 0.0, true),
        ];
        let all = histories(&events, 1.0);
        let at = |points: &[(f64, f64)], t: f64| points[(t * STEPS as f64) as usize].1;
        let force = [0.1, 0.3, 0.5, 0.7, 0.9].map(|t| at(&all.force, t));
        let slip = [0.1, 0.3, 0.5, 0.7, 0.9].map(|t| at(&all.slip, t));
        assert_eq!((force, slip), ([0.0, 3.0, 7.0, 4.0, 0.0], [0.0, 0.5, 0.5, 0.2, 0.0]));
        assert_eq!(all.most, 2);
    }
}
