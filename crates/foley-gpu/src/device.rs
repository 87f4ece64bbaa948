//! The GPU device: opened once, monitored for loss, with allocations that return errors instead of panicking.

pub(crate) mod kernel;
pub(crate) mod offscreen;
pub(crate) mod readback;
mod fault;
mod requirements;

use crate::GpuError;
use fault::Fault;
use std::sync::Arc;
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
        let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("hail"),
            required_features: Self::required_features(),
            required_limits: adapter.limits(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        }));
        let (device, queue) = opened.map_err(|error| GpuError::NoDevice {
            adapter: name(&adapter.get_info()),
            why: error.to_string(),
        })?;
        let gpu = Self::from_wgpu(device, queue)?;
        let on_lost = gpu.fault.clone();
        gpu.device.set_device_lost_callback(move |reason, why| {
            on_lost.record(format!("{reason:?} {why}"))
        });
        let on_error = gpu.fault.clone();
        gpu.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            on_error.record(error.to_string())
        }));
        Ok(gpu)
    }

    /// Uses a device that the program has opened, for instance a game engine's.
    ///
    /// It needs [`Gpu::required_features`] and [`Gpu::required_limits`]. The device stays the program's:
    /// dropping the `Gpu` releases its handles only, and no callback of the device is replaced. A loss is
    /// noticed when Foley next uses the device; to have it noticed at once, call [`Gpu::report_loss`] from
    /// the program's own device-lost callback. Errors of Foley's own commands go to error scopes and not to
    /// the program's handler of uncaptured errors. Functions that block poll the device: callbacks of the
    /// program's commands may run on their thread.
    ///
    /// ```no_run
    /// # fn example(adapter: &wgpu::Adapter) -> Result<(), Box<dyn std::error::Error>> {
    /// use foley_gpu::{Gpu, wgpu};
    /// let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
    ///     required_features: Gpu::required_features(),
    ///     required_limits: Gpu::required_limits(),
    ///     ..Default::default()
    /// }))?;
    /// let gpu = Gpu::from_wgpu(device.clone(), queue.clone())?;
    /// gpu.on_lost(|why| eprintln!("hail continues on the CPU: {why}"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_wgpu(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self, GpuError> {
        let info = device.adapter_info();
        let name = name(&info);
        requirements::check(&device, &name)?;
        let software = info.device_type == wgpu::DeviceType::Cpu;
        Ok(Self { device, queue, name, software, fault: Fault::default() })
    }

    /// Calls `callback` once with the reason when the device is lost or fails: now, if it already has.
    /// May be called several times; every callback is called, on the thread that noticed the loss.
    pub fn on_lost(&self, callback: impl FnOnce(&str) + Send + 'static) {
        self.fault.on_lost(Box::new(callback));
    }

    /// Records that the device is lost: every user gets [`GpuError::Lost`], and hail continues on the CPU.
    /// For the device-lost callback of a program that gave its device to [`Gpu::from_wgpu`].
    pub fn report_loss(&self, why: &str) {
        self.fault.record(why.to_owned());
    }

    /// Returns its name and its graphics API.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether it is a software rasteriser.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Destroys the device, also one that the program opened: every user gets [`GpuError::Lost`].
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

    /// Records a permanent fault: results of this GPU are not used any more. Returns the first one.
    pub(crate) fn mark_lost(&self, why: &str) -> GpuError {
        self.fault.record(why.into());
        GpuError::Lost { why: self.fault.get().unwrap_or_else(|| why.into()) }
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
        self.with_error_scopes(|_| self.queue.write_buffer(&buffer, 0, bytes))?;
        Ok(buffer)
    }

    /// Records a write to a buffer. Unlike `Queue::write_buffer`, which precedes all commands of the next
    /// submission, it is in order with the commands around it: an encoder may contain several frames.
    /// An error is a permanent fault.
    pub(crate) fn encode_write(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        bytes: &[u8],
    ) -> Result<(), GpuError> {
        let size = bytes.len() as u64;
        let staged = self.with_error_scopes(|device| {
            let staging = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("staged write"),
                size,
                usage: wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: true,
            });
            staging.get_mapped_range_mut(..)?.copy_from_slice(bytes);
            staging.unmap();
            Ok::<_, wgpu::MapRangeError>(staging)
        });
        let lost = |error: &dyn std::error::Error| self.mark_lost(&error.to_string());
        let staging = staged.map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
        encoder.copy_buffer_to_buffer(&staging, 0, buffer, 0, size);
        Ok(())
    }

    /// Encodes commands and submits them. An error is a permanent fault.
    pub(crate) fn submit<T>(
        &self,
        encode: impl FnOnce(&mut wgpu::CommandEncoder) -> T,
    ) -> Result<T, GpuError> {
        let submitted = self.with_error_scopes(|device| {
            let mut encoder = device.create_command_encoder(&Default::default());
            let encoded = encode(&mut encoder);
            self.queue.submit([encoder.finish()]);
            encoded
        });
        let encoded = submitted.map_err(|error| self.mark_lost(&error.to_string()))?;
        self.check()?;
        Ok(encoded)
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

/// Returns the name of an adapter and its graphics API.
fn name(info: &wgpu::AdapterInfo) -> String {
    format!("{} ({:?})", info.name, info.backend)
}
