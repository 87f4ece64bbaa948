//! How a body is held while it is struck.

use super::support_contact::{ContactSpring, Foundation, Support, SupportContact};
use super::{damped, edge_decays, resting_points, support_decays};
use crate::shape::Shape;
use derive_setters::Setters;
use foley_dsp::excitation::ContactError;
use foley_dsp::model::{ModalModel, ModelError};
use foley_geometry::constants::GRAVITY_M_S2;
use foley_geometry::vector::bounds;
use glam::DVec3;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How a body is held while it is struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Held {
    /// Not at all.
    #[default]
    Free,
    /// By a thread near a node of the modes that ring: it adds no damping.
    Hung,
    /// It lies on a wooden table, or on what is beneath it.
    Resting,
    /// By three fingers.
    Hand,
    /// As a plate or pane that is built into a frame, which takes energy at its edges.
    Mounted,
}

/// A body and what is known of it, to be held.
///
/// ```
/// use foley_modal::source::{ModelOptions, ModelSource};
/// use foley_modal::{Held, HeldBody};
/// let steel = ModelOptions::default().with_material("steel");
/// let bar = ModelSource::parse("bar:300x30x8mm")?.load(&steel, None)?.model;
/// let held = Held::Hand.model(&HeldBody::new(&bar))?;
/// assert!(held.decays[0] > bar.decays[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct HeldBody<'a> {
    /// Its modes.
    pub model: &'a ModalModel,
    /// Its shape, where it has one; a mounted body needs it.
    #[setters(into)]
    pub shape: Option<&'a Shape>,
    /// Loss factor of its material, 0 if it is not known.
    pub loss_factor: f64,
    /// Direction against gravity in its coordinates.
    pub up: [f64; 3],
}

impl<'a> HeldBody<'a> {
    /// Returns a body of unknown shape and material that stands upright: gravity is along −z.
    pub fn new(model: &'a ModalModel) -> Self {
        Self { model, shape: None, loss_factor: 0.0, up: [0.0, 0.0, 1.0] }
    }
}

/// Why a body cannot be held like that.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum HeldError {
    /// No such word.
    #[error("`{text}` is no way to hold a body; write free, hung, resting, hand or mounted")]
    Unknown { text: String },
    /// A model from recordings.
    #[error(
        "it is not known how the body moves, as its modes are from recordings: it can only be free or hung"
    )]
    NoMotion,
    /// Not a plate, or one with free edges.
    #[error(
        "{what} cannot be mounted in a frame: only plates and discs whose edges are held can; write a shape such as \
         plate:500x400x4mm,edges=supported, or hold it in another way"
    )]
    NotMounted { what: String },
    /// Invalid contact.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Invalid decays.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// A finger pad, pressed with about half a newton: elastic below 100 Hz and viscous above. Wiertlewski & Hayward,
/// "Mechanical behavior of the fingertip in the range of frequencies and displacements relevant to touch", *J. Biomech.* 45,
/// 1869 (2012): 0.11–0.2 g, 0.75–2.38 N s/m, 0.8–1.54 kN/m, along the skin to 500 Hz; the middle of these ranges, also across the
/// skin and at higher frequencies, where nothing better is known.
const FINGER: Support =
    Support::Lumped { mass_kg: 1.5e-4, damping_kg_s: 1.5, stiffness_n_m: 1.2e3 };

/// How far from its end a body is held, m.
const REACH_M: f64 = 0.03;
/// Distance between fingers side by side, m.
const FINGERS_M: f64 = 0.02;

impl Held {
    /// All, with their names.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("free", Self::Free),
        ("hung", Self::Hung),
        ("resting", Self::Resting),
        ("hand", Self::Hand),
        ("mounted", Self::Mounted),
    ];

    /// Returns the model of a body with the damping of how it is held. Resting, it lies on a wooden table.
    pub fn model(self, body: &HeldBody<'_>) -> Result<ModalModel, HeldError> {
        match self {
            Self::Free | Self::Hung => Ok(body.model.clone()),
            _ => Ok(damped(body.model, self.decays(body)?)?),
        }
    }

    /// Returns the decay rate that it adds to each mode, 1/s.
    pub fn decays(self, body: &HeldBody<'_>) -> Result<Vec<f64>, HeldError> {
        let model = body.model;
        Ok(match self {
            Self::Free | Self::Hung => vec![0.0; model.mode_count()],
            Self::Mounted => {
                let unknown = || HeldError::NotMounted { what: "a body of unknown shape".into() };
                edge_decays(model, body.shape.ok_or_else(unknown)?)?
            }
            _ if model.vibration.is_none() => return Err(HeldError::NoMotion),
            Self::Resting => {
                let on = Foundation::table();
                support_decays(model, &resting_on(model, body.loss_factor, &on, body.up)?)
            }
            Self::Hand => support_decays(model, &pinched(model)),
        })
    }
}

/// Returns the touches of a free body that rests on a foundation; `up` points against gravity in its coordinates. A body whose
/// edges are held does not lie on anything.
pub fn resting_on(
    model: &ModalModel,
    loss_factor: f64,
    foundation: &Foundation,
    up: [f64; 3],
) -> Result<Vec<SupportContact>, HeldError> {
    if model.vibration.as_ref().is_none_or(|vibration| !vibration.free) {
        return Ok(Vec::new());
    }
    let points = resting_points(&model.points, up);
    let load_n = model.body.mass_kg * GRAVITY_M_S2 / points.len().max(1) as f64;
    let spring = ContactSpring::new(&model.body, loss_factor, foundation, load_n)?;
    let contact = |at_m| SupportContact {
        at_m,
        direction: up,
        spring: Some(spring),
        support: foundation.support.clone(),
    };
    Ok(points.into_iter().map(contact).collect())
}

/// Returns the touches of thumb and two fingers, across the thinnest direction of a body and near an end of its longest;
/// each presses along the normal of the surface.
fn pinched(model: &ModalModel) -> Vec<SupportContact> {
    let Some([low, high]) = bounds(model.points.iter().map(|p| (*p).into())) else {
        return Vec::new();
    };
    let size = high - low;
    let mut axes = [0, 1, 2];
    axes.sort_by(|a, b| size[*a].total_cmp(&size[*b]));
    let [thin, _, long] = axes.map(|axis| DVec3::AXES[axis]);
    let half = 0.5 * size[axes[2]];
    let end = 0.5 * (low + high) - long * (half - REACH_M.min(half));
    let across = thin * 0.5 * size[axes[0]];
    let apart = long * (0.5 * FINGERS_M).min(0.5 * half);
    [end + across, end - across - apart, end - across + apart]
        .into_iter()
        .map(|at| SupportContact {
            at_m: at.to_array(),
            direction: model.normal_at(at.to_array()).to_array(),
            spring: None,
            support: FINGER,
        })
        .collect()
}

impl FromStr for Held {
    type Err = HeldError;

    fn from_str(text: &str) -> Result<Self, HeldError> {
        let word = text.trim().to_lowercase();
        let found = Self::NAMES.into_iter().find(|(name, _)| *name == word);
        found.map(|(_, held)| held).ok_or_else(|| HeldError::Unknown { text: text.to_owned() })
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, held)| held == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_read_and_others_are_refused_with_all_of_them() {
        for (name, held) in Held::NAMES {
            assert_eq!(name.to_uppercase().parse(), Ok(held));
            assert_eq!(held.to_string(), name);
        }
        let message = "floating".parse::<Held>().unwrap_err().to_string();
        assert!(message.contains("`floating`"), "{message}");
        assert!(Held::NAMES.iter().all(|(name, _)| message.contains(name)), "{message}");
    }
}
