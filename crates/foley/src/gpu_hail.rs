//! Hail on a GPU: the impacts of a scene's hail, found by graphics hardware where that pays.

use foley_gpu::{AdapterPreference, Gpu, GpuError, GpuOptions, GpuOrCpu, Slots};
use foley_hail::{ImpactFilter, ImpactSource};
use foley_scene::Scene;
use foley_scene::sonify::ImpactBackend;
use std::sync::Arc;
use std::time::Duration;

/// Least number of stones per second for which a GPU is opened: fewer cost the CPU less than that.
const MIN_PER_SECOND: f64 = 100_000.0;

/// When a GPU is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GpuUse {
    /// A hardware GPU, from 100,000 stones a second.
    #[default]
    Auto,
    /// Always, also a software implementation.
    Always,
    /// Never.
    Never,
}

/// Returns what finds the impacts of a scene's hail. A GPU that does not answer within `timeout`
/// after its start is given up, and the CPU continues.
pub fn hail_backend(
    scene: &Scene,
    usage: GpuUse,
    timeout: Duration,
) -> Result<ImpactBackend, GpuError> {
    let cpu = ImpactBackend::default;
    let Some(hail) = scene.hail else { return Ok(cpu()) };
    let gpu = match usage {
        GpuUse::Never => return Ok(cpu()),
        GpuUse::Auto if hail.per_second < MIN_PER_SECOND => return Ok(cpu()),
        GpuUse::Auto => match Gpu::open(AdapterPreference::Fastest) {
            Ok(gpu) if !gpu.is_software() => gpu,
            _ => return Ok(cpu()),
        },
        GpuUse::Always => Gpu::open(AdapterPreference::Fastest)?,
    };
    Ok(on_gpu(Arc::new(gpu), timeout))
}

/// Returns a backend that finds impacts on a GPU for as long as it answers within `timeout`.
pub fn on_gpu(gpu: Arc<Gpu>, timeout: Duration) -> ImpactBackend {
    ImpactBackend::new(move |simulation| {
        let options = GpuOptions {
            slots: Slots::None,
            filter: ImpactFilter::SoundingOnly,
            ..GpuOptions::default()
        };
        let mut found = GpuOrCpu::on_gpu(Arc::clone(&gpu), Arc::clone(simulation), options)?;
        // Stones already in the air are decided, and the driver's shaders compiled, before the
        // timeout counts.
        let now_s = found.now_s();
        ImpactSource::advance(&mut found, now_s, &mut Vec::new())?;
        found.set_timeout(timeout);
        Ok(Box::new(found))
    })
}
