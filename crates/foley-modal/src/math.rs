//! The little numerical analysis that the shapes share.

pub(crate) mod bessel;
pub(crate) mod legendre;
pub(crate) mod root;
