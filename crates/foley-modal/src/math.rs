//! Numerical analysis: Bessel functions, Gauss–Legendre quadrature, root finding.

pub(crate) mod bessel;
pub(crate) mod legendre;
pub(crate) mod root_finding;
