//! Galerkin matrices of the boundary operators: elements, pairs of them, assembly, factorisation.

#![expect(
    clippy::needless_range_loop,
    reason = "indices as in the formulas; closures inside vectorised loops would end the vectors"
)]

mod assemble;
mod elements;
mod lu;
mod pair;
mod tile;

pub(crate) use assemble::{Operator, assemble};
pub(crate) use elements::{Element, Elements};
pub(crate) use lu::Lu;
