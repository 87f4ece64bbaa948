//! An object of the scene.
//!
//! Its coordinates are those of its shape or mesh, in metres. The scene is z-up; glTF, which is
//! y-up, is converted when it is read, so that numbers are those of Blender.

use super::body::BodySource;
use super::id::ObjectId;
use super::material::Materials;
use super::modes::ModeLimits;
use super::motion::Motion;
use super::pose::read_pose;
use super::surface::SurfaceDescription;
use crate::read::fields::Fields;
use crate::read::files::SceneFiles;
use crate::read::value::{Data, Table};
use crate::schema::keys::object;
use crate::write;
use foley_geometry::Pose;
use foley_modal::{Held, Material};

/// An object of the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// Identifier, assigned by the scene.
    pub id: ObjectId,
    /// Name, unique in the scene.
    pub name: String,
    /// Body: shape, mesh, model or ground.
    pub body: BodySource,
    /// Material.
    pub material: Material,
    /// Wall thickness of a mesh, m.
    pub thickness_m: Option<f64>,
    /// Factors of a mesh's coordinates.
    pub scale: [f64; 3],
    /// Factor of all lengths, walls included.
    pub size: f64,
    /// Initial pose.
    pub pose: Pose,
    /// Initial velocity, m/s.
    pub velocity_m_s: [f64; 3],
    /// Initial angular velocity about x, y and z, degrees per second.
    pub spin_deg_s: [f64; 3],
    /// Time of its release, s; before, nothing collides with it.
    pub release_s: f64,
    /// Motion.
    pub motion: Motion,
    /// Mass, if it does not follow from body and material.
    pub mass_kg: Option<f64>,
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Collider.
    pub collider: ColliderKind,
    /// How it is held; `None`: by what it touches where it is dynamic, else not at all.
    pub held: Option<Held>,
    /// Whether it makes no sound itself.
    pub silent: bool,
    /// Gain of its sound, dB.
    pub gain_db: f64,
    /// Roughness, if the file has one.
    pub surface: Option<SurfaceDescription>,
    /// Limits and method of its modal analysis.
    pub modes: ModeLimits,
}

/// The kind of an object's collider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColliderKind {
    /// Chosen by its body; see [`crate::prepare`].
    #[default]
    Auto,
    /// Bounding box.
    Box,
    /// Bounding ball.
    Ball,
    /// Bounding cylinder along z.
    Cylinder,
    /// Convex hull.
    Hull,
    /// Triangles.
    Mesh,
    /// None: nothing collides with it.
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

/// Material of silent objects without one: hard and heavy.
const SCENERY_MATERIAL: &str = "stone";

impl Object {
    /// Returns an object at the origin, without an id.
    pub fn new(name: impl Into<String>, body: BodySource, material: Material) -> Self {
        let ground = body == BodySource::Ground;
        Self {
            id: ObjectId::UNASSIGNED,
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
            held: None,
            silent: ground,
            gain_db: const { object::GAIN_DB.default_number() },
            surface: None,
            modes: ModeLimits::default(),
        }
    }

    pub(crate) fn read(
        fields: &mut Fields<'_>,
        files: &SceneFiles<'_>,
        materials: &Materials,
    ) -> Option<Self> {
        let body = BodySource::read(fields, files);
        let material = materials.take(fields, &object::MATERIAL);
        let silent = fields.boolean(&object::SILENT);
        let fallback = materials.find(SCENERY_MATERIAL)?;
        // The problem of a missing body is reported already; the other keys are checked all the same.
        let has_body = body.is_some();
        let body = body.unwrap_or(BodySource::Ground);
        let mut object = Self::new(body.default_name(), body, material.unwrap_or(fallback));
        object.silent = silent.unwrap_or(object.silent);
        object.read_geometry(fields);
        object.read_mechanics(fields);
        object.gain_db = fields.number(&object::GAIN_DB).unwrap_or(object.gain_db);
        object.surface = SurfaceDescription::read(fields, files);
        object.modes = ModeLimits::read(fields, &object.body);
        let free = object.motion == Motion::Dynamic && object.mass_kg.is_none();
        let needed = !matches!(object.body, BodySource::Model(_)) && (!object.silent || free);
        if needed && has_body && !fields.has(&object::MATERIAL) {
            let problem = match object.silent {
                true => "is missing: a dynamic object needs it, or `mass_kg`",
                false => "is missing: name a material such as \"steel\", or write silent = true",
            };
            fields.report(&object::MATERIAL, problem);
        }
        has_body.then_some(object)
    }

