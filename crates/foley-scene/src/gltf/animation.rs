//! Animated nodes as keyframes of kinematic objects.

use super::axes::{largest, z_up_pose, z_up_stretch};
use crate::diagnostics::Span;
use crate::read::value::{Data, Table};
use crate::schema::keys::keyframe;
use crate::write;
use foley_geometry::mesh::{GltfKeyframe, GltfNode};

/// Largest change of a rigid body's stretch, relative to its largest element.
const RIGIDITY_TOLERANCE: f64 = 1e-3;

/// Returns the keyframes of `motion` as a TOML file would list them, or the problem.
pub(super) fn keyframes(
    node: &GltfNode,
    keyframes: &[GltfKeyframe],
    span: &Span,
) -> Result<Data, &'static str> {
    let not_rigid = "its animation changes its scale, but objects are rigid; remove the scale \
                     from the animation, or apply it and export the file again";
    let initial = z_up_stretch(node.scene_from_node).ok_or(not_rigid)?;
    let size = largest(initial);
    let mut keys = Vec::with_capacity(keyframes.len());
    for keyframe in keyframes {
        let stretch = z_up_stretch(keyframe.scene_from_node).ok_or(not_rigid)?;
        if !(largest(stretch - initial) <= RIGIDITY_TOLERANCE * size) {
            return Err(not_rigid);
        }
        let pose = z_up_pose(keyframe.scene_from_node).ok_or("its position is not finite")?;
        let mut key = Table::new(span.clone());
        key.put(keyframe::AT_S.name, Data::Float(keyframe.at_s));
        key.put_numbers(keyframe::POSITION_M.name, &pose.position_m);
        key.put_numbers(keyframe::ROTATION.name, &pose.rotation);
        keys.push(Data::Table(key));
    }
    Ok(write::list(keys.into_iter(), span))
}
