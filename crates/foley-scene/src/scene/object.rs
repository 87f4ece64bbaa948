//! A thing in the scene.
//!
//! Its own coordinates are those of its shape or mesh, in metres. The world is z-up; glTF,
//! which is y-up, is turned when it is read, so that numbers are those that Blender shows.

use super::body::Body;
use super::material::Materials;
use super::modes::ModeLimits;
use super::motion::Motion;
use super::pose::{Pose, UPRIGHT, read_rotation};
use super::surface::Surface;
use crate::assets::Assets;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::object;
use crate::write;
use foley_modal::Material;

/// A thing in the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// What others call it; no two are called alike.
    pub name: String,
    /// What it is.
    pub body: Body,
    /// What it is made of.
    pub material: Material,
    /// Of the wall of a mesh, m.
    pub thickness_m: Option<f64>,
    /// Of a mesh's coordinates.
    pub scale: [f64; 3],
    /// Everything times this.
    pub size: f64,
    /// Where it is at the beginning.
    pub pose: Pose,
    /// At the beginning, m/s.
    pub velocity_m_s: [f64; 3],
    /// At the beginning, degrees a second about x, y and z.
    pub spin_deg_s: [f64; 3],
    /// When it begins to move, s: nothing meets it before.
    pub release_s: f64,
    /// How it moves.
    pub motion: Motion,
    /// Its mass, where it does not follow from shape and material.
    pub mass_kg: Option<f64>,
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// How others touch it.
    pub collider: ColliderKind,
    /// Whether it makes no sound itself.
    pub silent: bool,
    /// Its roughness; `None` where nothing is said about it.
    pub surface: Option<Surface>,
    /// Which modes it has.
    pub modes: ModeLimits,
}

/// How others touch an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColliderKind {
    /// What suits its shape; see [`crate::prepare`].
    #[default]
    Auto,
    /// The box around it.
    Box,
    /// The ball around it.
    Ball,
    /// The upright cylinder around it.
    Cylinder,
    /// Its convex hull.
    Hull,
    /// Its triangles.
    Mesh,
    /// Nothing touches it.
    None,
}

pub(crate) const COLLIDERS: [(&str, ColliderKind); 7] = [
    ("auto", ColliderKind::Auto),
    ("box", ColliderKind::Box),
    ("ball", ColliderKind::Ball),
    ("cylinder", ColliderKind::Cylinder),
    ("hull", ColliderKind::Hull),
    ("mesh", ColliderKind::Mesh),
    ("none", ColliderKind::None),
];

/// What silent things are made of when they do not say so: hard and heavy.
const SCENERY: &str = "stone";

impl Object {
    /// An object of this kind in the origin.
    pub fn new(name: impl Into<String>, body: Body, material: Material) -> Self {
        let ground = body == Body::Ground;
        Self {
            name: name.into(),
            body,
            material,
            thickness_m: None,
            scale: [1.0; 3],
            size: 1.0,
            pose: Pose::default(),
            velocity_m_s: [0.0; 3],
            spin_deg_s: [0.0; 3],
            release_s: 0.0,
            motion: if ground { Motion::Fixed } else { Motion::Dynamic },
            mass_kg: None,
            friction: const { object::FRICTION.default_number() },
            restitution: const { object::RESTITUTION.default_number() },
            collider: ColliderKind::Auto,
            silent: ground,
            surface: None,
            modes: ModeLimits::default(),
        }
    }

    pub(crate) fn read(
        fields: &mut Fields<'_>,
        assets: &Assets,
        materials: &Materials,
    ) -> Option<Self> {
        let body = Body::read(fields, assets);
        let material = materials.take(fields, &object::MATERIAL);
        let silent = fields.boolean(&object::SILENT);
        let fallback = materials.find(SCENERY)?;
        // What is wrong with the body is told; the other keys are still to be looked at.
        let told = body.is_none();
        let body = body.unwrap_or(Body::Ground);
        let made = material.clone().unwrap_or(fallback);
        let mut object = Self::new(body.default_name(), body, made);
        object.silent = silent.unwrap_or(object.silent);
        object.geometry(fields);
        object.mechanics(fields);
        object.surface = Surface::read(fields, assets);
        object.modes = ModeLimits::read(fields, &object.body);
        let loose = object.motion == Motion::Dynamic && object.mass_kg.is_none();
        let needed = !matches!(object.body, Body::Model(_)) && (!object.silent || loose);
        if needed && !told && !fields.has(&object::MATERIAL) {
            let what = match object.silent {
                true => "is missing, and so is `mass_kg`: what moves needs one of them",
                false => {
                    "is missing: say what it is made of, for example \"steel\"; or silent = true"
                }
            };
            fields.report(&object::MATERIAL, what);
        }
        (!told).then_some(object)
    }

