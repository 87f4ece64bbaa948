//! `foley plot --mode` and `--sound-map`: what they draw, and what they refuse.

use crate::common;

use common::{Foley, check_png, check_svg};
use foley::geometry::mesh;
use foley::modal::{Gains, Material, ModalModel, ModalParts, bake, file};
use tiny_skia::Pixmap;

/// Right of the views stands the colour bar.
const VIEWS_END: u32 = 1420;

fn pixels(foley: &Foley, name: &str) -> Pixmap {
    Pixmap::decode_png(&foley.read(name)).unwrap()
}

/// Red (1), blue (−1) or neither (0).
fn sign(picture: &Pixmap, x: u32, y: u32) -> i32 {
    let color = picture.pixel(x, y).unwrap();
    match i32::from(color.red()) - i32::from(color.blue()) {
        60.. => 1,
        ..=-60 => -1,
        _ => 0,
    }
}

/// The signs from left to right, each once.
fn signs_along(picture: &Pixmap) -> Vec<i32> {
    let column =
        |x: u32| (130..picture.height()).map(|y| sign(picture, x, y)).sum::<i32>().signum();
    let mut signs: Vec<i32> = (60..VIEWS_END).map(column).filter(|s| *s != 0).collect();
    signs.dedup();
    signs
}

/// Mode n of a free bar has n + 1 nodes, hence n + 2 parts that swing against each other.
#[test]
fn a_bars_modes_have_as_many_parts_as_they_should() {
    let foley = Foley::with_bar();
    for number in 1..=4 {
        let out = format!("bar-mode-{number}.png");
        let facts = foley.facts(&["plot", "bar.modal", "--mode", &number.to_string()]);
        assert_eq!(facts["written"], out.as_str());
        check_png(&foley.read(&out));
        let picture = pixels(&foley, &out);
        assert_eq!(picture.width(), 1600);
        let signs = signs_along(&picture);
        assert_eq!(signs.len(), number + 2, "mode {number}: {signs:?}");
    }
}

#[test]
fn surfaces_are_drawn_as_svg_with_text_that_stays_text() {
    let foley = Foley::with_bar();
    foley.good(&["plot", "bar.modal", "--mode", "1", "-o", "m.svg"]);
    check_svg(&foley.read("m.svg"), ">steel bar:300x30x8mm, 461.2 Hz</text>");
    let said = foley.good(&["plot", "bar.modal", "--sound-map", "-o", "s.svg"]);
    assert!(said.contains("written: s.svg"), "{said}");
    check_svg(&foley.read("s.svg"), ">Brightness (Hz)</text>");
    assert!(foley.read("s.svg").windows(22).any(|w| w == b"data:image/png;base64,"));
    let facts = foley.facts(&["plot", "bar.modal", "--sound-map"]);
    assert_eq!(facts["written"], "bar-sound-map.png");
}

#[test]
fn what_cannot_be_drawn_is_said_and_nothing_is_written() {
    let foley = Foley::with_bar();
    for number in ["0", "5", "99999999"] {
        let says = format!("--mode {number}: bar.modal has modes 1 to 4");
        foley.refuses(1, &["plot", "bar.modal", "--mode", number], &[&says]);
    }
    foley.refuses(2, &["plot", "bar.modal", "--mode", "x"], &["'x'", "--mode"]);
    for flags in [
        &["--mode", "1", "--sound-map"][..],
        &["--mode", "1", "--point", "2"],
        &["--sound-map", "--point", "2"],
    ] {
        foley.refuses(2, &[&["plot", "bar.modal"], flags].concat(), &["cannot be used with"]);
    }
    foley.good(&["strike", "bar.modal", "-o", "a.wav", "--seconds", "0.3"]);
    foley.refuses(2, &["plot", "a.wav", "--mode", "1"], &["a.wav", "leave --mode out"]);
    foley.refuses(2, &["plot", "a.wav", "--sound-map"], &["a.wav", "leave --sound-map out"]);
    foley.refuses(2, &["plot", "bar.modal", "--sound-map", "-o", "a.gif"], &["a.gif"]);

    let mut parts = file::load(foley.path("bar.modal")).unwrap().into_parts();
    parts.triangles.clear();
    file::save(&ModalModel::new(parts).unwrap(), foley.path("points.modal")).unwrap();
    for flags in [&["--mode", "1"][..], &["--sound-map"]] {
        let args = [&["plot", "points.modal"], flags].concat();
        foley.refuses(1, &args, &["no surface", "drawn without one"]);
    }
}

#[test]
fn a_silent_mode_is_drawn_at_rest_and_a_silent_model_has_no_sound_map() {
    let foley = Foley::with_bar();
    let parts = file::load(foley.path("bar.modal")).unwrap().into_parts();
    let gains = Gains::Normal(vec![0.0; parts.points.len() * 4]);
    let silent = ModalModel::new(ModalParts { gains, ..parts }).unwrap();
    file::save(&silent, foley.path("silent.modal")).unwrap();
    foley.good(&["plot", "silent.modal", "--mode", "2", "-o", "m.svg"]);
    check_svg(&foley.read("m.svg"), "the surface does not move");
    foley.refuses(1, &["plot", "silent.modal", "--sound-map"], &["silent wherever"]);
}

/// The lowest mode of a bell is an oval: red and blue share its surface about equally. Merged
/// with its twin, which is turned by 45°, it has no signs.
#[test]
fn a_bell_swings_as_an_oval() {
    let foley = Foley::new();
    let bell = mesh::builtin("bell", mesh::Density::Coarse).unwrap();
    for (compress, name) in [(false, "bell.modal"), (true, "merged.modal")] {
        let options = bake::Options::default()
            .with_method(bake::Method::Shell)
            .with_thickness_m(4e-3)
            .with_max_modes(2)
            .with_max_hz(2000.0)
            .with_compress(compress);
        let bronze = Material::named("bronze").unwrap();
        let baked = bake::bake(&bell, "bell", bronze, options).unwrap();
        foley.write(name, file::write_with_provenance(&baked.model, Some(&baked.provenance)));
    }
    foley.good(&["plot", "bell.modal", "--mode", "1", "-o", "m.png"]);
    let picture = pixels(&foley, "m.png");
    let counted = |wanted: i32| {
        let all = (130..picture.height()).flat_map(|y| (60..VIEWS_END).map(move |x| (x, y)));
        all.filter(|(x, y)| sign(&picture, *x, *y) == wanted).count() as f64
    };
    let (red, blue) = (counted(1), counted(-1));
    assert!(red.min(blue) > 3e4 && (0.4..2.5).contains(&(red / blue)), "{red} {blue}");
    foley.good(&["plot", "bell.modal", "--mode", "1", "-o", "m.svg"]);
    check_svg(&foley.read("m.svg"), "dark lines: at rest");
    foley.good(&["plot", "merged.modal", "--mode", "1", "-o", "m.svg"]);
    check_svg(&foley.read("m.svg"), "merged: how much each place moves");
}
