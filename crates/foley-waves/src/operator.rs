//! Galerkin matrices of the boundary operators: elements, pairs of them, assembly, factorisation.

mod assemble;
mod elements;
mod lu;
mod pair;
mod tile;

pub(crate) use assemble::{Operator, assemble};
pub(crate) use elements::{Element, Elements};
pub(crate) use lu::Lu;