    fn geometry(&mut self, fields: &mut Fields<'_>) {
        let is_mesh = matches!(self.body, Body::Mesh { .. } | Body::Builtin(_));
        self.thickness_m = fields.number(&object::THICKNESS_M);
        self.scale = scale(fields).unwrap_or([1.0; 3]);
        for key in [&object::THICKNESS_M, &object::SCALE] {
            if fields.has(key) && !is_mesh {
                fields.report(key, "is for meshes; a shape has its sizes in its text");
            }
        }
        self.size = fields.number(&object::SIZE).unwrap_or(const { object::SIZE.default_number() });
        self.pose.position_m = fields.numbers(&object::POSITION_M).unwrap_or_default();
        self.pose.rotation = read_rotation(fields).unwrap_or(UPRIGHT);
    }

    fn mechanics(&mut self, fields: &mut Fields<'_>) {
        self.velocity_m_s = fields.numbers(&object::VELOCITY).unwrap_or_default();
        self.spin_deg_s = fields.numbers(&object::SPIN).unwrap_or_default();
        let ground = self.body == Body::Ground;
        match Motion::read(fields, self.pose) {
            Some(motion) if ground && motion != Motion::Fixed => {
                fields.report(&object::MOTION, "the ground cannot move");
            }
            Some(motion) => self.motion = motion,
            None => (),
        }
        self.release_s = fields
            .number(&object::RELEASE_S)
            .unwrap_or(const { object::RELEASE_S.default_number() });
        if fields.has(&object::RELEASE_S) && self.motion != Motion::Dynamic {
            fields.report(&object::RELEASE_S, "is for what moves freely: motion = \"dynamic\"");
        }
        self.mass_kg = fields.number(&object::MASS_KG);
        self.friction = fields.number(&object::FRICTION).unwrap_or(self.friction);
        self.restitution = fields.number(&object::RESTITUTION).unwrap_or(self.restitution);
        self.collider = fields.choice(&object::COLLIDER, &COLLIDERS).unwrap_or_default();
        let good = [ColliderKind::Auto, ColliderKind::None];
        if ground && !good.contains(&self.collider) {
            fields.report(&object::COLLIDER, "the ground is endless; leave `collider` out");
        }
    }

    pub(crate) fn write(&self, span: &crate::diagnostics::Span) -> Table {
        let plain = Self::new("", self.body.clone(), self.material.clone());
        let mut table = Table::new(span.clone());
        table.put(object::NAME.name, write::text(&*self.name));
        self.body.write(&mut table);
        table.put(object::MATERIAL.name, write::text(self.material.name.clone().into_owned()));
        let mut number = |key, value: f64, usual: f64| {
            if value != usual {
                table.put(key, Data::Float(value));
            }
        };
        number("thickness_m", self.thickness_m.unwrap_or(0.0), 0.0);
        number("size", self.size, 1.0);
        number("mass_kg", self.mass_kg.unwrap_or(0.0), 0.0);
        number("release_s", self.release_s, 0.0);
        number("friction", self.friction, plain.friction);
        number("restitution", self.restitution, plain.restitution);
        let mut numbers = |key, values: &[f64], usual: &[f64]| {
            if values != usual {
                table.put_numbers(key, values);
            }
        };
        numbers("scale", &self.scale, &plain.scale);
        numbers("position", &self.pose.position_m, &[0.0; 3]);
        numbers("rotation", &self.pose.rotation, &UPRIGHT);
        numbers("velocity", &self.velocity_m_s, &[0.0; 3]);
        numbers("spin", &self.spin_deg_s, &[0.0; 3]);
        if self.motion != plain.motion {
            self.motion.write(&mut table);
        }
        if let Some((name, _)) = COLLIDERS.iter().find(|(_, kind)| *kind == self.collider)
            && self.collider != ColliderKind::Auto
        {
            table.put(object::COLLIDER.name, write::text(*name));
        }
        if self.silent != plain.silent {
            table.put(object::SILENT.name, Data::Boolean(self.silent));
        }
        if let Some(surface) = &self.surface {
            surface.write(&mut table);
        }
        self.modes.write(&mut table);
        table
    }
}

/// One number or three; never zero.
fn scale(fields: &mut Fields<'_>) -> Option<[f64; 3]> {
    let value = fields.take(&object::SCALE)?;
    let scale = match value.data {
        Data::Array(_) => fields.numbers_of(&object::SCALE, value, object::SCALE.list_range())?,
        _ => [fields.number(&object::SCALE)?; 3],
    };
    if scale.iter().any(|s| s.abs() < 1e-6) {
        fields.report(&object::SCALE, "of 0 leaves nothing; write numbers such as 1");
        return None;
    }
    Some(scale)
}
