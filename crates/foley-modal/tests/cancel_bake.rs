//! Bakes that are cancelled notice it soon.

mod bodies;

use bodies::bodies;
use foley_modal::bake::{BakeError, Stage};
use std::time::Instant;

/// Longest work between two calls of the callback: this, or this part of all work.
const LONGEST_S: f64 = 0.25;
const LARGEST_PART: f64 = 0.05;

/// Time that a waiting machine does not count: of the processor where it is known, s.
struct Work(Instant);

impl Work {
    fn seconds(&self) -> f64 {
        // Fields 14 and 15, counted after the name: user and system time in hundredths of a second.
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let times: Vec<f64> = fields.skip(11).take(2).filter_map(|x| x.parse().ok()).collect();
        match times[..] {
            [user, system] => (user + system) / 100.0,
            _ => self.0.elapsed().as_secs_f64(),
        }
    }
}

/// The callback is called often in every stage of every method; after it returns false nothing more is
/// called or done. One test, because it measures the processor time of the process.
#[test]
fn a_bake_stops_soon_after_it_is_cancelled() {
    let work = Work(Instant::now());
    for body in bodies() {
        let name = body.name;
        // Three times, and of each pause the shortest: the machine may be slow, but not at the same call each time.
        let record = || {
            let began = work.seconds();
            let mut calls = vec![(began, Stage::Measuring, 0.0)];
            let mut watch = |stage, part| {
                calls.push((work.seconds(), stage, part));
                true
            };
            body.bake(Some(&mut watch)).unwrap();
            calls.push((work.seconds(), Stage::Compressing, 1.0));
            let pauses: Vec<_> = calls
                .windows(2)
                .map(|pair| (pair[1].0 - pair[0].0, pair[0].1, pair[0].2))
                .collect();
            (work.seconds() - began, pauses)
        };
        let (mut total, mut calls) = record();
        for (total_again, again) in [record(), record()] {
            assert_eq!(calls.len(), again.len(), "{name}");
            total = total.min(total_again);
            calls.iter_mut().zip(again).for_each(|(a, b)| a.0 = a.0.min(b.0));
        }
        let allowed = LONGEST_S.max(LARGEST_PART * total);
        let longest = calls.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        println!("{name}: {total:.1} s, {} calls, longest pause {longest:.2?}", calls.len() - 1);
        foley_measured::check!("meshes.cancelled", longest.0 / allowed);

        for part in [0.0, 0.05, 0.3, 0.6, 0.99] {
            let last = (part * (calls.len() - 2) as f64) as usize;
            let (mut asked, mut cancelled_at) = (0, 0.0);
            let mut watch = |_, _| {
                asked += 1;
                cancelled_at = work.seconds();
                asked <= last
            };
            let result = body.bake(Some(&mut watch));
            let late = work.seconds() - cancelled_at;
            assert!(matches!(result, Err(BakeError::Cancelled)), "{name}: {result:?}");
            assert_eq!(asked, last + 1, "{name}");
            println!("{name} at {part}: {late} s of {total:.1} s");
            foley_measured::check!("meshes.cancelled", late / allowed);
        }
    }
}
