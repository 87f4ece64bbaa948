//! Mesh files: what is written is read, and no bytes can do harm.

use foley_geometry::mesh::{
    Density, Format, Limits, Measures, Mesh, MeshError, ReadOptions, RepairOptions, Units, builtin,
    load, read, read_bytes, repair, write_obj, write_stl,
};
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::Instant;

static BOWL: LazyLock<Mesh> = LazyLock::new(|| builtin("bowl", Density::Coarse).unwrap());

fn plain(bytes: &[u8], format: Format) -> Result<Mesh, MeshError> {
    read_bytes(bytes, format, &ReadOptions::default())
}

fn obj(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_obj(mesh, &mut bytes).unwrap();
    bytes
}

fn stl(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_stl(mesh, &mut bytes).unwrap();
    bytes
}

fn stl_text(mesh: &Mesh) -> Vec<u8> {
    let mut text = String::from("solid made by code\n");
    for t in 0..mesh.triangles.len() {
        text += "facet normal 0 0 0\n outer loop\n";
        for [x, y, z] in mesh.corners(t).map(|p| p.to_array()) {
            writeln!(text, "  vertex {x:e} {y:e} {z:e}").unwrap();
        }
        text += " endloop\nendfacet\n";
    }
    (text + "endsolid\n").into_bytes()
}

#[derive(Clone, Copy)]
enum Ply {
    Ascii,
    Little,
    Big,
}

/// With a colour before the coordinates and a flag after the corners, to be passed over.
fn ply(mesh: &Mesh, kind: Ply) -> Vec<u8> {
    let format = match kind {
        Ply::Ascii => "ascii",
        Ply::Little => "binary_little_endian",
        Ply::Big => "binary_big_endian",
    };
    let mut bytes = format!(
        "ply\r\nformat {format} 1.0\r\ncomment by code\r\nelement vertex {}\r\n\
         property uchar red\r\nproperty double x\r\nproperty double y\r\nproperty double z\r\n\
         element face {}\r\nproperty list uchar int vertex_indices\r\nproperty short flag\r\n\
         end_header\r\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    macro_rules! put {
        ($value:expr) => {
            match kind {
                Ply::Ascii => bytes.extend(format!("{} ", $value).bytes()),
                Ply::Little => bytes.extend($value.to_le_bytes()),
                Ply::Big => bytes.extend($value.to_be_bytes()),
            }
        };
    }
    for p in &mesh.vertices {
        put!(7_u8);
        p.iter().for_each(|x| put!(*x));
    }
    for t in &mesh.triangles {
        put!(3_u8);
        t.iter().for_each(|v| put!((*v as i32)));
        put!(-2_i16);
    }
    bytes
}

/// One mesh under two nodes, the second one mirrored and moved; `uri` names the buffer.
fn gltf_json(mesh: &Mesh, uri: Option<&str>) -> String {
    let (v, t) = (mesh.vertices.len(), mesh.triangles.len());
    let uri = uri.map_or(String::new(), |uri| format!(r#""uri":"{uri}","#));
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"scale":[2,2,2],"children":[1,2]}},{{"name":"left","mesh":0}},
        {{"name":"right","mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 5,0,0,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"material":0}},
        {{"attributes":{{"POSITION":0}},"mode":1}}]}}],"materials":[{{"name":"clay"}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{v},"type":"VEC3"}},
        {{"bufferView":1,"componentType":5125,"count":{c},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{p}}},
        {{"buffer":0,"byteOffset":{p},"byteLength":{i}}}],
        "buffers":[{{{uri}"byteLength":{all}}}]}}"#,
        c = 3 * t,
        p = 12 * v,
        i = 12 * t,
        all = 12 * (v + t)
    )
}

fn buffer(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    mesh.vertices.iter().flatten().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
    mesh.triangles.iter().flatten().for_each(|v| bytes.extend(v.to_le_bytes()));
    bytes
}

fn glb_of(mut json: String, binary: &[u8]) -> Vec<u8> {
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json.bytes());
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

fn glb(mesh: &Mesh) -> Vec<u8> {
    glb_of(gltf_json(mesh, None), &buffer(mesh))
}

fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = (0..3).fold(0, |w, i| w << 8 | u32::from(*group.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let digit = digits[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[test]
fn exact_formats_give_the_same_mesh_back() {
    for bytes in [Ply::Ascii, Ply::Little, Ply::Big].map(|kind| ply(&BOWL, kind)) {
        let mesh = plain(&bytes, Format::Ply).unwrap();
        assert_eq!((&mesh.vertices, &mesh.triangles), (&BOWL.vertices, &BOWL.triangles));
    }
    let mesh = plain(&obj(&BOWL), Format::Obj).unwrap();
    assert_eq!((&mesh.vertices, &mesh.triangles), (&BOWL.vertices, &BOWL.triangles));
    assert_eq!(plain(&obj(&mesh), Format::Obj).unwrap(), mesh);
}

#[test]
fn stl_gives_the_same_shape_back() {
    let truth = Measures::of(&BOWL).unwrap();
    for bytes in [stl(&BOWL), stl_text(&BOWL)] {
        let measures = Measures::of(&plain(&bytes, Format::Stl).unwrap()).unwrap();
        assert_eq!(measures.vertices, truth.vertices);
        assert_eq!((measures.triangles, measures.open_edges), (truth.triangles, truth.open_edges));
        assert!((measures.area_m2 / truth.area_m2 - 1.0).abs() < 1e-6);
    }
    let named = plain(&stl_text(&BOWL), Format::Stl).unwrap();
    assert_eq!(named.parts[0].name, "made by code");
}

#[test]
fn gltf_nodes_are_placed_and_mirrors_keep_the_outside_out() {
    let die = builtin("die", Density::Coarse).unwrap();
    let uri = format!("data:application/octet-stream;base64,{}", base64(&buffer(&die)));
    let text = gltf_json(&die, Some(&uri)).into_bytes();
    for (bytes, format) in [(glb(&die), Format::Glb), (text, Format::Gltf)] {
        let mesh = plain(&bytes, format).unwrap();
        let measures = Measures::of(&mesh).unwrap();
        let one = Measures::of(&die).unwrap().volume_m3.unwrap();
        assert!((measures.volume_m3.unwrap() / one / 16.0 - 1.0).abs() < 1e-5);
        assert!((measures.bounds_m[1][0] - 10.016).abs() < 1e-5, "{:?}", measures.bounds_m);
        let names: Vec<_> = mesh.parts.iter().map(|p| (&*p.name, p.material.as_deref())).collect();
        assert_eq!(names, [("left", Some("clay")), ("right", Some("clay"))]);
        assert_eq!(mesh.parts[1].triangles.len(), die.triangles.len());
        assert_eq!(repair(mesh, &RepairOptions::default()).unwrap().report.repairs.flipped, 0);
    }
}

#[test]
fn external_buffers_come_from_the_folder_and_nowhere_else() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("in");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("my data.bin"), buffer(&BOWL)).unwrap();
    std::fs::write(outside.path().join("out.bin"), buffer(&BOWL)).unwrap();
    let try_uri = |uri: &str| {
        let path = folder.join("bowl.gltf");
        std::fs::write(&path, gltf_json(&BOWL, Some(uri))).unwrap();
        read(path, &ReadOptions::default())
    };
    assert_eq!(try_uri("my%20data.bin").unwrap().triangles.len(), 2 * BOWL.triangles.len());
    let absolute = outside.path().join("out.bin");
    let mut bad = vec!["../out.bin", "%2e%2e/out.bin", "http://x.org/a.bin", "none.bin", "."];
    bad.push(absolute.to_str().unwrap());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&absolute, folder.join("link.bin")).unwrap();
        bad.push("link.bin");
    }
    for uri in bad {
        let error = try_uri(uri).unwrap_err().to_string();
        assert!(error.contains("bowl.gltf"), "{error}");
    }
    let error = plain(gltf_json(&BOWL, Some("a.bin")).as_bytes(), Format::Gltf).unwrap_err();
    assert!(error.to_string().contains("read the mesh from its folder"), "{error}");
}

