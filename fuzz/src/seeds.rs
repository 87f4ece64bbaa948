//! Seeds: small valid files of every kind, made by the writers of the project.

use foley_engine::AudioBuffer;
use foley_geometry::assets::MemoryLoader;
use foley_geometry::mesh::{Mesh, write_obj, write_stl};
use foley_modal::file::write;
use foley_modal::{Material, ModalModel, Shape, ShapeOptions};
use foley_physics::trace::{Writer, write_impacts_csv};
use foley_physics::{Event, Impact, PoseEvent};
use foley_scene::demos::DEMOS;

type Seeds = Vec<Vec<u8>>;

/// A tetrahedron.
fn mesh() -> Mesh {
    let vertices = vec![[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    Mesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// OBJ: the tetrahedron, and a polygon with texture coordinates and groups.
pub fn obj() -> Seeds {
    let mut written = Vec::new();
    write_obj(&mesh(), &mut written).expect("memory can be written");
    let polygon = "o a\nv 0 0 0\nv 1 0 0 1\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n\
                   usemtl steel\ng b\nf -4/1/1 -3//1 3/1 4\nl 1 2\n";
    vec![written, polygon.into()]
}

/// STL, binary and ascii.
pub fn stl() -> Seeds {
    let mut binary = Vec::new();
    write_stl(&mesh(), &mut binary).expect("memory can be written");
    let corner = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1e-1 0\n";
    let facet = format!("facet normal 0 0 1\nouter loop\n{corner}endloop\nendfacet\n");
    vec![binary, format!("solid a\n{facet}{facet}endsolid a\n").into()]
}

/// PLY, ascii and binary.
pub fn ply() -> Seeds {
    let Mesh { vertices, triangles, .. } = mesh();
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment seed\nelement vertex {}\nproperty float x\n\
             property double y\nproperty float z\nelement face {}\n\
             property list uchar int vertex_indices\nend_header\n",
            vertices.len(),
            triangles.len()
        )
    };
    let mut ascii = header("ascii");
    vertices.iter().for_each(|[x, y, z]| ascii += &format!("{x} {y} {z}\n"));
    triangles.iter().for_each(|[a, b, c]| ascii += &format!("3 {a} {b} {c}\n"));
    let little = |little: bool| {
        let name = if little { "binary_little_endian" } else { "binary_big_endian" };
        let mut bytes = header(name).into_bytes();
        let mut put = |mut number: Vec<u8>| {
            if !little {
                number.reverse();
            }
            bytes.extend(number);
        };
        for [x, y, z] in &vertices {
            put((*x as f32).to_le_bytes().into());
            put(y.to_le_bytes().into());
            put((*z as f32).to_le_bytes().into());
        }
        for corners in &triangles {
            put(vec![3]);
            corners.iter().for_each(|corner| put((*corner as i32).to_le_bytes().into()));
        }
        bytes
    };
    vec![ascii.into(), little(true), little(false)]
}

/// The buffer of a glTF file: indices and positions of the tetrahedron, two times and two positions.
fn gltf_buffer() -> Vec<u8> {
    let Mesh { vertices, triangles, .. } = mesh();
    let indices = triangles.iter().flatten().flat_map(|v| (*v as u16).to_le_bytes());
    let floats = |numbers: &[f64]| -> Vec<u8> {
        numbers.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect()
    };
    let mut bytes: Vec<u8> = indices.collect();
    bytes.extend(floats(vertices.as_flattened()));
    bytes.extend(floats(&[0.0, 1.0]));
    bytes.extend(floats(&[0.0, 0.0, 1.0, 1.0, 0.0, 0.5]));
    bytes
}

/// JSON of a glTF file: two nodes, one below the other, with a mesh, a path and custom properties.
fn gltf_json(buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,
"scenes":[{{"nodes":[0],"extras":{{"foley_seconds":1,"foley_ground":"concrete"}}}}],
"nodes":[{{"name":"Room","children":[1],"scale":[1,2,1]}},
{{"name":"Bell","mesh":0,"translation":[0,1,0],"rotation":[0,0,0,1],
"extras":{{"foley_material":"bronze","foley_thickness_m":0.002}}}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":1}},"indices":0,"mode":4}}]}}],
"accessors":[
{{"bufferView":0,"componentType":5123,"count":12,"type":"SCALAR"}},
{{"bufferView":1,"componentType":5126,"count":4,"type":"VEC3"}},
{{"bufferView":2,"componentType":5126,"count":2,"type":"SCALAR"}},
{{"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"}}],
"bufferViews":[
{{"buffer":0,"byteOffset":0,"byteLength":24}},{{"buffer":0,"byteOffset":24,"byteLength":48}},
{{"buffer":0,"byteOffset":72,"byteLength":8}},{{"buffer":0,"byteOffset":80,"byteLength":24}}],
"animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}],
"samplers":[{{"input":2,"output":3,"interpolation":"LINEAR"}}]}}],
"buffers":[{{{buffer}"byteLength":{}}}]}}"#,
        gltf_buffer().len()
    )
}

/// glTF as JSON, with a buffer beside it and within it.
pub fn gltf() -> Seeds {
    let zeros = "A".repeat(gltf_buffer().len().div_ceil(3) * 4);
    let within = format!("\"uri\":\"data:application/octet-stream;base64,{zeros}\",");
    vec![gltf_json("\"uri\":\"buffer.bin\",").into(), gltf_json(&within).into()]
}