    fn read_geometry(&mut self, fields: &mut Fields<'_>) {
        let is_mesh = matches!(self.body, BodySource::Mesh { .. } | BodySource::Builtin(_));
        self.thickness_m = fields.number(&object::THICKNESS_M);
        self.scale = read_scale(fields).unwrap_or([1.0; 3]);
        for key in [&object::THICKNESS_M, &object::SCALE] {
            if fields.has(key) && !is_mesh {
                fields.report(key, "is for meshes; the sizes of a shape are in its text");
            }
        }
        self.size = fields.number(&object::SIZE).unwrap_or(const { object::SIZE.default_number() });
        self.pose = read_pose(fields);
    }

    fn read_held(&self, fields: &mut Fields<'_>) -> Option<Held> {
        let held = fields.choice(&object::HELD, &Held::NAMES)?;
        if self.silent {
            let problem =
                "damps the modes of an object that rings; a silent one has none: remove it";
            fields.report(&object::HELD, problem);
        }
        Some(held)
    }

    pub(crate) fn read_mechanics(&mut self, fields: &mut Fields<'_>) {
        self.velocity_m_s = fields.numbers(&object::VELOCITY).unwrap_or_default();
        self.spin_deg_s = fields.numbers(&object::SPIN).unwrap_or_default();
        let ground = self.body == BodySource::Ground;
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
            fields.report(&object::RELEASE_S, "is for dynamic objects: motion = \"dynamic\"");
        }
        self.held = self.read_held(fields);
        self.mass_kg = fields.number(&object::MASS_KG);
        self.friction = fields.number(&object::FRICTION).unwrap_or(self.friction);
        self.restitution = fields.number(&object::RESTITUTION).unwrap_or(self.restitution);
        self.collider = fields.choice(&object::COLLIDER, &COLLIDERS).unwrap_or_default();
        let allowed = [ColliderKind::Auto, ColliderKind::None];
        if ground && !allowed.contains(&self.collider) {
            fields
                .report(&object::COLLIDER, "does not apply to the ground, a half-space; remove it");
        }
    }

    pub(crate) fn write(&self, span: &crate::diagnostics::Span) -> Table {
        let defaults = self.defaults();
        let mut table = Table::new(span.clone());
        table.put(object::NAME.name, write::text(&*self.name));
        self.body.write(&mut table);
        table.put(object::MATERIAL.name, write::text(self.material.name.clone().into_owned()));
        table.put_some(object::THICKNESS_M.name, self.thickness_m.map(Data::Float));
        table.put_unless(&object::SIZE, self.size, defaults.size);
        if self.scale != defaults.scale {
            table.put_numbers(object::SCALE.name, &self.scale);
        }
        if self.pose.position_m != defaults.pose.position_m {
            table.put_numbers(object::POSITION_M.name, &self.pose.position_m);
        }
        if self.pose.rotation != defaults.pose.rotation {
            table.put_numbers(object::ROTATION.name, &self.pose.rotation);
        }
        self.write_mechanics(&mut table);
        if self.silent != defaults.silent {
            table.put(object::SILENT.name, Data::Boolean(self.silent));
        }
        table.put_unless(&object::GAIN_DB, self.gain_db, defaults.gain_db);
        if let Some(surface) = &self.surface {
            surface.write(&mut table);
        }
        self.modes.write(&mut table);
        table
    }

    /// Writes the keys that `read_mechanics` reads.
    pub(crate) fn write_mechanics(&self, table: &mut Table) {
        let defaults = self.defaults();
        table.put_some(object::MASS_KG.name, self.mass_kg.map(Data::Float));
        table.put_unless(&object::RELEASE_S, self.release_s, defaults.release_s);
        table.put_unless(&object::FRICTION, self.friction, defaults.friction);
        table.put_unless(&object::RESTITUTION, self.restitution, defaults.restitution);
        if self.velocity_m_s != defaults.velocity_m_s {
            table.put_numbers(object::VELOCITY.name, &self.velocity_m_s);
        }
        if self.spin_deg_s != defaults.spin_deg_s {
            table.put_numbers(object::SPIN.name, &self.spin_deg_s);
        }
        if self.motion != defaults.motion {
            self.motion.write(table);
        }
        if let Some(held) = self.held {
            table.put(object::HELD.name, write::text(held.to_string()));
        }
        let collider = [self.collider, defaults.collider];
        table.put_choice(object::COLLIDER.name, &COLLIDERS, collider);
    }

    fn defaults(&self) -> Self {
        Self::new("", self.body.clone(), self.material.clone())
    }
}

/// Reads `scale`: one number or three, not zero.
fn read_scale(fields: &mut Fields<'_>) -> Option<[f64; 3]> {
    let value = fields.take(&object::SCALE)?;
    let scale = match value.data {
        Data::Array(_) => fields.numbers_of(&object::SCALE, value, object::SCALE.list_range())?,
        _ => [fields.number(&object::SCALE)?; 3],
    };
    if scale.iter().any(|s| s.abs() < 1e-6) {
        fields.report(&object::SCALE, "must not be 0");
        return None;
    }
    Some(scale)
}
