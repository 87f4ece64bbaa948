//! The `.modal` file: nothing is lost, and no bytes can do harm.

use foley_geometry::mesh::{self, Density};
use foley_modal::file::{read, read_with_provenance, save, write, write_with_provenance};
use foley_modal::{Material, ModalModel, Shape, ShapeOptions, bake};
use proptest::prelude::*;
use std::process::Command;
use std::sync::LazyLock;

fn make(shape: &str, max_modes: usize) -> ModalModel {
    let shape: Shape = shape.parse().unwrap();
    let options = ShapeOptions::default().with_max_modes(max_modes);
    shape.model(Material::named("bronze").unwrap(), &options).unwrap()
}

static MODEL: LazyLock<ModalModel> = LazyLock::new(|| make("bar:300x30x8mm", 3));
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| write(&MODEL));

/// Puts the right checksum under changed bytes, so that the rest of the reader is met.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= 4 {
        let end = bytes.len() - 4;
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// The file with another header of any length.
fn with_header(header: &str) -> Vec<u8> {
    let old = u32::from_le_bytes(BYTES[12..16].try_into().unwrap()) as usize;
    let mut bytes = BYTES[..12].to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(&BYTES[16 + old..]);
    seal(bytes)
}

fn header() -> String {
    let length = u32::from_le_bytes(BYTES[12..16].try_into().unwrap()) as usize;
    String::from_utf8(BYTES[16..16 + length].to_vec()).unwrap()
}

#[test]
fn models_survive_the_round_trip() {
    for shape in [
        "bar:300x30x8mm",
        "rod:123.456x7mm,ends=cantilever",
        "plate:300x200x2mm",
        "disc:200x2mm",
        "membrane:350mm,tension=2000N/m,density=0.26kg/m2",
        "string:650x1mm,tension=70N",
    ] {
        let model = make(shape, 40);
        assert_eq!(read(&write(&model)).unwrap(), model, "{shape}");
    }
    let mut parts = MODEL.clone().into_parts();
    parts.name = "\"quoted\" \u{1F514} \n".repeat(9);
    parts.triangles.clear();
    parts.body.mass_kg = 0.1 + 0.2;
    parts.body.radius_m = 1.0 / 3.0;
    let model = ModalModel::new(parts).unwrap();
    assert_eq!(read(&write(&model)).unwrap(), model);
}

/// Vectors and the provenance come back as they were; a file may not lie about them.
#[test]
fn baked_models_survive_the_round_trip() {
    let bowl = mesh::builtin("bowl", Density::Coarse).unwrap();
    let options = bake::Options::default().with_thickness_m(3e-3).with_max_hz(3e3);
    let baked = bake::bake(&bowl, "bowl", Material::named("steel").unwrap(), options).unwrap();
    let bytes = write_with_provenance(&baked.model, Some(&baked.provenance));
    let (model, provenance) = read_with_provenance(&bytes).unwrap();
    assert_eq!((&model, provenance.as_ref()), (&baked.model, Some(&baked.provenance)));
    assert_eq!(read(&bytes).unwrap(), baked.model);
    assert_eq!(read_with_provenance(&write(&model)).unwrap().1, None);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.contains("\"shapes\"") && text.contains("\"method\":\"shell\""));
    // Half the bytes of single precision, and nothing twice.
    let numbers = 3 * model.point_count() * model.mode_count();
    let surface = 24 * model.point_count() + 12 * model.triangles.len();
    assert!(bytes.len() < 2 * numbers + surface + 8000);
}

#[test]
fn arrays_are_aligned() {
    let value: serde_json::Value = serde_json::from_str(&header()).unwrap();
    assert_eq!((16 + header().len()) % 64, 0);
    for array in value["arrays"].as_array().unwrap() {
        assert_eq!(array["offset"].as_u64().unwrap() % 64, 0);
    }
    assert!(value["body"]["radius_m"].is_null());
}

