//! No command overwrites what it reads, or one of its outputs with another; outputs that cannot be written
//! are refused before the work starts.

use crate::common;

use common::Foley;

/// A bar that slides on a recorded surface, `surf.wav`.
const SURF: &str = r#"
seconds = 0.2
[[object]]
name = "table"
shape = "ground"
material = "wood"
surface = { kind = "recorded", file = "surf.wav", metres_per_sample = 1e-4 }
[[object]]
shape = "bar:200x30x8mm"
material = "steel"
position = [0, 0, 0.02]
[hail]
per_second = 10
cloud = { position = [0, 0, 1], radius = 0.1 }
"#;

/// A triangle whose coordinates are in `triangle.wav`, whatever that name means.
const TRIANGLE: &str = r#"{
  "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
  "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" }],
  "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
  "buffers": [{ "uri": "triangle.wav", "byteLength": 36 }]
}"#;

fn with_surf() -> Foley {
    let foley = Foley::with_bar();
    foley.good(&["strike", "bar.modal", "--seconds", "0.1", "-o", "surf.wav"]);
    foley.write("surf.toml", SURF);
    foley
}

fn with_triangle() -> Foley {
    let foley = Foley::new();
    foley.write("triangle.gltf", TRIANGLE);
    let corners = [[0.0f32, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]];
    foley.write(
        "triangle.wav",
        corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>(),
    );
    foley
}

#[test]
fn a_render_never_overwrites_a_file_of_its_scene() {
    let foley = with_surf();
    foley.good(&["render", "surf.toml", "-o", "a.wav"]);
    let says = "the same file is read as a file of the scene (surf.wav)";
    foley.refuses(
        2,
        &["render", "surf.toml"],
        &["--output surf.wav", says, "name another file with --output"],
    );
    foley.refuses(2, &["render", "surf.toml", "-o", "./surf.wav"], &["--output ./surf.wav", says]);
    let says =
        ["surf.toml: the same file is read as a file of the scene", "name another file with"];
    foley.refuses(2, &["render", "surf.toml", "--trace", "surf.toml", "-o", "b.wav"], &says);
    foley.refuses(2, &["render", "surf.toml", "--stats", "surf.toml", "-o", "b.wav"], &says);
    // A trace and a model that a scene names.
    foley.good(&["render", "surf.toml", "-o", "b.wav", "--trace", "t.trace"]);
    let traced = format!("trace = \"t.trace\"\n{SURF}[[object]]\nmodel = \"bar.modal\"\n");
    foley.write("traced.toml", traced);
    for file in ["t.trace", "bar.modal", "surf.wav"] {
        foley.refuses(
            2,
            &["render", "traced.toml", "--stats", file, "-o", "c.wav"],
            &["--stats", file],
        );
    }
}

#[cfg(unix)]
#[test]
fn links_to_a_file_are_that_file() {
    let foley = with_surf();
    std::os::unix::fs::symlink(foley.path("surf.wav"), foley.path("soft.wav")).unwrap();
    std::fs::hard_link(foley.path("surf.wav"), foley.path("hard.wav")).unwrap();
    for link in ["soft.wav", "hard.wav"] {
        foley.refuses(2, &["render", "surf.toml", "-o", link], &[link, "a file of the scene"]);
    }
}

/// The sound would replace the trace: the link leads to it as soon as it is written.
#[cfg(unix)]
#[test]
fn links_to_files_that_do_not_exist_yet_are_these_files() {
    let foley = with_surf();
    std::os::unix::fs::symlink("new.wav", foley.path("dangling.wav")).unwrap();
    std::os::unix::fs::symlink("dangling.wav", foley.path("chain.wav")).unwrap();
    for link in ["dangling.wav", "chain.wav"] {
        let render = ["render", "surf.toml", "-o", link, "--trace", "new.wav"];
        let output = foley.command(&render).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        for text in ["--trace new.wav", &format!("written by --output ({link})")] {
            assert!(said.contains(text), "{said}");
        }
    }
    assert!(!foley.path("new.wav").exists());
}

#[test]
fn outputs_never_overwrite_each_other() {
    let foley = with_surf();
    let render = |more: &[&str], says: &[&str]| {
        foley.refuses(2, &[&["render", "surf.toml", "-o", "b.wav"], more].concat(), says);
    };
    let says = ["--stats b.wav", "written by --output (b.wav)", "name another file with --stats"];
    render(&["--stats", "b.wav"], &says);
    render(&["--stats", "B.WAV"], &["--stats B.WAV", "written by --output"]);
    render(&["--trace", "x", "--stats", "./x"], &["--stats ./x", "written by --trace (x)"]);
    render(&["--picture", "p.png", "--impact-map", "p.png"], &["--impact-map p.png", "--picture"]);
    render(&["--video", "v.mp4", "--stats", "v.mp4"], &["v.mp4", "--stats", "--video"]);
    render(&["--plots", "p", "--picture", "p/modes.png"], &["--plots p/modes.png", "--picture"]);
    let strike = ["strike", "bar.modal", "-o", "same.wav", "--picture"];
    foley.refuses(2, &[&strike[..], &["same.wav"]].concat(), &[".wav is not .png"]);
}

