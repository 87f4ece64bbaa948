//! A program that opens the device itself.

use super::gpu;
use foley_gpu::{Gpu, wgpu};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// A program with a device and callbacks of its own.
pub(crate) struct Program {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) lost: Arc<AtomicUsize>,
    pub(crate) errors: Arc<Mutex<Vec<String>>>,
}

/// Opens the software rasteriser with the given limits, where there is one (see [`super::gpu`]).
pub(crate) fn program(test: &str, required_limits: wgpu::Limits) -> Option<Program> {
    gpu(test)?;
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
        force_fallback_adapter: true,
        ..Default::default()
    }))
    .unwrap();
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: Gpu::required_features(),
        required_limits,
        ..Default::default()
    }))
    .unwrap();
    let (lost, errors) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let on_lost = Arc::clone(&lost);
    device.set_device_lost_callback(move |_, _| {
        on_lost.fetch_add(1, SeqCst);
    });
    let on_error = Arc::clone(&errors);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        on_error.lock().unwrap().push(error.to_string());
    }));
    Some(Program { device, queue, lost, errors })
}

impl Program {
    pub(crate) fn gpu(&self) -> Arc<Gpu> {
        Arc::new(Gpu::from_wgpu(self.device.clone(), self.queue.clone()).unwrap())
    }

    pub(crate) fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap().clone()
    }
}
