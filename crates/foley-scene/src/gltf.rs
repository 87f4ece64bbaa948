//! glTF files as scenes: every node with a mesh becomes an object.
//!
//! | glTF | scene |
//! |---|---|
//! | node with a mesh | `[[object]]` with `mesh = "file.glb#Node"`, `position` and `rotation`; its scale is applied to the mesh |
//! | name of its material | `material`, if the library has it |
//! | animation of its translation or rotation, or of a parent's | `motion`: a path that starts with the scene |
//! | its custom properties `foley_…`, or an object `foley` | keys of `[[object]]`; `foley_ignore` skips the node |
//! | custom properties of the scene | keys of the scene |
//! | first camera | `[listener]` |
//!
//! A node without a material is a fixed, silent object. In a TOML file with
//! `gltf = "file.glb"`, an `[[object]]` with the name of a node overrides keys of that node.

mod animation;
mod axes;

pub(crate) use axes::{z_up, z_up_pose, z_up_stretch};

use crate::diagnostics::{Diagnostics, Span, suggestion, truncated};
use crate::read::files::SceneFiles;
use crate::read::json;
use crate::read::value::{Data, Table, Value};
use crate::scene::MAX_OBJECTS;
use crate::scene::body::BODIES;
use crate::scene::motion::MOTIONS;
use crate::schema::keys::{listener, object, scene};
use crate::write;
use foley_geometry::mesh::{Gltf, GltfNode};
use foley_modal::Material;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Converts a glTF file to the table of a TOML file. A file that cannot be opened is reported at
/// `named_at`.
pub(crate) fn table(
    files: &SceneFiles<'_>,
    file: &Path,
    named_at: &Span,
    log: &Diagnostics,
) -> Option<Table> {
    let path = files.folder().join(file);
    let opened = files.gltf(file);
    let gltf = match &*opened {
        Ok(gltf) => gltf,
        Err(error) => {
            log.add(named_at, "", Some(scene::GLTF.name), error.to_string());
            return None;
        }
    };
    let span = Span::file(&path);
    let mut table = json::foley_properties(gltf.extras(), &span);
    if let Some(camera) = gltf.nodes().iter().find(|node| node.is_camera) {
        table.put(scene::LISTENER.name, Data::Table(camera_listener(camera, &span)));
    }
    let may_sound = |node: &&GltfNode| node.mesh.is_some() || !node.extras.is_null();
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
        let ignored = ignored.is_some_and(|e| !matches!(e.value.data, Data::Boolean(false)));
        if ignored || !(node.mesh.is_some() || has_body(&own)) {
            continue;
        }
        if objects.len() == MAX_OBJECTS {
            let message = format!("more than {MAX_OBJECTS} nodes with meshes; remove some");
            log.add(&span, "", None, message);
            return None;
        }
        let unique = !node.name.trim().is_empty() && count[&*node.name] == 1;
        let object = object(node, &file.to_string_lossy(), unique, &span).and_then(|mut object| {
            if let Some(keyframes) = motions.get(&node.number) {
                object.put(object::MOTION.name, animation::keyframes(node, keyframes, &span)?);
            }
            Ok(object)
        });
        match object {
            Ok(mut object) => {
                override_body(&mut object, &own);
                object.override_by(own);
                if let Some(Data::Text(name)) = object.get(object::NAME.name).map(|v| &v.data)
                    && !names.insert(name.clone())
                {
                    let name = truncated(name);
                    let message = format!("two nodes have the name \"{name}\"; rename one");
                    log.add(&span, "", None, message);
                }
                set_silent_defaults(&mut object);
                objects.push(Value { data: Data::Table(object), span: span.clone() });
            }
            Err(problem) => {
                let context = format!("node {} \"{}\"", node.number, truncated(&node.name));
                log.add(&span, &context, None, problem);
            }
        }
    }
    if !objects.is_empty() {
        table.put(scene::OBJECT.name, Data::Array(objects));
    }
    Some(table)
}

/// Returns the keys of an object that follow from its node.
fn object(node: &GltfNode, file: &str, unique: bool, span: &Span) -> Result<Table, String> {
    let pose = z_up_pose(node.scene_from_node).ok_or(
        "its scale is 0 along an axis or not finite; apply the scale and export the file again",
    )?;
    let mut table = Table::new(span.clone());
    let numbered = format!("/nodes/{}", node.number);
    let name = match (unique, node.name.trim()) {
        (true, name) => name.to_owned(),
        (false, "") => format!("node {}", node.number),
        (false, name) => format!("{name} (node {})", node.number),
    };
    table.put(object::NAME.name, write::text(name));
    // A leading `/` would mean a number.
    let by_name = unique && node.name == node.name.trim() && !node.name.starts_with('/');
    let fragment = if by_name { &node.name } else { &numbered };
    table.put(object::MESH.name, write::text(format!("{file}#{fragment}")));
    table.put_numbers(object::POSITION_M.name, &pose.position_m);
    table.put_numbers(object::ROTATION.name, &pose.rotation);
    let known = node.materials.iter().find_map(|name| Material::named(name).ok());
    let material = known.map(|material| write::text(material.name.clone().into_owned()));
    table.put_some(object::MATERIAL.name, material);
    Ok(table)
}