/// glTF in its binary container.
pub fn glb() -> Seeds {
    let mut json = gltf_json("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut buffer = gltf_buffer();
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let number = |x: usize| u32::try_from(x).expect("a small file").to_le_bytes();
    let mut bytes = b"glTF".to_vec();
    bytes.extend(number(2));
    bytes.extend(number(12 + 8 + json.len() + 8 + buffer.len()));
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", buffer)] {
        bytes.extend(number(chunk.len()));
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    vec![bytes]
}

fn model() -> ModalModel {
    let shape: Shape = "bar:300x30x8mm".parse().expect("a bar");
    let options = ShapeOptions::default();
    shape.model(Material::named("steel").expect("steel"), &options).expect("modes of a bar")
}

/// `.modal` files.
pub fn modal() -> Seeds {
    vec![write(&model())]
}

/// Scene files: the demos that are texts, and one that names every kind of file.
pub fn scene() -> Seeds {
    let demos = DEMOS.iter().filter(|demo| ["bell", "cylinder", "ribbed"].contains(&demo.name));
    let texts = demos.filter_map(|demo| Some(demo.scene().ok()?.to_toml().into_bytes()));
    let files = r#"
        title = "files"
        seconds = 2
        seed = 3
        gravity = [0, 0, -9.81]
        gltf = "room.gltf"
        loudness_lufs = -20
        [air]
        temperature_c = 5
        [listener]
        path = [{ at_s = 0 }, { at_s = 2, position = [1, 0, 1], look_at = [0, 0, 0] }]
        [hail]
        per_second = 500
        cloud = { position = [0, 2, 12], size = [4, 3], drift = [0.5, 0] }
        [[material]]
        name = "roof steel"
        like = "steel"
        density = 7900
        [[object]]
        mesh = "mesh.obj"
        units = "cm"
        material = "roof steel"
        thickness_m = 0.002
        copies = 3
        step = [0.1, 0, 0]
        jitter = { turn_deg = 20, size = 0.1 }
        [[object]]
        name = "bar"
        model = "bar.modal"
        motion = [{ at_s = 0 }, { at_s = 1, position = [0, 0, 1], rotation = [0, 0, 90] }]
        surface = { kind = "recorded", file = "profile.wav", metres_per_sample = 1e-5 }
        [[strike]]
        object = "bar"
        with = { like = "steel ball", mass_kg = 0.02 }
        place = 3
        [[scrape]]
        object = "bar"
        along = [[-0.1, 0, 0], [0.1, 0, 0]]
        speed_m_s = [[0, 0.1], [1, 0.4]]
    "#;
    let trace = "trace = \"contacts.jsonl\"\n[[object]]\nname = \"ball\"\nshape = \"ball:16mm\"\n\
                 material = \"steel\"\n";
    texts.chain([files.into(), trace.into()]).collect()
}

/// Traces: JSON lines and a table.
pub fn trace() -> Seeds {
    let impact = Impact {
        at_s: 0.45,
        bodies: [0, 1],
        places: [[0.0; 3], [0.0, 0.0, -0.008]],
        normal: [0.0, 0.0, 1.0],
        impulse_ns: 0.04,
        speed_m_s: 4.4,
        lost_j: Some(0.01),
    };
    let pose = PoseEvent {
        at_s: 0.0,
        body: 1,
        position: [0.0, 0.0, 1.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        velocity: [0.0; 3],
    };
    let mut writer = Writer::new(Vec::new(), ["floor", "ball"]).expect("memory can be written");
    for event in [Event::Pose(pose), Event::Impact(impact)] {
        writer.write(&event).expect("memory can be written");
    }
    let mut lines = writer.finish().expect("memory can be written");
    lines.extend(
        br#"{"touch":{"at_s":0.5,"contact":7,"bodies":[0,1],"places":[[0,0,0],[0,0,-0.008]],"normal":[0,0,1],"force_n":0.05,"slip_m_s":0,"roll_m_s":0.3,"over":false}}
{"stone":{"at_s":0.6,"body":0,"place":[1,0.5,0],"normal":[0,0,1],"speed_m_s":12,"mass_kg":0.0005,"radius_m":0.005,"restitution":0.3}}
"#,
    );
    let mut table = Vec::new();
    write_impacts_csv(&mut table, [&impact]).expect("memory can be written");
    vec![lines, table]
}

/// Sound files of every container and depth.
pub fn audio() -> Seeds {
    let folder = tempfile::tempdir().expect("a folder");
    let samples = (0..600).map(|n| 0.5 * (0.05 * n as f32).sin()).collect();
    let sound = AudioBuffer { samples, channels: 2, sample_rate_hz: 48_000 };
    ["sound.wav", "sound.flac"]
        .iter()
        .map(|name| {
            let path = folder.path().join(name);
            sound.save(&path).expect("a sound file can be written");
            std::fs::read(&path).expect("it can be read")
        })
        .collect()
}

/// The files that scenes and meshes of the seeds name.
pub fn assets() -> MemoryLoader {
    let first = |seeds: Seeds| seeds.into_iter().next().unwrap_or_default();
    MemoryLoader::default()
        .with("buffer.bin", gltf_buffer())
        .with("room.gltf", first(gltf()))
        .with("mesh.obj", first(obj()))
        .with("bar.modal", first(modal()))
        .with("profile.wav", first(audio()))
        .with("contacts.jsonl", first(trace()))
}
