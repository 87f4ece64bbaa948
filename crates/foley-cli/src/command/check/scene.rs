//! What is in a scene, and what is wrong with it.

use anyhow::{Context, Result, bail};
use foley::dsp::model::ContactBody;
use foley::geometry::Collider;
use foley::scene::prepare::{Prepared, PreparedObject};
use foley::scene::scene::hail::{Fall, Hail};
use foley::scene::scene::{BodySource, Motion, Object};
use foley::scene::{Scene, SceneError, sonify};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

use crate::output::{counted, print_line};

/// Most objects listed.
const MOST_LINES: usize = 40;

pub(super) fn check(path: &Path, json: bool) -> Result<()> {
    let scene = match Scene::load(path) {
        Ok(scene) => Arc::new(scene),
        Err(error) => return print_result(path, &error, json),
    };
    // What rendering refuses is refused here.
    let prepared = sonify::check(&scene).with_context(|| path.display().to_string())?;
    if json {
        return print_line!("{}", facts(&scene, &prepared));
    }
    let silent = scene.objects.iter().filter(|object| object.silent).count();
    let objects = scene.objects.len();
    print_line!("{}", scene.title)?;
    print_line!("{} s, {} steps of physics a second", scene.seconds, scene.physics_hz)?;
    print_line!(
        "{}, {silent} of them silent; {}, {}",
        counted(objects, "object"),
        counted(scene.strikes.len(), "strike"),
        counted(scene.scrapes.len(), "scrape"),
    )?;
    if let Some(hail) = &scene.hail {
        print_line!("{}", hail_summary(hail))?;
    }
    for (object, prepared) in scene.objects.iter().zip(&prepared.objects).take(MOST_LINES) {
        let (name, body, material) = (&object.name, &object.body, material(object, prepared));
        let mass = match object.motion {
            Motion::Dynamic => format!("{:.4} kg, ", prepared.mass.mass_kg),
            _ => String::new(),
        };
        let (motion, touched) = (motion(object), touched(prepared));
        let silent = if object.silent { ", silent" } else { "" };
        print_line!("  {name}: {body}, {material}, {mass}{motion}, {touched}{silent}")?;
    }
    if objects > MOST_LINES {
        print_line!("  and {} more", objects - MOST_LINES)?;
    }
    prepared.notes.iter().try_for_each(|note| print_line!("note: {note}"))?;
    print_line!("{}: good", path.display())
}

/// One problem is the error itself; several are listed.
fn print_result(path: &Path, error: &SceneError, json: bool) -> Result<()> {
    if json {
        let facts = json!({ "ok": false, "count": error.count, "problems": error.problems });
        print_line!("{facts}")?;
    } else if error.count == 1 {
        bail!("{error}");
    } else {
        error.problems.iter().try_for_each(|problem| print_line!("{problem}"))?;
    }
    bail!("{}: {}", path.display(), counted(error.count, "problem"))
}

fn hail_summary(hail: &Hail) -> String {
    let Hail { per_second, cloud, fall, largest_m, .. } = hail;
    let smallest_m = hail.smallest_radius_m();
    let ([x, y, z], area) = (cloud.centre_m, cloud.area_m2());
    let fall = match fall {
        Fall::Straight => "at terminal speed",
        Fall::Accelerated => "accelerated",
    };
    let [smallest, largest] = [smallest_m, *largest_m].map(|r| (1e4 * r).round() / 10.0);
    format!(
        "hail: {per_second} stones a second from {area:.1} m² at [{x}, {y}, {z}], {fall}, {smallest} to {largest} mm in radius"
    )
}

/// Returns the material of an object, or the elasticity of a model, which has no material.
fn material(object: &Object, prepared: &PreparedObject) -> String {
    let ContactBody { young_pa, poisson, .. } = prepared.contact_body;
    match object.body {
        BodySource::Model(_) => format!("E {} GPa, ν {poisson:.2}", (young_pa / 1e6).round() / 1e3),
        _ => object.material.name.to_string(),
    }
}

fn motion(object: &Object) -> &'static str {
    match object.motion {
        Motion::Dynamic => "dynamic",
        Motion::Fixed => "fixed",
        Motion::Path(_) => "kinematic, follows a path",
    }
}

/// How others touch it, in words.
fn touched(prepared: &PreparedObject) -> String {
    let Some(collider) = &prepared.collider else { return "never touched".into() };
    match &collider.simple_parts()[..] {
        [(one, _)] => match &**one {
            Collider::HalfSpace => "half-space".into(),
            Collider::Box { .. } => "box".into(),
            Collider::Ball { .. } => "ball".into(),
            Collider::Cylinder { .. } => "cylinder".into(),
            Collider::Capsule { .. } => "capsule".into(),
            Collider::Cone { .. } => "cone".into(),
            Collider::Hull { points_m } => format!("hull of {} points", points_m.len()),
            Collider::Mesh { triangles, .. } => format!("{} triangles", triangles.len()),
            Collider::Ring { .. } | Collider::Compound { .. } => "compound".into(),
        },
        many => format!("{} capsules", many.len()),
    }
}

fn facts(scene: &Scene, prepared: &Prepared) -> Value {
    let object = |(object, prepared): (&Object, &PreparedObject)| {
        let is_model = matches!(object.body, BodySource::Model(_));
        json!({
            "name": object.name,
            "body": object.body.to_string(),
            "material": (!is_model).then_some(&object.material.name),
            "young_pa": prepared.contact_body.young_pa,
            "poisson": prepared.contact_body.poisson,
            "mass_kg": prepared.mass.mass_kg,
            "centre_m": prepared.mass.centre_m,
            "position_m": object.pose.position_m,
            "motion": motion(object),
            "collider": touched(prepared),
            "silent": object.silent,
        })
    };
    let objects: Vec<Value> = scene.objects.iter().zip(&prepared.objects).map(object).collect();
    json!({
        "ok": true,
        "title": scene.title,
        "seconds": scene.seconds,
        "physics_hz": scene.physics_hz,
        "objects": objects,
        "strikes": scene.strikes.len(),
        "scrapes": scene.scrapes.len(),
        "hail": scene.hail.map(|hail| json!({
            "per_second": hail.per_second,
            "cloud_m": hail.cloud.centre_m,
            "cloud_m2": hail.cloud.area_m2(),
            "wind": hail.wind,
            "largest_m": hail.largest_m,
            "smallest_m": hail.smallest_radius_m(),
            "restitution": hail.restitution,
        })),
        "notes": prepared.notes,
    })
}