#[test]
fn a_fit_never_overwrites_a_recording_or_another_output() {
    let foley = with_surf();
    let fit = |more: &[&str], says: &[&str]| {
        foley.refuses(2, &[&["fit", "surf.wav"], more].concat(), says);
    };
    let says = ["--resynthesis", "read as a recording (surf.wav)"];
    fit(&["--resynthesis", "surf.wav"], &says);
    fit(&["--resynthesis", "./surf.wav"], &says);
    let says = ["--residual s.wav", "written by --resynthesis (s.wav)"];
    fit(&["--resynthesis", "s.wav", "--residual", "s.wav"], &says);
    // Names that the program chooses: the resynthesis of r.modal is r-resynthesis.wav.
    fit(&["-o", "r.modal", "--residual", "r-resynthesis.wav"], &["--residual", "--resynthesis"]);
    foley.write("s-1.wav", foley.read("surf.wav"));
    let several = ["fit", "surf.wav", "s-1.wav", "-o", "m.modal", "--resynthesis", "s.wav"];
    foley.refuses(2, &several, &["--resynthesis s-1.wav", "read as a recording"]);
}

#[test]
fn models_and_meshes_are_not_overwritten_by_what_is_made_of_them() {
    let foley = with_triangle();
    let strike = ["strike", "triangle.gltf", "-m", "steel", "-o", "triangle.wav"];
    foley.refuses(2, &strike, &["--output triangle.wav", "read as the target (triangle.wav)"]);
    foley.write("scene.toml", "[[object]]\nmesh = \"triangle.gltf\"\nmaterial = \"steel\"\n");
    let render = ["render", "scene.toml", "-o", "triangle.wav"];
    foley.refuses(2, &render, &["--output triangle.wav", "read as a file of the scene"]);
    let foley = Foley::with_bar();
    let modes = ["modes", "bar.modal", "--size", "2", "-o", "bar.modal"];
    foley.refuses(2, &modes, &["--output bar.modal", "read as the mesh or model"]);
    std::fs::hard_link(foley.path("bar.modal"), foley.path("bar.png")).unwrap();
    if cfg!(unix) {
        foley.refuses(2, &["plot", "bar.modal"], &["--output bar.png", "read as the plotted file"]);
    }
}

#[test]
fn pictures_of_files_with_one_stem_have_names_of_their_own() {
    let foley = Foley::with_bar();
    foley.good(&["strike", "bar.modal", "--seconds", "0.1", "-o", "bar.wav"]);
    foley.good(&["strike", "bar.modal", "--seconds", "0.1", "-o", "bar.flac"]);
    let flags: [&[&str]; 6] = [
        &["bar.modal"],
        &["bar.modal", "--point", "3"],
        &["bar.modal", "--masking"],
        &["bar.modal", "--masking", "--point", "3"],
        &["bar.wav"],
        &["bar.flac"],
    ];
    let written =
        flags.map(|flags| foley.facts(&[&["plot"], flags].concat())["written"].to_string());
    let different: std::collections::BTreeSet<&String> = written.iter().collect();
    assert_eq!(different.len(), flags.len(), "{written:?}");
}

/// Files may lie in the folder of the plots, which is made for them.
#[test]
fn outputs_may_lie_in_a_folder_that_is_made() {
    let foley = Foley::with_bar();
    foley.write("fall.toml", "seconds = 0.2\n[[object]]\nmodel = \"bar.modal\"\n");
    let render = ["render", "fall.toml", "--plots"];
    let with = |more: &[&'static str]| [&render[..], more].concat();
    foley.good(&with(&["pl", "--trace", "pl/t", "-o", "pl/x.wav", "--picture", "pl/still.png"]));
    foley.good(&with(&["deep/pl", "--stats", "deep/s.json", "-o", "deep/pl/x.wav"]));
    for name in ["pl/t", "pl/x.wav", "pl/still.png", "pl/forces.png", "deep/s.json"] {
        assert!(foley.path(name).is_file(), "{name}");
    }
    let says = ["--plots x.wav: --output writes a file there (x.wav)"];
    foley.refuses(2, &with(&["x.wav", "-o", "x.wav"]), &says);
    foley.refuses(2, &with(&["x.wav/plots", "-o", "x.wav"]), &["--plots x.wav/plots: --output"]);
    foley.refuses(2, &with(&["new", "-o", "a.wav", "--stats", "new/modes.png"]), &["modes.png"]);
    let says = ["there is no folder new/deep; create it first"];
    foley.refuses(1, &with(&["new", "-o", "a.wav", "--trace", "new/deep/t"]), &says);
}

/// The scene cannot be prepared either, which takes longer to find out and so is found out later.
#[test]
fn folders_are_checked_before_the_work_starts() {
    let foley = Foley::with_bar();
    foley.write("bad.toml", "[[object]]\nmodel = \"bar.modal\"\nsize = 2\n");
    foley.refuses(1, &["render", "bad.toml", "-o", "a.wav"], &["provenance"]);
    foley.write("file", b"in the way");
    for option in [
        "-o none/a.wav",
        "--trace none/t",
        "--stats none/s",
        "--picture none/p.png",
        "--video none/v.mp4",
    ] {
        let args: Vec<&str> = ["render", "bad.toml"].into_iter().chain(option.split(' ')).collect();
        foley.refuses(1, &args, &["none/", "there is no folder none; create it first"]);
    }
    let plots = ["render", "bad.toml", "--plots", "file/plots"];
    foley.refuses(1, &plots, &["cannot make the folder file/plots", "file is not a folder"]);
    let bake = ["modes", "bell", "-m", "bronze", "-o", "none/bell.modal"];
    foley.refuses(1, &bake, &["there is no folder none; create it first"]);
    let objects = ["bench", "objects", "-o", "none/rings.png"];
    foley.refuses(1, &objects, &["there is no folder none; create it first"]);
    let pruning = ["bench", "pruning", "--report", "none/report.json"];
    foley.refuses(1, &pruning, &["there is no folder none; create it first"]);
    foley.refuses(1, &["bench", "scenes", "-o", "file"], &["cannot make the folder file"]);
}
