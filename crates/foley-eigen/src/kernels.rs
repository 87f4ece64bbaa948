//! Kernels of linear algebra on blocks of vectors.

pub(crate) mod simd;
pub(crate) mod block_vector;
pub(crate) mod spmv;
