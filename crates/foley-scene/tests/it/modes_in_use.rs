//! The number of oscillators that a scene needs.

use crate::common;

use common::sound::{prepared, scene};
use foley_scene::sonify::{RenderSettings, render};

const SCRAPED_S: f64 = 0.5;

/// Partials stand for modes, so there are fewer. Only at the start of a force, when modes replace
/// partials that still fade, both are computed.
#[test]
fn there_are_more_oscillators_than_modes_only_while_modes_take_over() {
    let text = format!(
        "seconds = 1.5\nfull_scale_pa = 5\n[[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\n\
         material = \"steel\"\nmotion = \"fixed\"\n\
         [[strike]]\nobject = \"bar\"\nat_s = 0.1\n\
         [[scrape]]\nobject = \"bar\"\nalong = [[-0.1, 0, 0], [0.1, 0.01, 0]]\n\
         at_s = {SCRAPED_S}\nseconds = 0.4\nback_and_forth = true"
    );
    let scene = scene(&text);
    let settings = RenderSettings::default();
    let rendered = render(&scene, &prepared(&scene), &settings, &mut |_| true).unwrap().unwrap();
    let block_s = settings.engine.block as f64 / f64::from(rendered.sound.sample_rate_hz);
    let taken_over = (SCRAPED_S / block_s) as usize;
    let more: Vec<usize> = (0..rendered.computed.len())
        .filter(|k| rendered.computed[*k][0] > rendered.computed[*k][1])
        .collect();
    assert!(!more.is_empty() && more.len() <= 4, "{more:?}");
    assert!(more.iter().all(|k| (taken_over..taken_over + 4).contains(k)), "{more:?}");
    // A scraped object computes every mode; a struck one computes fewer partials.
    let at = |time_s: f64| rendered.computed[(time_s / block_s) as usize];
    assert_eq!(at(0.8)[0], at(0.8)[1]);
    assert!(at(0.2)[0] > 0 && at(0.2)[0] < at(0.2)[1], "{:?}", at(0.2));
}
