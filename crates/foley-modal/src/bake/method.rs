//! Chooses the discretisation method (shell or solid) and the wall thickness.

use super::{BakeError, Method, Options};
use foley_geometry::mesh::{Measures, Mesh, Units, WallProbe, WallThickness};

/// The chosen method and its reason.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) method: Method,
    pub(super) reason: String,
    /// Wall thickness; `None` for a solid.
    pub(super) thickness_m: Option<f64>,
    /// Whether the mesh has both sides of a wall, so that elements lie on its midsurface.
    pub(super) two_sided: bool,
    pub(super) notes: Vec<String>,
}

/// Thickness of an open mesh as a part of its size, when none is given: an order of magnitude,
/// reported in a note.
const DEFAULT_THICKNESS: f64 = 0.01;

pub(super) fn plan(
    mesh: &Mesh,
    facts: &Measures,
    options: &Options<'_>,
) -> Result<Plan, BakeError> {
    if let Some(thickness_m) = options.thickness_m.filter(|given| *given > facts.size_m) {
        let (size_m, likely) = (facts.size_m, smaller_unit(thickness_m, facts.size_m));
        return Err(BakeError::TooThick { thickness_m, size_m, likely });
    }
    if matches!(options.method, Method::Shell | Method::SpringMass) {
        // Checked first: measuring a huge mesh would already be slow. A wall may have two sides.
        let sides = if facts.closed { 2 } else { 1 };
        super::solve::check_size(mesh.vertices.len() / sides, options)?;
    }
    let walls = match facts.closed {
        true => WallProbe::new(mesh)?.thickness(),
        false => None,
    };
    let thin = walls.filter(|wall| wall.thin_walled);
    let (method, reason) = match (options.method, facts.closed, thin) {
        (Method::Auto, false, _) => {
            let edges = facts.open_edges;
            (Method::Shell, format!("the mesh is open ({edges} free edges): a thin wall"))
        }
        (Method::Auto, true, Some(WallThickness { median_m, span_m, .. })) => (
            Method::Shell,
            format!("the walls are {} thick on {} of sheet", length(median_m), length(span_m)),
        ),
        (Method::Auto, true, None) => {
            (Method::Solid, "the mesh is closed and its inside is not thin".to_owned())
        }
        (asked, ..) => (asked, "as asked for".to_owned()),
    };
    let mut plan = Plan { method, reason, thickness_m: None, two_sided: false, notes: Vec::new() };
    if method == Method::Solid {
        if options.thickness_m.is_some() {
            plan.notes.push(
                "the thickness of the wall is not used: the mesh is taken as a solid".to_owned(),
            );
        }
        return Ok(plan);
    }
    plan.two_sided = thin.is_some();
    plan.thickness_m = Some(match (options.thickness_m, thin) {
        (Some(given), _) => given,
        (None, Some(wall)) => wall.median_m,
        (None, None) => {
            let guess = DEFAULT_THICKNESS * facts.size_m;
            plan.notes.push(format!(
                "no thickness given: taken as 1 % of the size, {}; give the wall's thickness",
                length(guess)
            ));
            guess
        }
    });
    Ok(plan)
}

/// Returns a length whose number was likely meant in a smaller unit than metres, in that unit: at most a tenth
/// of the size is a wall.
fn smaller_unit(thickness_m: f64, size_m: f64) -> Option<String> {
    let is_wall = |unit: &Units| thickness_m * unit.metres() <= 0.1 * size_m;
    let unit = [Units::Centimetres, Units::Millimetres].into_iter().rev().find(is_wall)?;
    let (symbol, _) = Units::NAMES.into_iter().find(|(_, known)| *known == unit)?;
    Some(format!("{thickness_m} {symbol}"))
}

/// Formats a length in a suitable unit.
pub(super) fn length(metres: f64) -> String {
    match metres {
        m if m < 1e-5 => format!("{m:.2e} m"),
        m if m < 1.0 => format!("{:.2} mm", m * 1e3),
        m => format!("{m:.2} m"),
    }
}
