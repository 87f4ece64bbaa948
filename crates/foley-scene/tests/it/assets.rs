//! A scene and all its files come from memory, with the result of the same files in a folder.

use crate::common;

use common::glb;
use foley_geometry::bounded_read::{ReadCause, ReadError};
use foley_geometry::mesh;
use foley_modal::{Material, Shape, ShapeOptions};
use foley_scene::assets::{AssetLoader, MemoryLoader};
use foley_scene::prepare::ModelCache;
use foley_scene::scene::SurfaceDescription;
use foley_scene::{Assets, MAX_SCENE_BYTES, Scene};
use serde_json::json;
use std::borrow::Cow;
use std::path::Path;

const SCENE: &str = r#"
trace = "contacts.csv"
[[object]]
name = "sheet"
mesh = "meshes/sheet.obj"
units = "mm"
material = "steel"
thickness_m = 0.002
max_hz = 2000
surface = { kind = "recorded", file = "profile.wav", metres_per_sample = 1e-5 }
[[object]]
name = "bar"
model = "bar.modal"
[[object]]
name = "box"
mesh = "box.glb#Box"
material = "glass"
silent = true
[[object]]
name = "triangle"
mesh = "triangle.gltf"
material = "glass"
silent = true
"#;

/// A 16-bit mono WAV file of a ramp.
fn wav() -> Vec<u8> {
    let samples: Vec<u8> = (0..100i16).flat_map(|i| (100 * i).to_le_bytes()).collect();
    let mut file = b"RIFF".to_vec();
    file.extend((36 + samples.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(48_000u32.to_le_bytes());
    file.extend(96_000u32.to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend((samples.len() as u32).to_le_bytes());
    file.extend(samples);
    file
}

/// All files of the scene below a folder that does not exist on disk.
fn files() -> MemoryLoader {
    let shape: Shape = "bar:300x30x8mm".parse().unwrap();
    let model = shape.model(Material::named("steel").unwrap(), &ShapeOptions::default()).unwrap();
    let sheet = "v 0 0 0\nv 300 0 0\nv 300 200 0\nv 0 200 0\nf 1 2 3 4\n";
    let block = mesh::builtin_info("die").unwrap().mesh(mesh::Density::Coarse);
    let block =
        glb(json!({"nodes": [{"name": "Box", "mesh": 0}], "scenes": [{"nodes": [0]}]}), &[&block]);
    let corners = [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let triangle = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "data/triangle.bin", "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    });
    let corners: Vec<u8> = corners.iter().flat_map(|x| x.to_le_bytes()).collect();
    MemoryLoader::default()
        .with("only/in memory/scene.toml", SCENE.as_bytes())
        .with("only/in memory/contacts.csv", b"".as_slice())
        .with("only/in memory/meshes/sheet.obj", sheet.as_bytes())
        .with("only/in memory/profile.wav", wav())
        .with("only/in memory/bar.modal", foley_modal::file::write(&model))
        .with("only/in memory/box.glb", block)
        .with("only/in memory/triangle.gltf", triangle.to_string().into_bytes())
        .with("only/in memory/data/triangle.bin", corners)
}

/// Copies the files to a folder.
fn on_disk(files: &MemoryLoader) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["meshes", "data"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    let names = [
        "scene.toml",
        "contacts.csv",
        "meshes/sheet.obj",
        "profile.wav",
        "bar.modal",
        "box.glb",
        "triangle.gltf",
        "data/triangle.bin",
    ];
    for name in names {
        let bytes = files.load(&Path::new("only/in memory").join(name), u64::MAX).unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn a_scene_from_memory_is_prepared_like_the_same_scene_from_a_folder() {
    let files = files();
    let folder = on_disk(&files);
    let memory = Scene::load_from(Assets::new(files), "only/in memory/scene.toml").unwrap();
    let disk = Scene::load(folder.path().join("scene.toml")).unwrap();
    assert_eq!((&memory.objects, &memory.trace), (&disk.objects, &disk.trace));
    let prepare = |scene: &Scene| {
        let cache = ModelCache::none();
        let prepared = scene.prepare(&cache, &mut |_| true).unwrap();
        prepared.objects.into_iter().map(|o| (o.model, o.collider, o.mass)).collect::<Vec<_>>()
    };
    let found = prepare(&memory);
    assert!(found[0].0.is_some() && found[1].0.is_some());
    assert_eq!(found, prepare(&disk));
}

#[test]
fn a_recording_and_a_trace_are_opened_through_the_loader_of_the_scene() {
    let scene = Scene::load_from(Assets::new(files()), "only/in memory/scene.toml").unwrap();
    let Some(SurfaceDescription::Recorded { file, .. }) = &scene.objects[0].surface else {
        panic!("no recording")
    };
    let read = |file: &Path| {
        let mut bytes = Vec::new();
        scene.open_file(file).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(read(file), wav());
    assert_eq!(read(scene.trace.as_deref().unwrap()), b"");
}

#[test]
fn a_missing_file_of_memory_is_a_problem_with_its_line() {
    for (missing, line) in [("contacts.csv", 2), ("meshes/sheet.obj", 5), ("profile.wav", 10)] {
        let text = SCENE.replace(missing, &format!("no-{}", missing.replace('/', "-")));
        let files = files().with("only/in memory/scene.toml", text.as_bytes());
        let error = Scene::load_from(Assets::new(files), "only/in memory/scene.toml").unwrap_err();
        assert_eq!(error.problems[0].line, Some(line), "{error}");
        assert!(error.to_string().contains("there is no file only/in memory/no-"), "{error}");
    }
    let error = Scene::load_from(Assets::new(files()), "none.toml").unwrap_err().to_string();
    assert!(error.contains("none.toml: cannot open the file"), "{error}");
}

#[test]
fn the_bound_of_a_scene_file_holds_in_memory() {
    let bytes = vec![b'#'; MAX_SCENE_BYTES as usize + 1];
    let files = MemoryLoader::default().with("a.toml", bytes);
    let error = Scene::load_from(Assets::new(files), "a.toml").unwrap_err().to_string();
    assert!(error.contains("more than 8388608 are never read"), "{error}");
}

/// A loader of a program: it only implements `load`.
#[derive(Debug)]
struct OneFile;

impl AssetLoader for OneFile {
    fn load(&self, path: &Path, _: u64) -> Result<Cow<'_, [u8]>, ReadError> {
        if path == Path::new("plate.obj") {
            return Ok(Cow::Borrowed(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
        }
        let cause = ReadCause::Open(std::io::Error::other("not in the archive"));
        Err(ReadError { path: path.to_owned(), cause })
    }
}

#[test]
fn a_loader_of_a_program_needs_only_one_method() {
    let text = "[[object]]\nmesh = \"plate.obj\"\nmaterial = \"steel\"\n";
    let scene = Scene::parse_from(Assets::new(OneFile), text).unwrap();
    assert!(scene.prepare_geometry().is_ok());
    let other = text.replace("plate", "other");
    assert!(Scene::parse_from(Assets::new(OneFile), &other).is_err());
}
