//! Small files take little time and memory: instances of a mesh are shared, and what cannot sound is
//! refused before it is solved.

use crate::common;

use common::Foley;
use foley::geometry::mesh::Mesh;
use serde_json::{Value, json};
use std::process::Stdio;
use wait4::Wait4;

/// What a run of the command used.
struct Run {
    good: bool,
    err: String,
    cpu_s: f64,
    peak_mib: f64,
}

fn run(foley: &Foley, args: &[&str]) -> Run {
    let mut command = foley.command(args);
    command.env("XDG_CACHE_HOME", foley.path("cache")).env("FOLEY_CACHE_DIR", foley.path("cache"));
    let log = std::fs::File::create(foley.path("err.txt")).unwrap();
    let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
    let end = child.wait4().unwrap();
    let err = std::fs::read_to_string(foley.path("err.txt")).unwrap();
    assert!(!err.contains("panicked"), "foley {args:?}: {err}");
    let cpu_s = (end.rusage.utime + end.rusage.stime).as_secs_f64();
    let peak_mib = end.rusage.maxrss as f64 / f64::from(1 << 20);
    println!("foley {args:?}: {cpu_s:.2} s, {peak_mib:.0} MiB, {err}");
    Run { good: end.status.success(), err, cpu_s, peak_mib }
}

