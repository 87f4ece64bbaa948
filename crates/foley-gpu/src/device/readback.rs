//! Memory that comes back from the GPU, without anyone waiting for it.

use crate::{Gpu, GpuError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const UNDER_WAY: u8 = 0;
const HERE: u8 = 1;
const FAILED: u8 = 2;

/// A copy on its way to the host.
#[derive(Debug)]
pub(crate) struct Readback {
    buffer: wgpu::Buffer,
    bytes: u64,
    state: Arc<AtomicU8>,
}

impl Readback {
    /// Memory to copy into.
    pub(crate) fn memory(gpu: &Gpu, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        gpu.buffer("results on their way back", bytes, usage)
    }

    /// Asks for the first `bytes` of memory that submitted commands copy into.
    pub(crate) fn ask(buffer: wgpu::Buffer, bytes: u64) -> Self {
        let state = Arc::new(AtomicU8::new(UNDER_WAY));
        let told = Arc::clone(&state);
        buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |result| {
            told.store(if result.is_ok() { HERE } else { FAILED }, Ordering::Release);
        });
        Self { buffer, bytes, state }
    }

    /// Whether nothing is to be waited for any more.
    pub(crate) fn ready(&self) -> bool {
        self.state.load(Ordering::Acquire) != UNDER_WAY
    }

    /// Reads what came, and gives the memory back for the next.
    pub(crate) fn take<T>(
        self,
        gpu: &Gpu,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<(T, wgpu::Buffer), GpuError> {
        gpu.check()?;
        if self.state.load(Ordering::Acquire) != HERE {
            return Err(gpu.distrust("results did not come back"));
        }
        let view = self.buffer.get_mapped_range(0..self.bytes);
        let view = view.map_err(|error| gpu.distrust(&error.to_string()))?;
        let result = read(&view);
        drop(view);
        self.buffer.unmap();
        Ok((result, self.buffer))
    }
}
