//! Every problem of a scene file is reported with line, column, key and remedy.

use foley_scene::{Problem, Scene, SceneError};

/// A valid bar on lines 1 to 4.
const BAR: &str = "[[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n";

fn error(text: &str) -> SceneError {
    match Scene::parse(text) {
        Ok(_) => panic!("this is valid: {text}"),
        Err(error) => error,
    }
}

/// Returns the only problem.
fn problem(text: &str) -> Problem {
    let error = error(text);
    assert_eq!(error.count, 1, "{text}\n{:#?}", error.problems);
    error.problems[0].clone()
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_likely_one() {
    let problem = problem(
        "[[object]]\nname = \"bell\"\nmesh = \"bell\"\n  materail = \"bronze\"\nsilent = true\nmotion = \"fixed\"",
    );
    assert_eq!((problem.line, problem.column), (Some(4), Some(3)));
    assert_eq!(problem.key.as_deref(), Some("materail"));
    let text = problem.to_string();
    let expected = "scene.toml:4:3: object \"bell\": unknown key `materail`; did you mean `material`? Known are: ";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("thickness_m"), "{text}");
}

/// Every kind of mistake: lines added to a valid object, then line, key and part of the message.
#[test]
fn every_mistake_is_reported_at_its_line_and_key() {
    let cases: &[(&str, usize, &str, &str)] = &[
        // Kinds of values.
        ("friction = \"much\"", 5, "friction", "must be a number from 0 to 10; this is a text"),
        ("silent = \"yes\"", 5, "silent", "must be true or false; this is a text"),
        ("position = 3", 5, "position", "a list of 3 numbers; this is a whole number"),
        ("position = [1, 2]", 5, "position", "has 2 numbers where 3 are needed"),
        ("position = [1, 2, \"x\"]", 5, "position", "this is a text"),
        ("motion = 1979-05-27", 5, "motion", "this is a date"),
        ("surface = 3", 5, "surface", "must be a table"),
        // Hail.
        ("[hail]\nwind = [nan, 0]", 6, "wind", "is NaN; it must be from -100 to 100"),
        ("[hail]\nwind = 3", 6, "wind", "a list of 2 numbers"),
        ("[hail]\nper_second = -1", 6, "per_second", "is -1; it must be from 0 to 1e6"),
        ("[hail]\nper_second = 0.5", 6, "per_second", "must be 0, or from 1 to 1e6"),
        ("[hail]\nper_second = inf", 6, "per_second", "is inf"),
        ("[hail]\nlargest_m = 0", 6, "largest_m", "is 0; it must be from"),
        ("[hail]\nsmallest_m = 0.006", 6, "smallest_m", "must not be above `largest_m`"),
        ("[hail]\nrestitution = 2", 6, "restitution", "is 2; it must be from 0 to 1"),
        ("[hail]\nfrom_s = nan", 6, "from_s", "is NaN"),
        (
            "[hail]\nfall = \"upwards\"",
            6,
            "fall",
            "there is no `upwards`; known are: straight, acc",
        ),
        ("[hail]\nrain = 3", 6, "rain", "unknown key `rain`"),
        ("[hail]\ncloud = 3", 6, "cloud", "must be a table"),
        ("[hail]\ncloud = { radius = 0 }", 6, "radius", "is 0; it must be from"),
        ("[hail]\ncloud = { size = [1, nan] }", 6, "size", "is NaN"),
        (
            "[hail]\ncloud = { size = [1, 1], radius = 1 }",
            6,
            "size",
            "cannot be combined with `radius`",
        ),
        ("[hail]\ncloud = { drift = [0] }", 6, "drift", "has 1 numbers where 2 are needed"),
        ("[hail]\ncloud = { positon = [0, 0, 1] }", 6, "positon", "did you mean `position`?"),
        // Numbers.
        ("friction = nan", 5, "friction", "is NaN; it must be from 0 to 10"),
        ("friction = -1", 5, "friction", "is -1; it must be from 0 to 10"),
        ("restitution = 1.1", 5, "restitution", "is 1.1; it must be from 0 to 1"),
        ("mass_kg = 0", 5, "mass_kg", "is 0; it must be from 1e-9 to 1e9"),
        ("mass_kg = inf", 5, "mass_kg", "is inf"),
        ("position = [1e300, 0, 0]", 5, "position", "is 1e300"),
        ("position = [0, nan, 0]", 5, "position", "is NaN"),
        ("velocity = [0, 0, -inf]", 5, "velocity", "is -inf"),
        ("rotation = [0, 0, 0, 0]", 5, "rotation", "length 0"),
        ("rotation = [0, 0]", 5, "rotation", "three angles in degrees, or a quaternion"),
        ("size = 0", 5, "size", "is 0"),
        ("max_modes = 0", 5, "max_modes", "is 0; it must be from 1 to 20000"),
        ("max_modes = 2.5", 5, "max_modes", "a whole number"),
        // Words.
        ("collider = \"bax\"", 5, "collider", "no `bax`; did you mean `box`? Known are: auto, box"),
        ("motion = \"fxed\"", 5, "motion", "did you mean `fixed`?"),
        ("held = \"hnad\"", 5, "held", "did you mean `hand`? Known are: free, hung, resting"),
        // Keys that exclude or need each other.
        ("silent = true\nheld = \"hand\"", 6, "held", "a silent one has none: remove it"),
        ("mesh = \"bell\"", 5, "mesh", "cannot be combined with `shape`"),
        ("thickness_m = 0.01", 5, "thickness_m", "is for meshes"),
        ("scale = 2", 5, "scale", "is for meshes"),
        ("units = \"mm\"", 5, "units", "do not define their unit"),
        ("detail = \"fine\"", 5, "detail", "is for built-in meshes"),
        ("step = [1, 0, 0]", 5, "step", "needs `copies`"),
        ("grid = [2, 2, 2]", 5, "grid", "needs `spacing`"),
        // Limits.
        ("copies = 1000000000000", 5, "copies", "it must be from 1 to 10000"),
        ("copies = 1e12", 5, "copies", "must be a whole number from 1 to 10000"),
        ("copies = 99999999999999999999", 5, "copies", "must be a whole number"),
        ("grid = [10000, 10000, 10000]\nspacing = [1, 1, 1]", 5, "grid", "more than 10000 objects"),
        // Nested tables.
        ("motion = [{ position = [0, 0, 0] }]", 5, "at_s", "is missing: write a number"),
        ("motion = [{ at_s = 1 }, { at_s = 1 }]", 5, "at_s", "must be later than 1 s"),
        ("motion = [{ at_s = 0, positon = [0, 0, 1] }]", 5, "positon", "did you mean `position`?"),
        ("surface = { kind = \"ribbed\", depth_m = 0.1 }", 5, "period_m", "is missing"),
        ("surface = { kind = \"ribs\" }", 5, "kind", "did you mean `ribbed`?"),
        ("surface = { kind = \"fractal\", depth_m = 0.1 }", 5, "depth_m", "unknown key"),
        ("jitter = { size = 2 }", 5, "size", "from 0 to 0.9"),
        ("[listener]\nforward = [0, 0, 0]", 6, "forward", "is the zero vector"),
        ("[listener]\nforward = [0, 0, 1]", 5, "up", "is parallel to the viewing direction"),
        ("[listener]\nlook_at = [0, -2, 1]", 6, "look_at", "is the listener's own position"),
        ("[air]\nhumidity_percent = 101", 6, "humidity_percent", "from 0 to 100"),
        // References.
        ("[[strike]]\nobject = \"baar\"", 6, "object", "no object \"baar\"; did you mean `bar`?"),
        ("[[strike]]\nat_s = 1", 5, "object", "is missing"),
        (
            "[[strike]]\nobject = \"bar\"\nwith = \"steel bal\"",
            7,
            "with",
            "did you mean `steel ball`?",
        ),
        ("[[strike]]\nobject = \"bar\"\nspeed_m_s = -1", 7, "speed_m_s", "from 0 to 1000"),
        (
            "[[scrape]]\nobject = \"bar\"\nalong = [[0, 0, 0]]",
            7,
            "along",
            "two or more different points",
        ),
        (
            "[[object]]\nname = \"bar\"\nshape = \"ball:1cm\"\nmaterial = \"glass\"",
            6,
            "name",
            "two objects have the name \"bar\"",
        ),
        ("[[object]]\nshape = \"bell\"\nmaterial = \"steel\"", 6, "shape", "no shape `bell`"),
        (
            "[[object]]\nshape = \"bar:3x3mm\"\nmaterial = \"steel\"",
            6,
            "shape",
            "2 dimensions where 3",
        ),
        ("[[object]]\nmesh = \"bel\"\nmaterial = \"steel\"", 6, "mesh", "did you mean `bell`?"),
        (
            "[[object]]\nmesh = \"no/such.obj\"\nmaterial = \"steel\"",
            6,
            "mesh",
            "there is no file no/such.obj",
        ),
        ("[[object]]\nmesh = \"/etc/x.obj\"\nmaterial = \"steel\"", 6, "mesh", "absolute paths"),
        (
            "[[object]]\nmesh = \"x.obj#Node\"\nmaterial = \"steel\"",
            6,
            "mesh",
            "only glTF files have nodes",
        ),
        ("[[object]]\nmodel = \"x.wav\"", 6, "model", "is not a .modal file"),
        (
            "[[object]]\nshape = \"ball:1cm\"\nmaterial = \"steal\"",
            7,
            "material",
            "did you mean `steel`?",
        ),
        ("[[object]]\nshape = \"ball:1cm\"", 5, "material", "is missing: name a material"),
        (
            "[[object]]\nshape = \"ball:1cm\"\nsilent = true",
            5,
            "material",
            "needs it, or `mass_kg`",
        ),
        ("[[object]]\nmaterial = \"steel\"", 5, "shape", "is missing: write shape"),
        ("[[material]]\nlike = \"stel\"\nname = \"x\"", 6, "like", "did you mean `steel`?"),
        ("[[material]]\nname = \"steel\"", 6, "name", "the library has a material of this name"),
        ("[[material]]\nname = \"x\"\npoisson = 0.5", 7, "poisson", "to 0.499"),
        ("[[material]]\nname = \"x\"\nloss_factor = -1", 7, "loss_factor", "from 0 to 1000"),
        ("[[material]]\nname = \"x\"\nloss_factor = \"a\"", 7, "loss_factor", "must be a number"),
        ("[[material]]\nname = \"x\"\nloss_factor = []", 7, "loss_factor", "pairs such as [[100,"),
        (
            "[[material]]\nname = \"x\"\nloss_factor = [100, 1]",
            7,
            "loss_factor",
            "list of 2 numbers",
        ),
        (
            "[[material]]\nname = \"x\"\nloss_factor = [[100]]",
            7,
            "loss_factor",
            "where 2 are needed",
        ),
        (
            "[[material]]\nname = \"x\"\nloss_factor = [[100, 0]]",
            7,
            "loss_factor",
            "at 100 Hz is 0",
        ),
        (
            "[[material]]\nname = \"x\"\nloss_factor = [[100, 0.1], [50, 0.2]]",
            7,
            "loss_factor",
            "must increase from pair to pair; 50 Hz follows 100 Hz",
        ),
        (
            "[[material]]\nname = \"x\"\nloss_factor = [[1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1], [7, 1], [8, 1], [9, 1]]",
            7,
            "loss_factor",
            "has 9 pairs; the limit is 8",
        ),
        (
            "[[material]]\nname = \"x\"\nloss_factor = [[100, 0.1]]\nbeta = 1e-7",
            7,
            "loss_factor",
            "cannot be combined with `beta`",
        ),
        (
            "[[material]]\nname = \"x\"\nthermal_expansion = 1e-5\nspecific_heat = 500",
            5,
            "thermal_conductivity",
            "is missing: thermal expansion, heat and conductivity go together",
        ),
    ];
    for (added, line, key, part) in cases {
        let text = format!("{BAR}{added}");
        let problem = problem(&text);
        assert_eq!(problem.key.as_deref(), Some(*key), "{added}: {problem}");
        assert_eq!(problem.line, Some(*line), "{added}: {problem}");
        assert!(problem.to_string().contains(part), "{added}: {problem}");
    }
}

