//! The GPU device: opened once, monitored for loss, with allocations that return errors instead of panicking.

pub(crate) mod kernel;
pub(crate) mod offscreen;
pub(crate) mod readback;

use crate::GpuError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Which adapter to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdapterPreference {
    /// The fastest one.
    #[default]
    Fastest,
    /// A software rasteriser, for tests with the same result everywhere.
    Software,
}

/// An open GPU device.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    name: String,
    software: bool,
    fault: Fault,
}

/// The first error that a callback reported.
#[derive(Clone, Debug, Default)]
struct Fault(Arc<Mutex<Option<String>>>);

impl Fault {
    fn record(&self, why: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    }

    fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Gpu {
    /// Opens a GPU for off-screen use.
    pub fn open(choice: AdapterPreference) -> Result<Self, GpuError> {
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            force_fallback_adapter: choice == AdapterPreference::Software,
            ..Default::default()
        }))
        .map_err(|error| GpuError::NoAdapter { why: error.to_string() })?;
        let info = adapter.get_info();
        let name = format!("{} ({:?})", info.name, info.backend);
        let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("hail"),
            required_limits: adapter.limits(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        }));
        let (device, queue) = opened.map_err(|error| GpuError::NoDevice {
            adapter: name.clone(),
            why: error.to_string(),
        })?;
        let fault = Fault::default();
        let on_lost = fault.clone();
        device.set_device_lost_callback(move |reason, why| {
            on_lost.record(format!("{reason:?} {why}"))
        });
        let on_error = fault.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            on_error.record(error.to_string())
        }));
        let software = info.device_type == wgpu::DeviceType::Cpu;
        Ok(Self { device, queue, name, software, fault })
    }

    /// Returns its name and its graphics API.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether it is a software rasteriser.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Destroys the device: every user gets [`GpuError::Lost`].
    pub fn destroy(&self) {
        self.device.destroy();
        self.fault.record("it was destroyed".into());
    }

    /// Returns an error if a fault was recorded since the device was opened.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        match self.fault.get() {
            None => Ok(()),
            Some(why) => Err(GpuError::Lost { why }),
        }
    }

    /// Records a permanent fault: results of this GPU are not used any more.
    pub(crate) fn mark_lost(&self, why: &str) -> GpuError {
        self.fault.record(why.into());
        GpuError::Lost { why: why.into() }
    }

    /// Runs `make` inside error scopes: out-of-memory, validation and internal errors are returned.
    pub(crate) fn with_error_scopes<T>(
        &self,
        make: impl FnOnce(&wgpu::Device) -> T,
    ) -> Result<T, GpuError> {
        self.check()?;
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let refused = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let made = make(&self.device);
        let errors = [internal, refused, memory].map(|scope| pollster::block_on(scope.pop()));
        match errors.into_iter().flatten().next() {
            None => Ok(made),
            Some(error) => {
                Err(GpuError::NoDevice { adapter: self.name.clone(), why: error.to_string() })
            }
        }
    }

    /// Creates a buffer; its size is rounded up to a multiple of 16 bytes.
    pub(crate) fn buffer(
        &self,
        what: &'static str,
        bytes: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        let limits = self.device.limits();
        let bound = match usage.contains(wgpu::BufferUsages::STORAGE) {
            true => limits.max_storage_buffer_binding_size,
            false => u64::MAX,
        };
        let limit = limits.max_buffer_size.min(bound);
        let size = bytes.max(16).next_multiple_of(16);
        if size > limit {
            let remedy =
                "simplify the scene, make the picture smaller, or reduce the rate of stones";
            return Err(GpuError::TooLarge { what, bytes: size, limit, remedy });
        }
        let label = Some(what);
        self.with_error_scopes(|device| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label,
                size,
                usage,
                mapped_at_creation: false,
            })
        })
    }

    /// Creates a buffer with content.
    pub(crate) fn buffer_with_data(
        &self,
        what: &'static str,
        bytes: &[u8],
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let buffer = self.buffer(what, bytes.len() as u64, usage)?;
        self.queue.write_buffer(&buffer, 0, bytes);
        Ok(buffer)
    }

    /// Runs pending callbacks without blocking.
    pub(crate) fn poll_callbacks(&self) -> Result<(), GpuError> {
        self.poll(wgpu::PollType::Poll)
    }

    /// Blocks until `done` returns true; an error after `timeout`.
    pub(crate) fn wait(&self, timeout: Duration, done: impl Fn() -> bool) -> Result<(), GpuError> {
        let start = Instant::now();
        while !done() {
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(GpuError::Lost { why: format!("no answer within {timeout:?}") });
            }
            self.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(left) })?;
            self.check()?;
        }
        Ok(())
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), GpuError> {
        match self.device.poll(how) {
            Ok(_) | Err(wgpu::PollError::Timeout) => Ok(()),
            Err(error) => Err(GpuError::Lost { why: error.to_string() }),
        }
    }
}
