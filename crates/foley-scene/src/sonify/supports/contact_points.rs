//! The points at which a body touches another.
//!
//! A simulation reports one place for a face that lies on another, the mean of its points. The body rests on the corners of
//! its own face ([`resting_points`]), or, where these are beyond the other body, on the edges of that: they are moved into
//! the box around it. Where such points are not in the plane of the contact, as in a bowl, the reported place counts.

use foley_geometry::Pose;
use foley_modal::support::resting_points;
use glam::DVec3;

use super::contacts::RestingContact;

/// Largest distance of a point from the plane of the contact, over the size of the body.
const LEVEL: f64 = 0.02;

/// Returns the points of a body, in its coordinates: `points` are those of its surface, `other_from_body` maps its
/// coordinates to those of the other, whose box is `other_bounds`, if it has an end.
pub(super) fn contact_points(
    points: &[[f64; 3]],
    size_m: f64,
    contact: &RestingContact,
    other_from_body: &Pose,
    other_bounds: Option<[DVec3; 2]>,
) -> Vec<[f64; 3]> {
    let up = DVec3::from(contact.up);
    let floor = points.iter().map(|p| DVec3::from(*p).dot(up)).fold(f64::INFINITY, f64::min);
    // The place may lie below the points: those of a sheet are in its middle.
    if DVec3::from(contact.place).dot(up) > floor + LEVEL * size_m {
        return vec![contact.place];
    }
    let moved = |p: [f64; 3]| {
        let Some([low, high]) = other_bounds else { return p };
        let there = DVec3::from(other_from_body.apply(p)).clamp(low, high);
        let here = DVec3::from(back(other_from_body, there));
        // Along the plane of the contact alone.
        (here - (here - DVec3::from(p)).dot(up) * up).to_array()
    };
    resting_points(points, contact.up).into_iter().map(moved).collect()
}

/// Maps a point back through a pose.
fn back(pose: &Pose, there: DVec3) -> [f64; 3] {
    pose.rotate_back((there - DVec3::from(pose.position_m)).to_array())
}