#[test]
fn keys_of_the_scene_itself_are_checked() {
    for (line, key, part) in [
        ("seconds = 0", "seconds", "from 0.01 to 3600"),
        ("seconds = 1e9", "seconds", "is 1e9"),
        ("physics_hz = 30", "physics_hz", "is 30; it must be from 60 to 480"),
        ("gravity = [0, nan, 0]", "gravity", "is NaN"),
        ("seed = -1", "seed", "is -1"),
        ("loudness_lufs = 0", "loudness_lufs", "from -60 to -6"),
        ("title = 3", "title", "must be a text"),
        ("ground = \"lava\"", "ground", "no material `lava`"),
        ("trace = \"nothing.jsonl\"", "trace", "there is no file nothing.jsonl"),
        ("gltf = \"nothing.glb\"", "gltf", "there is no file nothing.glb"),
        ("gltf = 3", "gltf", "the name of a file"),
        ("objects = []", "objects", "did you mean `object`?"),
        ("object = 3", "object", "must be a list"),
    ] {
        let text =
            if line.starts_with("object =") { line.to_owned() } else { format!("{line}\n{BAR}") };
        let problem = problem(&text);
        assert_eq!((problem.key.as_deref(), problem.line), (Some(key), Some(1)), "{problem}");
        assert!(problem.to_string().contains(part), "{problem}");
    }
    assert!(problem("").to_string().contains("the scene has no objects"));
}

