//! Asynchronous readback of GPU buffers.

use crate::{Gpu, GpuError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const PENDING: u8 = 0;
const READY: u8 = 1;
const FAILED: u8 = 2;

/// A pending copy from the GPU to the host.
#[derive(Debug)]
pub(crate) struct Readback {
    buffer: wgpu::Buffer,
    bytes: u64,
    state: Arc<AtomicU8>,
}

impl Readback {
    /// Creates a staging buffer to copy into.
    pub(crate) fn staging_buffer(gpu: &Gpu, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        gpu.buffer("results to be read back", bytes, usage)
    }

    /// Maps the first `bytes` of a staging buffer that submitted commands copy into.
    pub(crate) fn map(gpu: &Gpu, buffer: wgpu::Buffer, bytes: u64) -> Result<Self, GpuError> {
        let state = Arc::new(AtomicU8::new(PENDING));
        let on_mapped = Arc::clone(&state);
        let mapping = gpu.with_error_scopes(|_| {
            buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |result| {
                on_mapped.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
            });
        });
        mapping.map_err(|error| gpu.mark_lost(&error.to_string()))?;
        Ok(Self { buffer, bytes, state })
    }

    /// Returns whether the copy has finished or failed.
    pub(crate) fn ready(&self) -> bool {
        self.state.load(Ordering::Acquire) != PENDING
    }

    /// Reads the data, and returns the staging buffer for reuse.
    pub(crate) fn read<T>(
        self,
        gpu: &Gpu,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<(T, wgpu::Buffer), GpuError> {
        gpu.check()?;
        if self.state.load(Ordering::Acquire) != READY {
            return Err(gpu.mark_lost("the readback failed"));
        }
        let view = self.buffer.get_mapped_range(0..self.bytes);
        let view = view.map_err(|error| gpu.mark_lost(&error.to_string()))?;
        let result = read(&view);
        drop(view);
        gpu.with_error_scopes(|_| self.buffer.unmap())?;
        Ok((result, self.buffer))
    }
}
