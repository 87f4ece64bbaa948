//! Validation of bodies before they reach Rapier: finite numbers, sizes within single precision.

use crate::{Body, Mass, Motion, PhysicsError};
use foley_geometry::collider::{Collider, Part};
use foley_geometry::{MassProperties, length_and_thickness};

/// Most vertices and triangles of one shape.
const MAX_POINTS: usize = 1 << 20;
/// Most points of a hull.
const MAX_HULL_POINTS: usize = 1 << 14;
/// Most parts of a compound and most waypoints.
const MAX_PARTS: usize = 1 << 16;

const SIZE: (f64, f64, &str) = (1e-5, 1e4, "from 0.00001 to 10000 metres");
const PLACE: (f64, f64, &str) = (-1e5, 1e5, "a number within 100 km");
const SPEED: (f64, f64, &str) = (-400.0, 400.0, "a number up to 400 m/s");
const SPIN: (f64, f64, &str) = (-1e4, 1e4, "a number up to 10000 rad/s");
const KILOGRAMS: (f64, f64, &str) = (1e-9, 1e9, "from 1e-9 to 1e9 kg");
const INERTIA: (f64, f64, &str) = (-1e20, 1e20, "a number up to 1e20 kg m²");
const DENSITY: (f64, f64, &str) = (1e-3, 1e6, "from 0.001 to 1e6 kg/m³");
const FRICTION: (f64, f64, &str) = (0.0, 10.0, "from 0 to 10");
const RESTITUTION: (f64, f64, &str) = (0.0, 1.0, "from 0 to 1");
const ANY: (f64, f64, &str) = (-1e12, 1e12, "a number");

pub(crate) fn body(body: &Body) -> Result<(), PhysicsError> {
    let validator = Validator { body: &body.name };
    validator.all("position", &body.position, PLACE)?;
    validator.rotation(&body.rotation)?;
    validator.all("velocity", &body.velocity, SPEED)?;
    validator.all("spin", &body.spin, SPIN)?;
    validator.number("friction", body.friction, FRICTION)?;
    validator.number("restitution", body.restitution, RESTITUTION)?;
    match (&body.motion, body.mass) {
        (Motion::Dynamic, Mass::Kilograms(mass)) => validator.number("mass", mass, KILOGRAMS)?,
        (Motion::Dynamic, Mass::Density(density)) => {
            validator.number("density", density, DENSITY)?
        }
        (Motion::Dynamic, Mass::Properties(properties)) => validator.properties(&properties)?,
        (Motion::Kinematic(waypoints), _) => {
            validator.count("waypoints", waypoints.len(), MAX_PARTS)?;
            let mut before = f64::NEG_INFINITY;
            for waypoint in waypoints {
                validator.number("time of a waypoint", waypoint.at_s, ANY)?;
                if waypoint.at_s <= before {
                    let must = "later than that of the waypoint before";
                    return Err(validator.wrong("time of a waypoint", waypoint.at_s, must));
                }
                before = waypoint.at_s;
                validator.all("position of a waypoint", &waypoint.position, PLACE)?;
                validator.rotation(&waypoint.rotation)?;
            }
            if waypoints.is_empty() {
                return Err(validator.shape("it has no waypoints; give at least one".into()));
            }
        }
        (Motion::Fixed, _) => {}
    }
    if body.motion == Motion::Dynamic && has_half_space(&body.collider) {
        let why = "a half-space has no end and no mass, and no force can move it; make it fixed";
        return Err(validator.shape(why.into()));
    }
    validator.collider(&body.collider, true)
}

fn has_half_space(collider: &Collider) -> bool {
    match collider {
        Collider::HalfSpace => true,
        Collider::Compound { parts } => {
            parts.iter().any(|part| part.collider == Collider::HalfSpace)
        }
        _ => false,
    }
}

struct Validator<'a> {
    body: &'a str,
}

