//! No file can panic, hang or exhaust the machine.

use foley_scene::Scene;
use proptest::prelude::*;
use std::time::Instant;

/// Reads a text in limited time.
fn survives(text: &str) {
    let start = Instant::now();
    let _ = Scene::parse(text);
    assert!(start.elapsed().as_secs() < 20, "{:?} for {} bytes", start.elapsed(), text.len());
}

#[test]
fn large_and_deep_files_end_soon() {
    let many = |text: &str, bytes: usize| text.repeat(bytes / text.len());
    for text in [
        many("[", 1 << 20),
        format!("a = {}", many("[", 1 << 20)),
        format!("a = {}", many("{a=", 1 << 20)),
        format!("{} = 1", ["a"; 100_000].join(".")),
        format!("a = [{}]", many("1,", 4 << 20)),
        format!("x = \"{}", many("\\", 1 << 20)),
        many("[[object]]\n", 4 << 20),
        many("[[strike]]\nobject=\"x\"\n", 4 << 20),
        (0..300_000).map(|i| format!("k{i}=1\n")).collect(),
        (0..100_000)
            .map(|i| format!("[[object]]\nname=\"{i}\"\nshape=\"ball:1cm\"\nmaterial=\"steel\"\n"))
            .collect(),
        format!(
            "[[object]]\nshape=\"ball:1cm\"\nmaterial=\"steel\"\nmotion=[{}]",
            many("{at_s=1},", 4 << 20)
        ),
        many("\0", 1000),
        many("a", 9 << 20),
    ] {
        survives(&text);
    }
}

#[test]
fn a_hundred_thousand_objects_are_refused_by_name_of_the_limit() {
    let text: String = (0..100_000)
        .map(|i| format!("[[object]]\nshape=\"ball:{}mm\"\nmaterial=\"steel\"\n", 1 + i % 9))
        .collect();
    let error = Scene::parse(&text).unwrap_err();
    assert!(error.to_string().contains("at most 10000 objects"), "{error}");
    assert_eq!(error.problems[0].line, Some(30_001));
    let scene =
        Scene::parse("[[object]]\nshape=\"ball:1cm\"\nmaterial=\"steel\"\ncopies=10000").unwrap();
    assert_eq!(scene.objects.len(), 10_000);
}

const VALID: &str = r#"
title = "all"
ground = "wood"
[listener]
position = [0, -1, 1]
path = [{ at_s = 0, position = [0, 0, 1] }]
[air]
temperature_c = 10
[hail]
per_second = 30
cloud = { position = [0, 0, 12], size = [4, 3], drift = [0.1, 0.3] }
fall = "accelerated"
wind = [1, 0.1]
from_s = -1.7
largest_m = 0.011
restitution = 0.25
[[material]]
name = "ebony"
like = "hardwood"
[[object]]
name = "ring"
shape = "ring:80x8mm"
material = "ebony"
grid = [2, 3, 1]
spacing = [0.1, 0.1, 0]
jitter = { position = [0.1, 0.1, 0.1], size = 0.2 }
surface = { kind = "ribbed", period_m = 0.01, depth_m = 0.001 }
[[object]]
name = "bell"
mesh = "bell"
material = "bronze"
motion = [{ at_s = 0 }, { at_s = 1, rotation = [0, 0, 0, 1] }]
[[strike]]
object = "bell"
with = { like = "drumstick", mass_kg = 0.1 }
[[scrape]]
object = "bell"
along = [[0, 0, 0], [0, 0, 1]]
speed_m_s = [[0, 0.1], [1, 0.2]]
"#;

/// Values that are valid for some keys.
const WORDS: [&str; 20] = [
    "nan",
    "inf",
    "-1",
    "1e400",
    "0",
    "[]",
    "{}",
    "\"\"",
    "\"steel\"",
    "true",
    "[[1]]",
    "99999999999999999999",
    "{ at_s = nan }",
    "[nan, nan, nan]",
    "\"fixed\"",
    "1979-05-27",
    "\"..\"",
    "\"ring 1\"",
    "[0,0,0,0]",
    "0x7fffffffffffffff",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// A valid file with some values replaced.
    #[test]
    fn any_value_may_stand_anywhere(changes in prop::collection::vec((0..33usize, 0..20usize), 1..4)) {
        let mut lines: Vec<String> = VALID.lines().map(str::to_owned).collect();
        for (line, word) in changes {
            let line = lines.iter_mut().filter(|l| l.contains(" = ")).nth(line);
            if let Some(line) = line {
                let key = line.split(" = ").next().unwrap().to_owned();
                *line = format!("{key} = {}", WORDS[word]);
            }
        }
        // A scene that was read can be written and read back.
        if let Ok(scene) = Scene::parse(&lines.join("\n")) {
            prop_assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
        }
    }

    /// A valid file truncated, or with a character changed.
    #[test]
    fn damaged_files_are_survived(cut in 0..VALID.len(), at in 0..VALID.len(), byte in any::<char>()) {
        let cut_short: String = VALID.chars().take(cut).collect();
        let _ = Scene::parse(&cut_short);
        let changed: String = VALID.chars().enumerate().map(|(i, c)| if i == at { byte } else { c }).collect();
        let _ = Scene::parse(&changed);
    }

    #[test]
    fn any_text_is_survived(text in "\\PC{0,200}") {
        let _ = Scene::parse(&text);
    }
}

#[test]
fn the_valid_file_reads_back_as_the_same_scene() {
    let scene = Scene::parse(VALID).unwrap();
    assert_eq!(scene.objects.len(), 8);
    let again = Scene::parse(&scene.to_toml()).unwrap();
    assert_eq!(again, scene, "{}", scene.to_toml());
}
