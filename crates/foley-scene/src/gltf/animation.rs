//! Nodes that animations move, as the paths of objects.

use super::axes::{linear, upright};
use crate::diagnostics::Span;
use crate::read::value::{Data, Table};
use crate::schema::keys::keyframe;
use crate::write;
use foley_geometry::mesh::{GltfKeyframe, GltfNode};

/// How much of its size a thing may change while it moves and still be called rigid.
const RIGID: f64 = 1e-3;

/// The keyframes of `motion`, as a TOML file would list them; or why there are none.
pub(super) fn keyframes(
    node: &GltfNode,
    places: &[GltfKeyframe],
    span: &Span,
) -> Result<Data, &'static str> {
    let stretched = "its scale changes while it moves, and what sounds is rigid; \
                     remove that from the animation, or apply the scale and export it again";
    let rest = linear(node.scene_from_node).ok_or(stretched)?;
    let size = rest.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let mut keys = Vec::with_capacity(places.len());
    for place in places {
        let now = linear(place.scene_from_node).ok_or(stretched)?;
        let apart = now.iter().flatten().zip(rest.iter().flatten()).map(|(a, b)| (a - b).abs());
        if !(apart.fold(0.0, f64::max) <= RIGID * size) {
            return Err(stretched);
        }
        let pose = upright(place.scene_from_node).ok_or("it flies away to infinity")?;
        let mut key = Table::new(span.clone());
        key.put(keyframe::AT_S.name, Data::Float(place.at_s));
        key.put_numbers(keyframe::POSITION_M.name, &pose.position_m);
        key.put_numbers(keyframe::ROTATION.name, &pose.rotation);
        keys.push(Data::Table(key));
    }
    Ok(write::list(keys.into_iter(), span))
}
