//! Shortcuts to modes.

use foley_dsp::model::ModalModel;
use foley_modal::{Material, Shape, ShapeOptions};

use crate::Error;

/// Returns the model of a shape of a material, with default options.
///
/// ```
/// let bar = foley::model("bar:300x30x8mm", "steel")?;
/// // The first bending mode of a free steel bar, 8 mm thick and 300 mm long.
/// assert!((bar.frequencies_hz[0] - 466.0).abs() < 10.0);
/// # Ok::<(), foley::Error>(())
/// ```
pub fn model(shape: &str, material: &str) -> Result<ModalModel, Error> {
    let shape: Shape = shape.parse()?;
    Ok(shape.model(Material::named(material)?, &ShapeOptions::default())?)
}