impl Validator<'_> {
    fn wrong(&self, what: &'static str, value: f64, must: &'static str) -> PhysicsError {
        PhysicsError::Number { body: self.body.into(), what, value, must }
    }

    fn shape(&self, why: String) -> PhysicsError {
        PhysicsError::Shape { body: self.body.into(), why }
    }

    fn number(
        &self,
        what: &'static str,
        value: f64,
        (low, high, must): (f64, f64, &'static str),
    ) -> Result<(), PhysicsError> {
        if (low..=high).contains(&value) { Ok(()) } else { Err(self.wrong(what, value, must)) }
    }

    fn all(
        &self,
        what: &'static str,
        values: &[f64],
        range: (f64, f64, &'static str),
    ) -> Result<(), PhysicsError> {
        values.iter().try_for_each(|&value| self.number(what, value, range))
    }

    fn count(&self, what: &'static str, found: usize, most: usize) -> Result<(), PhysicsError> {
        if found > most { Err(PhysicsError::TooMany { what, found, most }) } else { Ok(()) }
    }

    fn rotation(&self, rotation: &[f64; 4]) -> Result<(), PhysicsError> {
        self.all("rotation", rotation, ANY)?;
        let length = rotation.iter().map(|q| q * q).sum::<f64>().sqrt();
        if length > 1e-6 {
            Ok(())
        } else {
            Err(self.wrong("length of the rotation", length, "above zero: it is a quaternion"))
        }
    }

    /// The inertia must be symmetric, and each principal moment positive and at most the sum of the
    /// other two, as of every distribution of mass.
    fn properties(&self, properties: &MassProperties) -> Result<(), PhysicsError> {
        let MassProperties { mass_kg, centre_m, inertia_kg_m2: tensor } = properties;
        self.number("mass", *mass_kg, KILOGRAMS)?;
        self.all("centre of mass", centre_m, PLACE)?;
        self.all("inertia", tensor.as_flattened(), INERTIA)?;
        let largest = tensor.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let skew = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| (tensor[i][j] - tensor[j][i]).abs());
        let skew = skew.into_iter().fold(0.0, f64::max);
        if skew > 1e-6 * largest {
            return Err(self.wrong("inertia", skew, "a symmetric tensor"));
        }
        if !(properties.is_possible() && largest > 1e-20) {
            let must = "above zero about two axes at least, and at most the sum of the other two";
            return Err(self.wrong("moment of inertia", largest, must));
        }
        Ok(())
    }

    fn collider(&self, collider: &Collider, may_be_compound: bool) -> Result<(), PhysicsError> {
        match collider {
            Collider::HalfSpace => Ok(()),
            Collider::Box { half_m } => self.all("half edge", half_m, SIZE),
            Collider::Ball { radius_m } => self.number("radius", *radius_m, SIZE),
            Collider::Cylinder { radius_m, half_length_m }
            | Collider::Capsule { radius_m, half_length_m }
            | Collider::Cone { radius_m, half_length_m } => {
                self.number("radius", *radius_m, SIZE)?;
                self.number("half length", *half_length_m, SIZE)
            }
            Collider::Ring { radius_m, tube_m } => {
                self.number("radius", *radius_m, SIZE)?;
                self.number("radius of the tube", *tube_m, SIZE)?;
                if tube_m < radius_m {
                    Ok(())
                } else {
                    Err(self.wrong("radius of the tube", *tube_m, "below that of the ring"))
                }
            }
            Collider::Hull { points_m: points } => {
                self.count("points of a hull", points.len(), MAX_HULL_POINTS)?;
                self.points(points)?;
                let [length, thickness] = length_and_thickness(points);
                // Single precision resolves the volume.
                if length > SIZE.0 && thickness > 1e-4 * length {
                    Ok(())
                } else {
                    Err(self.shape(
                        "the points of its hull lie in one plane (or fewer than four are \
                         different); give points that enclose a volume, or use a box"
                            .into(),
                    ))
                }
            }
            Collider::Mesh { points_m: points, triangles } => {
                self.count("vertices of a mesh", points.len(), MAX_POINTS)?;
                self.count("triangles of a mesh", triangles.len(), MAX_POINTS)?;
                self.points(points)?;
                if triangles.is_empty() {
                    return Err(self.shape("its mesh has no triangles".into()));
                }
                match triangles.iter().flatten().find(|&&v| v as usize >= points.len()) {
                    Some(vertex) => Err(self.shape(format!(
                        "a triangle names vertex {vertex}, but its mesh has {}",
                        points.len()
                    ))),
                    None => Ok(()),
                }
            }
            Collider::Compound { .. } if !may_be_compound => {
                Err(self.shape("a compound within a compound; list all parts in one".into()))
            }
            Collider::Compound { parts } => {
                self.count("parts of a compound", parts.len(), MAX_PARTS)?;
                if parts.is_empty() {
                    return Err(self.shape("its compound has no parts".into()));
                }
                parts.iter().try_for_each(|Part { collider, pose }| {
                    self.all("position of a part", &pose.position_m, PLACE)?;
                    self.rotation(&pose.rotation)?;
                    self.collider(collider, false)
                })
            }
        }
    }

    fn points(&self, points: &[[f64; 3]]) -> Result<(), PhysicsError> {
        points.iter().try_for_each(|point| self.all("coordinate of a point", point, PLACE))
    }
}
