//! A device that the program has opened: Foley uses it, leaves it alone, and outlives it.

use crate::common;

use common::program::{Program, program};
use common::{assert_same, drizzle, gpu, simulation};
use foley_gpu::wgpu;
use foley_gpu::{
    Camera, Gpu, GpuError, GpuHail, GpuOptions, GpuOrCpu, PictureRenderer, Slots, TransferMode,
};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// Writes a buffer and reads it back.
fn echo(program: &Program, sent: [u8; 16]) -> Vec<u8> {
    let buffer = |usage| {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let (label, size, mapped_at_creation) = (None, 16, false);
        program.device.create_buffer(&wgpu::BufferDescriptor {
            label,
            size,
            usage,
            mapped_at_creation,
        })
    };
    let from = buffer(wgpu::BufferUsages::COPY_SRC);
    let to = buffer(wgpu::BufferUsages::MAP_READ);
    program.queue.write_buffer(&from, 0, &sent);
    let mut encoder = program.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(&from, 0, &to, 0, 16);
    program.queue.submit([encoder.finish()]);
    to.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
    program.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    to.get_mapped_range(..).unwrap().to_vec()
}

#[test]
fn the_required_limits_suffice_for_impacts_maps_and_pictures() {
    let Some(program) = program("given device", Gpu::required_limits()) else { return };
    let simulation = simulation(drizzle());
    let mut impacts = Vec::new();
    let options = GpuOptions::default().with_from_s(6.0);
    let mut hail = GpuHail::new(program.gpu(), simulation.clone(), options).unwrap();
    hail.advance(6.5, &mut impacts).unwrap();
    assert!(impacts.len() > 5000);
    assert_same(&impacts, &simulation.impacts(6.0, 6.5).unwrap());

    // Pictures and the map equal those of Foley's own device.
    let own = gpu("own device").unwrap();
    let picture = |gpu| {
        let mut hail = GpuHail::new(gpu, simulation.clone(), options).unwrap();
        hail.advance(6.1, &mut Vec::new()).unwrap();
        let mut renderer = PictureRenderer::new(&hail, [160, 120]).unwrap();
        renderer.render(&hail, &Camera::default()).unwrap()
    };
    assert_eq!(picture(program.gpu()), picture(own.clone()));
    let map = |gpu| {
        let transfer = TransferMode::Map { size: [64, 64] };
        let options = options.with_transfer(transfer);
        let (mut hail, mut found) =
            (GpuHail::new(gpu, simulation.clone(), options).unwrap(), Vec::new());
        hail.advance(6.1, &mut found).unwrap();
        found
    };
    let mapped = map(program.gpu());
    assert!(mapped.len() > 500);
    assert_same(&mapped, &map(own));
    assert_eq!(program.errors(), [""; 0]);
}

#[test]
fn the_program_keeps_its_device() {
    let Some(program) = program("kept device", Gpu::required_limits()) else { return };
    let simulation = simulation(drizzle());
    let gpu = program.gpu();
    gpu.on_lost(|why| panic!("{why}"));
    let mut hail = GpuHail::new(gpu, simulation, GpuOptions::default()).unwrap();
    hail.advance(6.0, &mut Vec::new()).unwrap();
    drop(hail);
    assert_eq!(echo(&program, *b"still in service"), b"still in service");
    assert_eq!(program.lost.load(SeqCst), 0);
    assert_eq!(program.errors(), [""; 0]);
    // Its callbacks are in place, too.
    program.device.destroy();
    program.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    assert_eq!(program.lost.load(SeqCst), 1);
}

#[test]
fn a_lost_device_calls_back_and_the_cpu_takes_over() {
    let Some(program) = program("lost device", Gpu::required_limits()) else { return };
    let simulation = simulation(drizzle());
    let options = GpuOptions::default().with_from_s(6.0).with_slots(Slots::None);
    let gpu = program.gpu();
    let (calls, reason) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(String::new())));
    for _ in 0..2 {
        let (calls, reason) = (Arc::clone(&calls), Arc::clone(&reason));
        gpu.on_lost(move |why| {
            calls.fetch_add(1, SeqCst);
            *reason.lock().unwrap() = why.to_owned();
        });
    }
    let mut hail = GpuOrCpu::on_gpu(gpu.clone(), simulation.clone(), options).unwrap();
    let mut impacts = Vec::new();
    for frame in 1..=60 {
        let until_s = 6.0 + f64::from(frame) / 60.0;
        hail.request(until_s + 1.0 / 120.0).unwrap();
        if frame == 31 {
            assert!(hail.gpu().is_some());
            assert_eq!(calls.load(SeqCst), 0);
            program.device.destroy();
        }
        hail.advance(until_s, &mut impacts).unwrap();
    }
    assert!(hail.gpu().is_none() && hail.fallback_reason().is_some());
    assert_same(&impacts, &simulation.impacts(6.0, hail.now_s()).unwrap());
    assert_eq!(calls.load(SeqCst), 2, "each callback once");
    assert!(!reason.lock().unwrap().is_empty());
    assert_eq!(program.lost.load(SeqCst), 1, "the program's own callback");
    assert_eq!(program.errors(), [""; 0]);
    // A callback that comes late is called at once.
    let late = Arc::clone(&calls);
    gpu.on_lost(move |_| {
        late.fetch_add(1, SeqCst);
    });
    assert_eq!(calls.load(SeqCst), 3);
}

#[test]
fn the_program_reports_a_loss() {
    let Some(program) = program("reported loss", Gpu::required_limits()) else { return };
    let simulation = simulation(drizzle());
    let options = GpuOptions::default().with_from_s(6.0);
    let gpu = program.gpu();
    let mut hail = GpuOrCpu::on_gpu(gpu.clone(), simulation.clone(), options).unwrap();
    let mut impacts = Vec::new();
    hail.advance(6.1, &mut impacts).unwrap();
    gpu.report_loss("the driver was updated");
    hail.advance(6.2, &mut impacts).unwrap();
    let reason = hail.fallback_reason().unwrap().to_string();
    assert!(reason.contains("the driver was updated"), "{reason}");
    assert_same(&impacts, &simulation.impacts(6.0, 6.2).unwrap());
}

#[test]
fn a_device_with_too_few_storage_buffers_is_refused() {
    let limits = wgpu::Limits::downlevel_defaults();
    let Some(program) = program("small device", limits) else { return };
    let error = Gpu::from_wgpu(program.device, program.queue).unwrap_err();
    assert!(matches!(error, GpuError::NoDevice { .. }) && error.cpu_can_continue());
    let limit = "max_storage_buffers_per_shader_stage is 4, 6 is needed";
    assert!(error.to_string().contains(limit), "{error}");
}
