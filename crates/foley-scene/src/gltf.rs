//! glTF files as scenes: every node is an object, as if it had been written in TOML.
//!
//! | in the file | in the scene |
//! |---|---|
//! | node with a mesh | `[[object]]` with `mesh = "file.glb#Node"`, `position` and `rotation`; scale goes into the mesh |
//! | name of its material | `material`, where it is one of ours |
//! | animation of its translation or rotation, or of a node it hangs on | `motion`: a path, from the beginning of the scene |
//! | its custom properties `foley_…`, or an object `foley` | keys of `[[object]]`; `foley_ignore` leaves the node out |
//! | custom properties of the scene | keys of the scene |
//! | first camera | `[listener]` |
//!
//! A node that says nothing of what it is made of is scenery: fixed and silent. In a TOML file
//! with `gltf = "file.glb"`, an `[[object]]` with the name of a node changes that node, key by
//! key.

mod animation;
mod axes;

pub(crate) use axes::{linear, upright};

use crate::assets::Assets;
use crate::diagnostics::{Diagnostics, Span, suggestion, truncated};
use crate::read::json;
use crate::read::value::{Data, Table, Value};
use crate::scene::MAX_OBJECTS;
use crate::schema::keys::{object, scene};
use crate::write;
use foley_geometry::mesh::{Gltf, GltfNode};
use foley_modal::Material;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A glTF file as the table that a TOML file would have given. `named_at` is told about assets
/// that cannot be read.
pub(crate) fn table(
    assets: &Assets,
    file: &Path,
    named_at: &Span,
    log: &Diagnostics,
) -> Option<Table> {
    let path = assets.folder().join(file);
    let opened = assets.gltf(file);
    let gltf = match &*opened {
        Ok(gltf) => gltf,
        Err(error) => {
            log.add(named_at, "", Some("gltf"), error.to_string());
            return None;
        }
    };
    let span = Span::file(&path);
    let mut table = json::foley_properties(gltf.extras(), &span);
    if let Some(camera) = gltf.nodes().iter().find(|node| node.is_camera) {
        table.put("listener", Data::Table(listener(camera, &span)));
    }
    let may_sound = |node: &&GltfNode| node.has_mesh || !node.extras.is_null();
    let numbers: Vec<usize> = gltf.nodes().iter().filter(may_sound).map(|n| n.number).collect();
    let motions = match gltf.motions(&numbers) {
        Ok(motions) => motions,
        Err(error) => {
            log.add(&span, "", None, error.to_string());
            return None;
        }
    };
    let mut objects = Vec::new();
    let mut names = HashSet::new();
    let mut count: HashMap<&str, usize> = HashMap::new();
    gltf.nodes().iter().for_each(|node| *count.entry(&node.name).or_default() += 1);
    for node in gltf.nodes() {
        let mut own = json::foley_properties(&node.extras, &span);
        let ignored = own.remove("ignore");
        let other = ["shape", "mesh", "model"].iter().any(|key| own.get(key).is_some());
        let ignored = ignored.is_some_and(|e| !matches!(e.value.data, Data::Boolean(false)));
        if ignored || !(node.has_mesh || other) {
            continue;
        }
        if objects.len() == MAX_OBJECTS {
            let what = format!("more than {MAX_OBJECTS} nodes with meshes; leave some out");
            log.add(&span, "", None, what);
            return None;
        }
        let unique = !node.name.trim().is_empty() && count[&*node.name] == 1;
        let made = object(node, &file.to_string_lossy(), unique, &span).and_then(|mut object| {
            if let Some(places) = motions.get(&node.number) {
                object.put(object::MOTION.name, animation::keyframes(node, places, &span)?);
            }
            Ok(object)
        });
        match made {
            Ok(mut object) => {
                object.override_by(own);
                if let Some(Data::Text(name)) =
                    object.get(object::NAME.name).map(|value| &value.data)
                    && !names.insert(name.clone())
                {
                    let what = format!("two nodes are called \"{}\"; rename one", truncated(name));
                    log.add(&span, "", None, what);
                }
                if other {
                    remove_other_bodies(&mut object, &json::foley_properties(&node.extras, &span));
                }
                objects.push(Value { data: Data::Table(object), span: span.clone() });
            }
            Err(problem) => {
                let context = format!("node {} \"{}\"", node.number, truncated(&node.name));
                log.add(&span, &context, None, problem);
            }
        }
    }
    objects.iter_mut().for_each(set_scenery_defaults);
    table.put("object", Data::Array(objects));
    Some(table)
}

fn object(node: &GltfNode, file: &str, unique: bool, span: &Span) -> Result<Table, String> {
    let upright = upright(node.scene_from_node).ok_or(
        "its scale is 0 in some direction, or not finite; apply the scale and export it again",
    )?;
    let mut table = Table::new(span.clone());
    let numbered = format!("/nodes/{}", node.number);
    let name = match (unique, node.name.trim()) {
        (true, name) => name.to_owned(),
        (false, "") => format!("node {}", node.number),
        (false, name) => format!("{name} (node {})", node.number),
    };
    table.put(object::NAME.name, write::text(name));
    // `#` ends the name of the file, and a leading `/` would be taken for a number.
    let plain = unique && node.name == node.name.trim() && !node.name.starts_with('/');
    let fragment = if plain { &node.name } else { &numbered };
    table.put(object::MESH.name, write::text(format!("{file}#{fragment}")));
    table.put_numbers(object::POSITION_M.name, &upright.position_m);
    table.put_numbers(object::ROTATION.name, &upright.rotation);
    let ours = node.materials.iter().find_map(|name| Material::named(name).ok());
    if let Some(material) = ours {
        table.put(object::MATERIAL.name, write::text(material.name.clone().into_owned()));
    }
    Ok(table)
}

