//! Quadrature: Gauss–Legendre nodes, rules of a triangle, rules of two triangles that touch.

mod gauss_legendre;
mod singular;
mod triangle;

pub(crate) use gauss_legendre::{gauss_legendre, gauss_legendre_unit};
pub(crate) use singular::{PairPoint, PairRules};
pub(crate) use triangle::{SIX_POINTS, THREE_POINTS};
