//! Forces and speeds of all touches over time.

use foley_physics::{Event, SustainedContact};
use foley_scene::sonify::SceneEvent;
use std::collections::HashMap;

/// Moments that are drawn.
const MOMENTS: usize = 2800;

/// What touches do over time.
#[derive(Debug, Default)]
pub(super) struct Course {
    /// Of all touches together, N.
    pub(super) force: Vec<(f64, f64)>,
    /// Of the touch that slides fastest, m/s.
    pub(super) slip: Vec<(f64, f64)>,
    /// Of the touch that rolls fastest, m/s.
    pub(super) roll: Vec<(f64, f64)>,
    /// Most touches at a time.
    pub(super) most: usize,
}

/// Each point is the most within its moment: no peak is lost.
pub(super) fn course(events: &[SceneEvent], seconds: f64) -> Course {
    let mut touches: Vec<&SustainedContact> = events
        .iter()
        .filter_map(|one| match one {
            SceneEvent::Physics(Event::SustainedContact(touch)) => Some(touch),
            _ => None,
        })
        .collect();
    touches.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    let mut waiting = touches.into_iter().peekable();
    let mut now: HashMap<u64, &SustainedContact> = HashMap::new();
    let mut course = Course::default();
    for k in 0..MOMENTS {
        let (at_s, end_s) = (k as f64, (k + 1) as f64);
        let [at_s, end_s] = [at_s, end_s].map(|k| k * seconds / MOMENTS as f64);
        let mut most = [now.values().map(|t| t.force_n).sum(), fastest(&now)[0], fastest(&now)[1]];
        let mut force_n: f64 = most[0];
        while let Some(touch) = waiting.next_if(|touch| touch.at_s < end_s) {
            force_n -= now.remove(&touch.contact).map_or(0.0, |before| before.force_n);
            if !touch.over {
                force_n += touch.force_n;
                now.insert(touch.contact, touch);
                let own = [force_n, touch.slip_m_s, touch.roll_m_s];
                most = [0, 1, 2].map(|k| most[k].max(own[k]));
            }
            course.most = course.most.max(now.len());
        }
        course.force.push((at_s, most[0]));
        course.slip.push((at_s, most[1]));
        course.roll.push((at_s, most[2]));
    }
    course
}

fn fastest(now: &HashMap<u64, &SustainedContact>) -> [f64; 2] {
    now.values().fold([0.0, 0.0], |[slip, roll], touch| {
        [f64::max(slip, touch.slip_m_s), f64::max(roll, touch.roll_m_s)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(at_s: f64, contact: u64, force_n: f64, slip_m_s: f64, over: bool) -> SceneEvent {
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
            touch(0.2, 1, 3.0, 0.5, false),
            touch(0.4, 2, 4.0, 0.2, false),
            touch(0.6, 1, 0.0, 0.0, true),
            touch(0.8, 2, 0.0, 0.0, true),
        ];
        let course = course(&events, 1.0);
        let at = |points: &[(f64, f64)], t: f64| points[(t * MOMENTS as f64) as usize].1;
        let force = [0.1, 0.3, 0.5, 0.7, 0.9].map(|t| at(&course.force, t));
        let slip = [0.1, 0.3, 0.5, 0.7, 0.9].map(|t| at(&course.slip, t));
        assert_eq!((force, slip), ([0.0, 3.0, 7.0, 4.0, 0.0], [0.0, 0.5, 0.5, 0.2, 0.0]));
        assert_eq!(course.most, 2);
    }
}