/// What says nothing of its material is fixed and silent.
fn set_scenery_defaults(object: &mut Value) {
    let Data::Table(table) = &mut object.data else { return };
    if table.get(object::MATERIAL.name).is_some() || table.get(object::MODEL.name).is_some() {
        return;
    }
    for (key, data) in [("silent", Data::Boolean(true)), ("motion", write::text("fixed"))] {
        if table.get(key).is_none() {
            table.put(key, data);
        }
    }
}

/// An object is a shape, a mesh or a model: the last word counts.
fn remove_other_bodies(table: &mut Table, by: &Table) {
    let bodies = ["shape", "mesh", "model"];
    if bodies.iter().any(|key| by.get(key).is_some()) {
        for key in bodies.iter().filter(|key| by.get(key).is_none()) {
            table.remove(key);
        }
    }
}

/// A camera looks along −z, with y up.
fn listener(camera: &GltfNode, span: &Span) -> Table {
    let mut table = Table::new(span.clone());
    if let Some(pose) = upright(camera.scene_from_node) {
        table.put_numbers(object::POSITION_M.name, &pose.position_m);
        // In its own turned coordinates, y is z and −z is y.
        let along = |v| crate::scene::pose::rotate(pose.rotation, v);
        table.put_numbers("forward", &along([0.0, 1.0, 0.0]));
        table.put_numbers("up", &along([0.0, 0.0, 1.0]));
    }
    table
}

/// What a TOML file says, above what the glTF file says that it names.
pub(crate) fn merge(mut below: Table, mut own: Table) -> Table {
    let nodes = match below.remove(scene::OBJECT.name).map(|entry| entry.value.data) {
        Some(Data::Array(nodes)) => nodes,
        _ => Vec::new(),
    };
    let name = |value: &Value| match &value.data {
        Data::Table(table) => match table.get(object::NAME.name).map(|value| &value.data) {
            Some(Data::Text(name)) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    };
    let mut objects = nodes;
    let places: HashMap<String, usize> =
        objects.iter().enumerate().filter_map(|(i, node)| Some((name(node)?, i))).collect();
    match own.remove(scene::OBJECT.name).map(|entry| entry.value.data) {
        Some(Data::Array(items)) => {
            for item in items {
                let node = name(&item).and_then(|name| places.get(&name).copied());
                match (item, node) {
                    (Value { data: Data::Table(own), .. }, Some(node)) => {
                        change(&mut objects[node], own);
                    }
                    (item, _) => objects.push(item),
                }
            }
        }
        Some(other) => own.put(scene::OBJECT.name, other),
        None => (),
    }
    if let (Some(Data::Table(camera)), Some(Data::Table(given))) = (
        below.get(scene::LISTENER.name).map(|value| value.data.clone()),
        own.get(scene::LISTENER.name).map(|value| value.data.clone()),
    ) {
        let mut both = camera;
        if given.get("look_at").is_some() {
            both.remove("forward");
        }
        both.override_by(given);
        own.put(scene::LISTENER.name, Data::Table(both));
    }
    let file = own.get(scene::GLTF.name).map(|value| value.data.clone());
    below.override_by(own);
    if below.get(scene::OBJECT.name).is_none() {
        below.put(scene::OBJECT.name, Data::Array(objects));
    }
    if let Some(file) = file {
        below.put(scene::GLTF.name, file);
    }
    below
}

fn change(node: &mut Value, own: Table) {
    let Data::Table(table) = &mut node.data else { return };
    remove_other_bodies(table, &own);
    // What was taken for scenery is no longer, once its material is known.
    if own.get(scene::MATERIAL.name).is_some() && table.get(object::MATERIAL.name).is_none() {
        let fixed = table.get(object::MOTION.name).is_some_and(|m| matches!(m.data, Data::Text(_)));
        drop(table.remove(object::SILENT.name));
        if fixed {
            drop(table.remove(object::MOTION.name));
        }
    }
    table.override_by(own);
}

/// The node that `#…` behind the name of a file means.
pub(crate) fn find<'a>(gltf: &'a Gltf, fragment: &str) -> Result<&'a GltfNode, String> {
    let nodes = gltf.nodes();
    if let Some(number) = fragment.strip_prefix("/nodes/").and_then(|n| n.parse::<usize>().ok()) {
        let node = nodes.iter().find(|node| node.number == number);
        return node.ok_or_else(|| format!("there is no node {number} in its scene"));
    }
    let mut named = nodes.iter().filter(|node| node.name == fragment);
    match (named.next(), named.next()) {
        (Some(node), None) if node.has_mesh => Ok(node),
        (Some(_), None) => Err(format!("node `{}` has no mesh", truncated(fragment))),
        (Some(node), Some(_)) => {
            let (name, number) = (truncated(fragment), node.number);
            Err(format!("two nodes are called `{name}`; write the number: #/nodes/{number}"))
        }
        (None, _) => {
            let all = nodes.iter().filter(|n| n.has_mesh && !n.name.is_empty()).map(|n| &*n.name);
            let hint = suggestion(fragment, all.take(1000));
            Err(format!("there is no node `{}`{hint}", truncated(fragment)))
        }
    }
}