#[test]
fn obj_as_people_write_it() {
    let text = "# Blender\r\nmtllib x.mtl\no top\nusemtl red paint\nv 0 0 0 1 0 0\nv 1 0 0\n\
        v 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3/1 \\\n -1\n\
        usemtl blue\nv 0 0 1\nf 1 2 5\nusemtl red paint\nf 2 3 5\ns off\nl 1 2\n";
    let mesh = plain(text.as_bytes(), Format::Obj).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (5, 4));
    let parts: Vec<_> =
        mesh.parts.iter().map(|p| (p.material.as_deref().unwrap(), p.triangles.clone())).collect();
    assert_eq!(parts, [("red paint", 0..3), ("blue", 3..4)]);
    for (bad, says) in [
        ("v 0 0\n", "OBJ, line 1: a vertex needs three numbers"),
        ("v 0 0 0\nf 1 1 2\n", "OBJ, line 2: a face refers to vertex `2`; 1 are defined above it"),
        ("v 0 0 0\nf 1 1 0\n", "`0` is not the number of a vertex"),
        ("v 0 0 0\nf 1 1\n", "at least three corners"),
        ("v 0 0 0\n", "no triangles"),
    ] {
        let error = plain(bad.as_bytes(), Format::Obj).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn units_are_applied_and_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bowl.obj");
    let mut large = BOWL.clone();
    large.vertices.iter_mut().flatten().for_each(|x| *x *= 1000.0);
    std::fs::write(&path, obj(&large)).unwrap();
    let report = load(&path, &ReadOptions::default()).unwrap().report;
    assert!(report.notes[0].ends_with("m: millimetres?"), "{report}");
    let options = ReadOptions::default().with_units(Units::Millimetres);
    let report = load(&path, &options).unwrap().report;
    assert!((report.measures.size_m - 0.144).abs() < 1e-3);
    assert!(!report.to_string().contains('?'), "{report}");
}

