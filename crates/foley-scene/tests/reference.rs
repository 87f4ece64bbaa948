//! The keys that are documented are those that are read.

use foley_scene::Scene;
use std::collections::BTreeSet;

const SOURCES: [&str; 9] = [
    include_str!("../src/scene.rs"),
    include_str!("../src/scene/object.rs"),
    include_str!("../src/scene/instances.rs"),
    include_str!("../src/scene/event.rs"),
    include_str!("../src/scene/hail.rs"),
    include_str!("../src/scene/listener.rs"),
    include_str!("../src/scene/material.rs"),
    include_str!("../src/scene/motion.rs"),
    include_str!("../src/scene/surface.rs"),
];

/// The first column of every table under this heading.
fn documented(heading: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for source in SOURCES {
        let mut inside = false;
        for line in source.lines() {
            let cell = line.strip_prefix("//! | ").and_then(|row| row.split('|').next());
            match cell.map(str::trim) {
                Some(cell) if cell == heading => inside = true,
                Some(cell) if inside => {
                    let words = cell.split('`').skip(1).step_by(2);
                    keys.extend(words.map(str::to_owned));
                }
                None if !line.starts_with("//! |--") => inside = false,
                _ => (),
            }
        }
    }
    keys
}

/// What a table that holds the key `qqqqq` would have accepted.
fn known(text: &str) -> BTreeSet<String> {
    let error = Scene::parse(text).unwrap_err();
    let told = error.problems.iter().find(|p| p.key.as_deref() == Some("qqqqq"));
    let told = &told.unwrap_or_else(|| panic!("{error}")).what;
    let list = told.split("nown are: ").nth(1).unwrap_or_else(|| panic!("{told}"));
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_documented_keys_are_those_that_are_read() {
    let object = "[[object]]\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n";
    let inside = |what: &str| known(&format!("{object}{what}"));
    for (heading, found) in [
        ("key", known("qqqqq = 1")),
        ("key of `[[object]]`", inside("qqqqq = 1")),
        ("key of `jitter`", inside("jitter = { qqqqq = 1 }")),
        ("key of a path", inside("motion = [{ qqqqq = 1 }]")),
        ("key of `[listener]`", inside("[listener]\nqqqqq = 1")),
        ("key of `[air]`", inside("[air]\nqqqqq = 1")),
        ("key of `[hail]`", inside("[hail]\nqqqqq = 1")),
        ("key of `cloud`", inside("[hail]\ncloud = { qqqqq = 1 }")),
        ("key of `[[material]]`", inside("[[material]]\nname = \"x\"\nqqqqq = 1")),
        ("key of `[[strike]]`", inside("[[strike]]\nqqqqq = 1")),
        ("key of `[[scrape]]`", inside("[[scrape]]\nqqqqq = 1")),
        (
            "key of `surface`",
            ["fractal", "ribbed\", period_m = 1, depth_m = \"0", "recorded"]
                .into_iter()
                .flat_map(|kind| {
                    let kind = kind.replace("\"0", "0");
                    let quote = if kind.contains('=') { "" } else { "\"" };
                    inside(&format!("surface = {{ kind = \"{kind}{quote}, qqqqq = 1 }}"))
                })
                .collect(),
        ),
    ] {
        assert_eq!(documented(heading), found, "{heading}");
    }
}

#[test]
fn five_lines_are_a_scene() {
    let scene = Scene::parse(
        "ground = \"concrete\"\n[[object]]\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\nposition = [0, 0, 1]",
    )
    .unwrap();
    assert_eq!((scene.seconds, scene.seed, scene.physics_hz), (5.0, 1, 240.0));
    assert_eq!(scene.gravity_m_s2, [0.0, 0.0, -9.81]);
    let bar = scene.object("bar 1").unwrap();
    assert_eq!((bar.friction, bar.restitution, bar.size, bar.silent), (0.5, 0.5, 1.0, false));
    let ground = scene.object("ground").unwrap();
    assert!(ground.silent && ground.motion == foley_scene::scene::Motion::Fixed);
}