#[test]
fn errors_name_the_trouble() {
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert!(error(b"RIFF....WAVE").contains("not a .modal file"));
    assert!(error(b"FOLEYMOD\x01").contains("ends after 9 bytes"));
    let mut later = BYTES.clone();
    later[8] = 3;
    assert!(error(&seal(later)).contains("version 3"));
    // The first version had the same form.
    let mut earlier = BYTES.clone();
    earlier[8] = 1;
    assert_eq!(read(&seal(earlier)).unwrap(), read(&BYTES).unwrap());
    let mut damaged = BYTES.clone();
    damaged[700] ^= 4;
    assert!(error(&damaged).contains("damaged"));
    let changed = |from: &str, to: &str| {
        assert!(header().contains(from), "{from} in {}", header());
        error(&with_header(&header().replacen(from, to, 1)))
    };
    assert!(changed("{\"name\"", "[\"name\"").contains("header"));
    assert!(changed("\"decays\"", "\"delays\"").contains("array `decays`: it is missing"));
    assert!(changed("<f4", "<f8").contains("array `gains`"));
    assert!(changed("\"modes\":3", "\"modes\":4").contains("shape [4]"));
    let far = changed("\"offset\":0", "\"offset\":18446744073709551615");
    assert!(far.contains("`frequencies_hz`: it reaches beyond the end"), "{far}");
    assert!(changed("\"poisson\":0.35", "\"poisson\":7.0").contains("Poisson"));
    assert!(changed("\"poisson\":0.35", "\"poisson\":1e999").contains("header"));
    // Sizes whose product overflows, and sizes that would fill any memory.
    for n in ["18446744073709551615", "4611686018427387904", "9999999999"] {
        let text = header().replace("\"modes\":3", &format!("\"modes\":{n}"));
        let text = text.replace("\"shape\":[3]", &format!("\"shape\":[{n}]"));
        assert!(error(&with_header(&text)).contains("beyond the end"), "{n}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read(&bytes).is_err());
        let mut signed = b"FOLEYMOD\x01\0\0\0".to_vec();
        signed.extend(bytes);
        prop_assert!(read(&signed).is_err());
        prop_assert!(read(&seal(signed)).is_err());
    }

    #[test]
    fn truncated_files_are_refused(cut in any::<prop::sample::Index>()) {
        let short = &BYTES[..cut.index(BYTES.len())];
        prop_assert!(read(short).is_err());
        prop_assert!(read(&seal(short.to_vec())).is_err());
    }

    #[test]
    fn flipped_bits_are_refused(flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8u8), 1..4)) {
        let mut bytes = BYTES.clone();
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        prop_assert_eq!(read(&bytes).is_ok(), bytes == *BYTES);
    }

    /// With a true checksum the reader may accept, but it must never fall over.
    #[test]
    fn forged_files_do_no_harm(
        edits in prop::collection::vec((0..900usize, any::<u8>()), 1..6),
        length in any::<u32>(),
        forge_length: bool,
    ) {
        let mut bytes = BYTES.clone();
        for (at, value) in edits {
            bytes[at] = value;
        }
        if forge_length {
            bytes[12..16].copy_from_slice(&length.to_le_bytes());
        }
        let _ = read(&seal(bytes));
    }

    #[test]
    fn forged_numbers_in_the_header_do_no_harm(digits in "[0-9]{1,22}", which in 0..40usize) {
        let text = header();
        let spots: Vec<usize> = text.match_indices(|c: char| c.is_ascii_digit()).map(|m| m.0).collect();
        let at = spots[which * spots.len() / 40];
        let forged = format!("{}{digits}{}", &text[..at], &text[at + 1..]);
        let _ = read(&with_header(&forged));
    }
}

/// The five lines of the documentation, run as they stand there.
#[test]
fn numpy_reads_it_in_five_lines() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        let required = std::env::var("FOLEY_REQUIRE_NUMPY").is_ok_and(|value| value == "1");
        assert!(!required, "{python} has no numpy; scripts/setup test installs it");
        eprintln!("SKIPPED numpy_reads_it_in_five_lines: {python} has no numpy");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (path, script) =
        (folder.path().join("plate.modal"), include_str!("../../src/file/read.py"));
    assert_eq!(script.lines().count(), 5);
    let model = make("plate:300x200x2mm", 40);
    save(&model, &path).unwrap();
    let output = Command::new(&python).args(["-c", script]).arg(&path).output().unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{err}");
    let words: Vec<&str> = out.trim().rsplitn(5, ' ').collect();
    assert_eq!(words[4], model.name, "{out}");
    assert_eq!(words[3].parse::<f64>().unwrap(), model.frequencies_hz[0]);
    let shape = format!("({}, {})", model.point_count(), model.mode_count());
    assert_eq!(format!("{} {}", words[2], words[1]), shape);
    let points = 0..model.point_count();
    let sum: f64 = points.flat_map(|k| model.gains_of_point(k)).map(f64::from).sum();
    assert!(
        (words[0].parse::<f64>().unwrap() - sum).abs() < 1e-6 * sum.abs().max(1.0),
        "{out} {sum}"
    );
}