#[test]
fn promises_take_no_memory() {
    let start = Instant::now();
    let mut claims = stl(&BOWL);
    claims[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = plain(&claims, Format::Stl).unwrap_err().to_string();
    assert!(error.contains("claims 4294967295 triangles"), "{error}");

    let header = |element: &str| {
        format!("ply\nformat binary_little_endian 1.0\nelement {element}\nend_header\n")
    };
    for (element, says) in [
        ("vertex 4294967295\nproperty float x\nproperty float y\nproperty float z", "at most"),
        ("vertex 9999999\nproperty float x\nproperty float y\nproperty float z", "cut short"),
        ("face 18446744073709551615\nproperty list int int vertex_index", "at most"),
        ("cloud 18446744073709551615\nproperty int a", "cut short"),
        ("cloud 18446744073709551615", "no triangles"),
        ("vertex 99999999999999999999999", "not a number"),
        ("vertex 3\nproperty float x", "no property `y`"),
    ] {
        let error = plain(header(element).as_bytes(), Format::Ply).unwrap_err().to_string();
        assert!(error.contains(says), "{element}: {error}");
    }

    let json = gltf_json(&BOWL, None);
    let v = BOWL.vertices.len();
    let count = format!("\"count\":{v}");
    for (from, to) in [
        (count.as_str(), "\"count\":18446744073709551615"),
        ("\"indices\":1", "\"indices\":77"),
        ("\"children\":[1,2]", "\"children\":[1,0]"),
        ("\"children\":[1,2]", "\"children\":[1,99]"),
        ("\"componentType\":5125", "\"componentType\":5126"),
        ("\"byteLength\"", "\"byteOffset\":18446744073709551615,\"byteLength\""),
        ("\"scene\":0", "\"scene\":9"),
        ("\"asset\"", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\""),
    ] {
        assert!(json.contains(from), "{from}");
        let bytes = glb_of(json.replacen(from, to, 1), &buffer(&BOWL));
        let error = plain(&bytes, Format::Glb).unwrap_err().to_string();
        assert!(error.contains("glTF"), "{to}: {error}");
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = json.replacen("\"asset\"", &format!("\"extras\":{deep},\"asset\""), 1);
    survive(&glb_of(deep, &buffer(&BOWL)), Format::Glb);
    // Many nodes that share one mesh are counted as what they become.
    let nodes = vec![r#"{"mesh":0}"#; 300_000].join(",");
    let many =
        json.replacen("\"nodes\":[{\"scale\"", &format!("\"nodes\":[{nodes},{{\"scale\""), 1);
    let roots = (0..300_000).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    let many = many.replacen("{\"nodes\":[0]}", &format!("{{\"nodes\":[{roots}]}}"), 1);
    let limits = Limits::default().with_vertices(100_000);
    let options = ReadOptions::default().with_limits(limits);
    let error = read_bytes(&glb_of(many, &buffer(&BOWL)), Format::Glb, &options).unwrap_err();
    assert!(matches!(error, MeshError::Limit { what: "vertices", .. }), "{error}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn limits_hold_in_every_format() {
    for (bytes, format) in samples() {
        for limits in [
            Limits::default().with_triangles(10),
            Limits::default().with_vertices(10),
            Limits::default().with_file_bytes(100),
        ] {
            let options = ReadOptions::default().with_limits(limits);
            let error = read_bytes(&bytes, format, &options).unwrap_err();
            assert!(matches!(error, MeshError::Limit { .. }), "{format:?}: {error}");
        }
    }
}

#[test]
fn files_are_known_by_content_and_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for (i, (bytes, format)) in samples().into_iter().enumerate() {
        let ending = format!("{format:?}").to_uppercase();
        let path = folder.path().join(format!("{i}.{ending}"));
        std::fs::write(&path, bytes).unwrap();
        assert!(!load(&path, &ReadOptions::default()).unwrap().mesh.triangles.is_empty());
    }
    let strange = folder.path().join("notes.txt");
    std::fs::write(&strange, "hello").unwrap();
    let error = load(&strange, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("notes.txt") && error.contains("export the mesh as OBJ"), "{error}");
    let error = load(folder.path(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
}

/// A small mesh in every format and variant.
fn samples() -> Vec<(Vec<u8>, Format)> {
    let v = |x: f64, y: f64, z: f64| [0.1 * x, 0.1 * y, 0.1 * z];
    let mut tent = Mesh::default();
    tent.vertices.extend([v(0., 0., 1.)]);
    for i in 0..24 {
        let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 24.0).sin_cos();
        tent.vertices.push(v(cos, sin, 0.0));
    }
    tent.triangles = (1..25).map(|i| [0, i, i % 24 + 1]).collect();
    let uri = format!("data:;base64,{}", base64(&buffer(&tent)));
    vec![
        (obj(&tent), Format::Obj),
        (stl(&tent), Format::Stl),
        (stl_text(&tent), Format::Stl),
        (ply(&tent, Ply::Ascii), Format::Ply),
        (ply(&tent, Ply::Little), Format::Ply),
        (ply(&tent, Ply::Big), Format::Ply),
        (glb(&tent), Format::Glb),
        (gltf_json(&tent, Some(&uri)).into_bytes(), Format::Gltf),
    ]
}

/// Whatever is read must also be repaired or refused.
fn survive(bytes: &[u8], format: Format) {
    if let Ok(mesh) = plain(bytes, format) {
        assert!(mesh.triangles.len() <= bytes.len());
        let _ = repair(mesh, &RepairOptions::default()).map(|done| done.report.to_string());
    }
}

const FORMATS: [Format; 5] = [Format::Obj, Format::Ply, Format::Stl, Format::Gltf, Format::Glb];

#[test]
fn every_truncation_is_survived() {
    for (bytes, format) in samples() {
        for end in 0..bytes.len() {
            survive(&bytes[..end], format);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for format in FORMATS {
            survive(&bytes, format);
        }
    }

    #[test]
    fn random_bytes_behind_a_good_beginning_are_survived(
        which in 0..8_usize,
        at in any::<prop::sample::Index>(),
        tail in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let (mut bytes, format) = samples().swap_remove(which);
        bytes.truncate(at.index(bytes.len()));
        bytes.extend(tail);
        survive(&bytes, format);
    }

    #[test]
    fn flipped_bits_are_survived(
        which in 0..8_usize,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u32), 1..6),
    ) {
        let (mut bytes, format) = samples().swap_remove(which);
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        survive(&bytes, format);
    }

    /// Digits become other digits: counts, indices and offsets that parse but lie.
    #[test]
    fn wrong_numbers_are_survived(
        which in 0..8_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..10_u8), 1..8),
    ) {
        let (mut bytes, format) = samples().swap_remove(which);
        let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
        for (at, digit) in changes {
            if !digits.is_empty() {
                bytes[digits[at.index(digits.len())]] = b'0' + digit;
            }
        }
        survive(&bytes, format);
    }
}

/// Some programs write a byte-order mark before a text.
#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let mesh = builtin("die", Density::Coarse).unwrap();
    let marked = |bytes: &[u8]| [b"\xEF\xBB\xBF", bytes].concat();
    let data = format!("data:application/octet-stream;base64,{}", base64(&buffer(&mesh)));
    for (bytes, format) in [
        (obj(&mesh), Format::Obj),
        (ply(&mesh, Ply::Ascii), Format::Ply),
        (stl_text(&mesh), Format::Stl),
        (gltf_json(&mesh, Some(&data)).into_bytes(), Format::Gltf),
    ] {
        let wanted = plain(&bytes, format).unwrap();
        let found = plain(&marked(&bytes), format).unwrap_or_else(|e| panic!("{format:?}: {e}"));
        assert_eq!(found, wanted, "{format:?}");
        let name = std::path::Path::new("die.obj");
        if format == Format::Ply {
            assert_eq!(Format::detect(name, &marked(&bytes)), Some(Format::Ply));
        }
    }
}