#[test]
fn invalid_toml_is_reported_with_its_line() {
    for (text, line) in [("a = ", 1), ("[[object]\nname = 1", 1), ("x = 1\nx = 2", 2), ("\n\n=", 3)]
    {
        let error = error(text);
        assert_eq!(error.problems[0].line, Some(line), "{error}");
        assert!(error.to_string().contains("this is not TOML"), "{error}");
    }
}

#[test]
fn all_problems_are_reported_at_once_in_order() {
    let error = error(
        "seconds = -1\n[[object]]\nshape = \"bar:1x1mm\"\nfriction = -1\nmaterail = 1\n[[strike]]\nobject = \"x\"",
    );
    let lines: Vec<_> = error.problems.iter().map(|p| p.line.unwrap()).collect();
    assert_eq!(lines, [1, 3, 4, 5, 7], "{:#?}", error.problems);
    assert!(error.to_string().contains("(and 4 more problems)"));
}

#[test]
fn columns_count_characters() {
    let problem = problem(&format!("title = \"größe\"\n{BAR}\"ä\" = 1"));
    assert_eq!((problem.line, problem.column), (Some(6), Some(1)));
    let problem = error(&format!("{BAR}surface = {{ kind = \"äöü\", x = 1 }}")).problems[0].clone();
    assert_eq!((problem.line, problem.column), (Some(5), Some(20)), "{problem}");
}
