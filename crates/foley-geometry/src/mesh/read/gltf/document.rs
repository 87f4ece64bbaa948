//! The part of the glTF JSON document that is used.

use super::wrong;
use crate::mesh::MeshError;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;

/// Limit on the length of lists: a few bytes of JSON can make a large item.
const MAX_ITEMS: usize = 1_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<usize>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) nodes: Vec<Node>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) meshes: Vec<MeshItem>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) materials: Vec<Named>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) animations: Vec<Animation>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) buffer_views: Vec<View>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) nodes: Vec<usize>,
    /// Kept as text: parsing a few bytes of it could allocate much memory.
    pub(super) extras: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    pub(super) mesh: Option<usize>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) children: Vec<usize>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) camera: Option<usize>,
    /// As in [`Scene`].
    pub(super) extras: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct MeshItem {
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) material: Option<usize>,
    pub(super) mode: Option<u32>,
}

#[derive(Deserialize, Default)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) channels: Vec<Channel>,
    #[serde(default, deserialize_with = "bounded_list")]
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

/// Required extensions that do not affect geometry, or that are supported.
const HARMLESS: [&str; 3] =
    ["KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual"];

pub(super) fn parse(json: &[u8]) -> Result<Document, MeshError> {
    let document: Document = serde_json::from_slice(json)
        .map_err(|e| wrong(format!("line {} of the JSON", e.line()), short(&e.to_string())))?;
    let unsupported = document.extensions_required.iter().find(|name| {
        let looks = ["KHR_materials_", "KHR_texture_", "EXT_texture_"];
        !HARMLESS.contains(&name.as_str()) && !looks.iter().any(|l| name.starts_with(l))
    });
    match unsupported {
        Some(name) => {
            let problem = format!("`{}` is not read: export without compression", short(name));
            Err(wrong("extensionsRequired", problem))
        }
        None => Ok(document),
    }
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}

/// Deserialises a list of at most [`MAX_ITEMS`].
fn bounded_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    source: D,
) -> Result<Vec<T>, D::Error> {
    struct Bounded<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Bounded<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MAX_ITEMS} items")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut items = Vec::new();
            while let Some(item) = seq.next_element()? {
                if items.len() == MAX_ITEMS {
                    return Err(A::Error::custom(format!("more than {MAX_ITEMS} items")));
                }
                items.push(item);
            }
            Ok(items)
        }
    }

    source.deserialize_seq(Bounded(PhantomData))
}
