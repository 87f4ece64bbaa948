//! Contacts radiate no more energy than they lose.

use crate::common;

use common::sound::{contacts, radiated_j, render_text};
use foley_scene::sonify::{Rendered, SceneEvent};

/// The listener's distance, m; much farther than the objects are large.
const FAR_M: f64 = 20.0;

/// Friction of every object.
const FRICTION: f64 = 0.5;

/// Without directivity what is heard is the mean over all directions.
fn scene(objects: &str) -> Rendered {
    render_text(&format!(
        "seconds = 4\nfull_scale_pa = 1e4\ndirectivity = false\n[listener]\nposition = [0, -{FAR_M}, 0]\n{objects}"
    ))
}

fn falling(shape: &str, material: &str) -> String {
    format!(
        "[[object]]\nname = \"floor\"\nshape = \"ground\"\nmaterial = \"concrete\"\n\
         [[object]]\nname = \"object\"\nshape = \"{shape}\"\nmaterial = \"{material}\"\n\
         position = [0, 0, 0.5]\nrotation = [20, 30, 10]\ncopies = 3\nstep = [0.05, 0.02, 0.3]\n\
         max_modes = 120"
    )
}

/// Returns the work of friction, J, without rolling friction, which is much less.
fn friction_j(events: &[SceneEvent], seconds: f64) -> f64 {
    let mut last = std::collections::HashMap::<u64, (f64, f64)>::new();
    let mut work_j = 0.0;
    for contact in contacts(events) {
        let power_w = FRICTION * contact.force_n * contact.slip_m_s;
        if let Some((at_s, power_w)) = last.remove(&contact.contact) {
            work_j += power_w * (contact.at_s - at_s);
        }
        if !contact.over {
            last.insert(contact.contact, (contact.at_s, power_w));
        }
    }
    work_j + last.values().map(|(at_s, power_w)| power_w * (seconds - at_s)).sum::<f64>()
}

/// Returns the energy radiated, % of the energy lost.
fn radiated_percent(what: &str, rendered: &Rendered) -> f64 {
    let radiated = radiated_j(rendered, FAR_M);
    let lost_j = rendered.stats.lost_j + friction_j(&rendered.events, 4.0);
    println!(
        "{what}: {radiated:.3e} J of {lost_j:.3e} J, {} excitations",
        rendered.stats.excitations
    );
    assert!(radiated > 0.0, "{what} is silent");
    100.0 * radiated / lost_j
}

#[test]
fn falling_objects_radiate_no_more_than_they_lose() {
    for (shape, material) in [
        ("bar:300x30x8mm", "steel"),
        ("bar:200x20x3mm", "glass"),
        ("plate:200x150x1mm", "steel"),
        ("plate:300x200x4mm", "wood"),
        ("disc:160x2mm", "bronze"),
        ("ring:80x6mm", "steel"),
    ] {
        let percent = radiated_percent(shape, &scene(&falling(shape, material)));
        foley_measured::check!("scenes.radiated_falls", percent);
    }
}

/// A body that falls cannot radiate more than it had: `m g h` of all three.
#[test]
fn falling_objects_radiate_no_more_than_they_had() {
    let rendered = scene(&falling("plate:200x150x1mm", "steel"));
    let mass_kg = 0.2 * 0.15 * 1e-3 * 7850.0;
    let had_j = mass_kg * 9.81 * (0.5 + 0.8 + 1.1 + 3.0 * 0.15);
    assert!(radiated_j(&rendered, FAR_M) < had_j);
    assert!(rendered.stats.lost_j < had_j, "{} J lost of {had_j}", rendered.stats.lost_j);
}

#[test]
fn strikes_radiate_no_more_than_they_lose() {
    for with in ["steel ball", "wooden mallet", "felt mallet", "fingertip"] {
        for shape in ["bar:300x30x8mm", "plate:300x200x1mm"] {
            // One strike: a contact does not feel what rings from those before.
            let strikes =
                format!("[[strike]]\nobject = \"object\"\nwith = \"{with}\"\nat_s = 0.01\n");
            let text = format!(
                "[[object]]\nname = \"object\"\nshape = \"{shape}\"\nmaterial = \"steel\"\n\
                 motion = \"fixed\"\n{strikes}"
            );
            let percent = radiated_percent(&format!("{with} on {shape}"), &scene(&text));
            foley_measured::check!("scenes.radiated_strikes", percent);
        }
    }
}

#[test]
fn scrapes_radiate_no_more_than_friction_takes() {
    let ribbed = "{ kind = \"ribbed\", period_m = 0.001, depth_m = 1e-4 }";
    let rough = "{ kind = \"fractal\", beta = -1, roughness_m = 1e-5 }";
    for surface in [ribbed, rough] {
        for (shape, material) in [
            ("plate:300x200x1mm", "steel"),
            ("plate:300x200x4mm", "wood"),
            ("bar:300x30x8mm", "steel"),
        ] {
            for speed_m_s in [0.05, 0.5, 5.0] {
                let text = format!(
                    "[[object]]\nname = \"object\"\nshape = \"{shape}\"\nmaterial = \"{material}\"\n\
                     motion = \"fixed\"\nsurface = {surface}\nmax_modes = 120\n\
                     [[scrape]]\nobject = \"object\"\nalong = [[-0.1, 0, 0], [0.1, 0.01, 0]]\n\
                     back_and_forth = true\nseconds = 3\nspeed_m_s = {speed_m_s}\nforce_n = 3"
                );
                let what = format!("{surface} {shape} {speed_m_s} m/s");
                foley_measured::check!(
                    "scenes.radiated_scrapes",
                    radiated_percent(&what, &scene(&text))
                );
            }
        }
    }
}
