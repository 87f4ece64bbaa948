//! The GPU: opened once, watched for loss, asked for memory without panics.

pub(crate) mod kernel;
pub(crate) mod offscreen;
pub(crate) mod readback;

use crate::GpuError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Which GPU to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdapterPreference {
    /// The fastest there is.
    #[default]
    Fastest,
    /// One in software, for tests that must be the same everywhere.
    Software,
}

/// An open GPU.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    name: String,
    software: bool,
    trouble: Trouble,
}

/// The first thing that went wrong, told by callbacks.
#[derive(Clone, Debug, Default)]
struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    fn tell(&self, why: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    }

    fn told(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Gpu {
    /// Opens a GPU without a window.
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
        let trouble = Trouble::default();
        let lost = trouble.clone();
        device.set_device_lost_callback(move |reason, why| lost.tell(format!("{reason:?} {why}")));
        let wrong = trouble.clone();
        device
            .on_uncaptured_error(Arc::new(move |error: wgpu::Error| wrong.tell(error.to_string())));
        let software = info.device_type == wgpu::DeviceType::Cpu;
        Ok(Self { device, queue, name, software, trouble })
    }

    /// Its name and the interface it is reached by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is no hardware.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Gives the GPU up, as if it had been pulled out: whatever uses it learns that it is lost.
    pub fn destroy(&self) {
        self.device.destroy();
        self.trouble.tell("it was given up".into());
    }

    /// An error if anything went wrong since it was opened.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        match self.trouble.told() {
            None => Ok(()),
            Some(why) => Err(GpuError::Lost { why }),
        }
    }

    /// An error that lasts: what comes from this GPU is not to be trusted any more.
    pub(crate) fn distrust(&self, why: &str) -> GpuError {
        self.trouble.tell(why.into());
        GpuError::Lost { why: why.into() }
    }

    /// Runs what may ask for too much memory or be refused: an error then, and no panic.
    pub(crate) fn guarded<T>(&self, make: impl FnOnce(&wgpu::Device) -> T) -> Result<T, GpuError> {
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

    /// Memory of so many bytes, at least 16.
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
        let most = limits.max_buffer_size.min(bound);
        let size = bytes.max(16).next_multiple_of(16);
        if size > most {
            let remedy = "make the scene simpler or the picture smaller, or let fewer stones fall";
            return Err(GpuError::TooLarge { what, bytes: size, most, remedy });
        }
        let label = Some(what);
        self.guarded(|device| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label,
                size,
                usage,
                mapped_at_creation: false,
            })
        })
    }

    /// Memory with contents.
    pub(crate) fn filled(
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

    /// Lets callbacks come that are due; never waits.
    pub(crate) fn look(&self) -> Result<(), GpuError> {
        self.poll(wgpu::PollType::Poll)
    }

    /// Waits until `done`, or no longer than patience.
    pub(crate) fn wait(&self, timeout: Duration, done: impl Fn() -> bool) -> Result<(), GpuError> {
        let begin = Instant::now();
        while !done() {
            let left = timeout.saturating_sub(begin.elapsed());
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