/// A GLB file of one mesh and these nodes; `mode` is that of its primitive.
fn glb(positions: &[[f64; 3]], indices: &[u32], mode: u32, nodes: &[Value]) -> Vec<u8> {
    let mut binary: Vec<u8> =
        positions.iter().flatten().flat_map(|x| (*x as f32).to_le_bytes()).collect();
    let points = binary.len();
    binary.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    let numbers: Vec<usize> = (0..nodes.len()).collect();
    let json = json!({
        "asset": {"version": "2.0"}, "scenes": [{"nodes": numbers}], "nodes": nodes,
        "materials": [{"name": "steel"}],
        "meshes": [{"primitives": [
            {"attributes": {"POSITION": 0}, "indices": 1, "material": 0, "mode": mode}
        ]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": positions.len(), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": indices.len(), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": points},
            {"buffer": 0, "byteOffset": points, "byteLength": binary.len() - points},
        ],
        "buffers": [{"byteLength": binary.len()}],
    });
    let mut json = json.to_string();
    json.push_str(&" ".repeat(json.len().next_multiple_of(4) - json.len()));
    let mut file = b"glTF".to_vec();
    let length = 12 + 8 + json.len() + 8 + binary.len();
    for word in [2, length as u32, json.len() as u32] {
        file.extend(word.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(json.as_bytes());
    file.extend((binary.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    file
}

/// A sheet of about ten thousand triangles.
fn sheet() -> Mesh {
    let n = 71_u32;
    let at = |i: u32| f64::from(i) / f64::from(n - 1) - 0.5;
    let vertices = (0..n * n).map(|k| [at(k % n), 0.1 * at(k / n).powi(2), at(k / n)]).collect();
    let cells = (0..n - 1).flat_map(|j| (0..n - 1).map(move |i| j * n + i));
    let triangles = cells.flat_map(|k| [[k, k + n, k + 1], [k + 1, k + n, k + n + 1]]).collect();
    Mesh::new(vertices, triangles)
}

#[test]
fn five_thousand_instances_of_a_mesh_share_it() {
    let foley = Foley::new();
    let mesh = sheet();
    let nodes: Vec<Value> = (0..5000)
        .map(|k| {
            let half = (0.001 * f64::from(k)).sin_cos();
            let place = [1.5 * f64::from(k % 70), 0.0, 1.5 * f64::from(k / 70)];
            json!({"mesh": 0, "translation": place, "rotation": [0, half.0, 0, half.1],
                   "extras": {"foley_motion": "fixed", "foley_silent": true}})
        })
        .collect();
    let indices: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
    foley.write("many.glb", glb(&mesh.vertices, &indices, 4, &nodes));
    foley.write("many.toml", "gltf = \"many.glb\"\nseconds = 0.05\n");
    // One copy of the mesh for each node would take gigabytes.
    for args in [&["check", "many.glb", "--scene"][..], &["render", "many.toml", "-o", "many.wav"]]
    {
        let run = run(&foley, args);
        assert!(run.good, "{args:?}: {}", run.err);
        assert!(run.peak_mib < 400.0, "{args:?}: {} MiB", run.peak_mib);
        assert!(run.cpu_s < 30.0, "{args:?}: {} s", run.cpu_s);
    }
    // Hail needs every copy at its own place.
    foley.write("hail.toml", "gltf = \"many.glb\"\nseconds = 0.05\n[hail]\nper_second = 10\n");
    let hail = run(&foley, &["check", "hail.toml"]);
    assert!(!hail.good && hail.err.contains("another collider"), "{}", hail.err);
    assert!(hail.peak_mib < 400.0, "{} MiB", hail.peak_mib);
    // As one mesh they would be fifty million triangles.
    for args in [&["check", "many.glb"][..], &["modes", "many.glb", "-m", "steel"]] {
        let run = run(&foley, args);
        assert!(!run.good && run.err.contains("read it as a scene"), "{args:?}: {}", run.err);
        assert!(run.err.contains("many.glb") && run.peak_mib < 400.0, "{args:?}: {}", run.err);
    }
}

#[test]
fn a_strip_over_few_vertices_takes_little_time() {
    let foley = Foley::new();
    let corners: Vec<[f64; 3]> =
        (0..200).map(|k| [f64::from(k % 7), f64::from(k / 7 % 7), f64::from(k * k % 31)]).collect();
    // Every triangle is another one, and every edge has many.
    let indices: Vec<u32> = (0..300_000_u64).map(|k| (k * k / 7 % 199) as u32).collect();
    foley.write("strip.glb", glb(&corners, &indices, 5, &[json!({"mesh": 0})]));
    for args in [&["check", "strip.glb"][..], &["modes", "strip.glb", "-m", "steel"]] {
        let run = run(&foley, args);
        assert!(run.cpu_s < 20.0 && run.peak_mib < 1500.0, "{args:?}: {} s", run.cpu_s);
    }
}

#[test]
fn what_is_too_large_or_too_thin_to_be_heard_is_refused_before_it_is_solved() {
    let foley = Foley::new();
    // A tetrahedron of 9 km, closed, and without its base; and one of 100,000 km.
    let corners = |m: &str| format!("v 0 0 0\nv {m} 0 0\nv 0 {m} 0\nv 0 0 {m}\n");
    let faces = ["f 1 3 2\n", "f 1 2 4\nf 1 4 3\nf 2 3 4\n"];
    foley.write("mountain.obj", corners("9e3") + faces[0] + faces[1]);
    foley.write("tent.obj", corners("9e3") + faces[1]);
    foley.write("planet.obj", corners("1e8") + faces[0] + faces[1]);
    for args in [
        &["modes", "planet.obj", "-m", "steel"][..],
        &["modes", "planet.obj", "-m", "steel", "--method", "spring-mass"],
    ] {
        let run = run(&foley, args);
        assert!(!run.good && run.err.contains("check its units"), "{}", run.err);
        assert!(run.cpu_s < 2.0 && run.peak_mib < 300.0, "{args:?}: {} s", run.cpu_s);
    }
    // Eight triangles that touch nowhere.
    let soup: String = (0..8)
        .map(|k| {
            let (x, n) = (2.0 * f64::from(k), 3 * k);
            format!(
                "v {x} 0 0\nv {} 0 0\nv {x} 1 0.{k}\nf {} {} {}\n",
                x + 1.0,
                n + 1,
                n + 2,
                n + 3
            )
        })
        .collect();
    foley.write("soup.obj", soup);
    for args in [
        &["modes", "mountain.obj", "-m", "steel"][..],
        &["modes", "tent.obj", "-m", "steel"],
        &["modes", "mountain.obj", "-m", "steel", "--method", "spring-mass"],
        &["modes", "soup.obj", "-m", "steel", "--method", "spring-mass", "--thickness", "0.001mm"],
        &["modes", "soup.obj", "-m", "steel", "--thickness", "0.001mm"],
    ] {
        let run = run(&foley, args);
        assert!(!run.good && run.err.contains("check size, thickness and units"), "{}", run.err);
        assert!(run.err.contains("20 Hz") && run.err.contains(args[1]), "{args:?}: {}", run.err);
        assert!(run.cpu_s < 6.0 && run.peak_mib < 500.0, "{args:?}: {} s", run.cpu_s);
    }
}

#[test]
fn grains_of_dust_take_little_time() {
    let foley = Foley::new();
    for (name, size) in [("dust", "1e-5"), ("grain", "1e-4")] {
        let corners = format!("v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\n");
        foley.write(&format!("{name}1.obj"), corners.clone() + "f 1 2 3\n");
        foley.write(&format!("{name}3.obj"), corners.clone() + "f 1 2 4\nf 1 4 3\nf 2 3 4\n");
        foley.write(&format!("{name}4.obj"), corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
        for file in ["1", "3", "4"].map(|triangles| format!("{name}{triangles}.obj")) {
            let mut methods = vec!["auto", "shell", "spring-mass"];
            methods.extend((!file.ends_with("1.obj")).then_some("solid"));
            for method in methods {
                let run = run(&foley, &["modes", &file, "-m", "steel", "--method", method]);
                assert!(!run.good && run.err.contains("check size and units"), "{}", run.err);
                assert!(run.cpu_s < 1.0, "{file} {method}: {} s", run.cpu_s);
            }
        }
    }
}

/// Baked models and rendered sounds do not depend on the number of threads.
#[test]
fn models_and_sounds_are_the_same_on_any_number_of_threads() {
    let foley = Foley::new();
    let mut files = Vec::new();
    for (name, mesh, method) in [
        ("shell", "bowl", "shell"),
        ("springs", "bowl", "spring-mass"),
        ("solid", "ring", "solid"),
        ("sides", "mug-closed", "auto"),
    ] {
        for threads in ["1", "2", "8"] {
            let file = format!("{name}-{threads}.modal");
            let args = [
                "modes",
                mesh,
                "-m",
                "glass",
                "--method",
                method,
                "--detail",
                "coarse",
                "--max-modes",
                "60",
                "-o",
                &file,
            ];
            let output = foley.command(&args).env("RAYON_NUM_THREADS", threads).output().unwrap();
            assert!(output.status.success(), "{args:?}: {output:?}");
            files.push((name, foley.read(&file)));
        }
    }
    foley.write(
        "scene.toml",
        "seconds = 1\nground = \"wood\"\n[[object]]\nmesh = \"bowl\"\ndetail = \"coarse\"\n\
         material = \"glass\"\nposition = [0, 0, 0.3]\nrotation = [20, 10, 0]\nmax_modes = 60\n\
         [[object]]\nmesh = \"ring\"\ndetail = \"coarse\"\nmaterial = \"steel\"\nposition = [0.02, 0, 0.6]\n",
    );
    for threads in ["1", "2", "8"] {
        let file = format!("{threads}.wav");
        let cache = foley.path(&format!("cache-{threads}"));
        let mut command = foley.command(&["render", "scene.toml", "-o", &file]);
        command.env("XDG_CACHE_HOME", &cache).env("FOLEY_CACHE_DIR", &cache);
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        files.push(("sound", foley.read(&file)));
    }
    for same in files.chunks(3) {
        let name = same[0].0;
        assert!(same[0].1 == same[1].1 && same[0].1 == same[2].1, "{name} depends on threads");
    }
}