/// Makes an object without a material fixed and silent.
fn set_silent_defaults(table: &mut Table) {
    if table.get(object::MATERIAL.name).is_some() || table.get(object::MODEL.name).is_some() {
        return;
    }
    let fixed = write::text(MOTIONS[1].0);
    for (key, data) in [(object::SILENT, Data::Boolean(true)), (object::MOTION, fixed)] {
        if table.get(key.name).is_none() {
            table.put(key.name, data);
        }
    }
}

fn has_body(table: &Table) -> bool {
    BODIES.iter().any(|key| table.get(key.name).is_some())
}

/// Removes the body of an object if `by` has another one.
fn override_body(table: &mut Table, by: &Table) {
    if has_body(by) {
        BODIES.iter().for_each(|key| drop(table.remove(key.name)));
    }
}

/// Returns the listener at a camera, which looks along −z with y up.
fn camera_listener(camera: &GltfNode, span: &Span) -> Table {
    let mut table = Table::new(span.clone());
    if let Some(pose) = z_up_pose(camera.scene_from_node) {
        table.put_numbers(listener::POSITION_M.name, &pose.position_m);
        // In z-up coordinates, it looks along y with z up.
        table.put_numbers(listener::FORWARD.name, &pose.rotate([0.0, 1.0, 0.0]));
        table.put_numbers(listener::UP.name, &pose.rotate([0.0, 0.0, 1.0]));
    }
    table
}

/// Merges a TOML file into the table of the glTF file that it names; the TOML file takes precedence.
pub(crate) fn merge(mut below: Table, mut own: Table) -> Table {
    let mut objects = match below.remove(scene::OBJECT.name).map(|entry| entry.value.data) {
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
    let node_of_name: HashMap<String, usize> =
        objects.iter().enumerate().filter_map(|(i, node)| Some((name(node)?, i))).collect();
    match own.remove(scene::OBJECT.name).map(|entry| entry.value.data) {
        Some(Data::Array(items)) => {
            for item in items {
                let node = name(&item).and_then(|name| node_of_name.get(&name).copied());
                match (item, node) {
                    (Value { data: Data::Table(own), .. }, Some(node)) => {
                        override_node(&mut objects[node], own);
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
        if given.get(listener::LOOK_AT.name).is_some() {
            both.remove(listener::FORWARD.name);
        }
        both.override_by(given);
        own.put(scene::LISTENER.name, Data::Table(both));
    }
    let file = own.get(scene::GLTF.name).map(|value| value.data.clone());
    below.override_by(own);
    if below.get(scene::OBJECT.name).is_none() && !objects.is_empty() {
        below.put(scene::OBJECT.name, Data::Array(objects));
    }
    below.put_some(scene::GLTF.name, file);
    below
}

/// Overrides keys of a node.
fn override_node(node: &mut Value, own: Table) {
    let Data::Table(table) = &mut node.data else { return };
    override_body(table, &own);
    // A node with a material is no longer a fixed, silent object.
    if own.get(object::MATERIAL.name).is_some() && table.get(object::MATERIAL.name).is_none() {
        let fixed = table.get(object::MOTION.name).is_some_and(|m| matches!(m.data, Data::Text(_)));
        drop(table.remove(object::SILENT.name));
        if fixed {
            drop(table.remove(object::MOTION.name));
        }
    }
    table.override_by(own);
}

/// Returns the node that the fragment after `#` names.
pub(crate) fn find<'a>(gltf: &'a Gltf, fragment: &str) -> Result<&'a GltfNode, String> {
    let nodes = gltf.nodes();
    if let Some(number) = fragment.strip_prefix("/nodes/").and_then(|n| n.parse::<usize>().ok()) {
        let node = nodes.iter().find(|node| node.number == number);
        return node.ok_or_else(|| format!("there is no node {number} in its scene"));
    }
    let mut named = nodes.iter().filter(|node| node.name == fragment);
    match (named.next(), named.next()) {
        (Some(node), None) if node.mesh.is_some() => Ok(node),
        (Some(_), None) => Err(format!("node `{}` has no mesh", truncated(fragment))),
        (Some(node), Some(_)) => {
            let (name, number) = (truncated(fragment), node.number);
            Err(format!("two nodes have the name `{name}`; use the number: #/nodes/{number}"))
        }
        (None, _) => {
            let all =
                nodes.iter().filter(|n| n.mesh.is_some() && !n.name.is_empty()).map(|n| &*n.name);
            let hint = suggestion(fragment, all.take(1000));
            Err(format!("there is no node `{}`{hint}", truncated(fragment)))
        }
    }
}
