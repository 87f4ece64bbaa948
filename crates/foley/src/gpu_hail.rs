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
        let options =
            GpuOptions::default().with_slots(Slots::None).with_filter(ImpactFilter::SoundingOnly);
        let mut found = GpuOrCpu::on_gpu(Arc::clone(&gpu), Arc::clone(simulation), options)?;
        // Stones already in the air are decided, and the driver's shaders compiled, before the
        // timeout counts.
        let now_s = found.now_s();
        ImpactSource::advance(&mut found, now_s, &mut Vec::new())?;
        found.set_timeout(timeout);
        Ok(Box::new(found))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_engine::Settings;
    use foley_engine::mock::{Blocks, MockDevice};
    use foley_scene::prepare::ModelCache;
    use foley_scene::sonify::LiveScene;
    use std::time::Instant;

    const DOWNPOUR: &str = r#"
        seconds = 0.5
        full_scale_pa = 300
        [hail]
        per_second = 10000
        from_s = -3
        cloud = { position = [0, 0, 6], size = [0.99, 0.99] }
        [[object]]
        shape = "plate:1000x1000x4mm"
        material = "steel"
        max_modes = 100
        motion = "fixed"
        position = [0, 0, 0.5]
    "#;

    /// Opens the GPU in software. Without one, tests fail, unless `FOLEY_REQUIRE_GPU=0` lets them be
    /// skipped.
    fn software(test: &str) -> Option<Gpu> {
        match Gpu::open(AdapterPreference::Software) {
            Err(GpuError::NoAdapter { why })
                if std::env::var("FOLEY_REQUIRE_GPU").is_ok_and(|value| value == "0") =>
            {
                println!("SKIPPED {test}: {why}");
                None
            }
            opened => Some(opened.unwrap()),
        }
    }

    /// Plays the downpour; `before` is called before each block with the fraction done. Returns the
    /// samples and the name of the backend at the end.
    fn play(backend: &ImpactBackend, mut before: impl FnMut(f64)) -> (Vec<f32>, String) {
        let scene = Arc::new(Scene::parse(DOWNPOUR).unwrap());
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
        let settings = Settings::live(48_000).with_full_scale_pa(300.0).with_budget(None);
        let (mut live, mut renderer) =
            LiveScene::new(&scene, &prepared, settings, backend).unwrap();
        let blocks = Blocks::Random { min: 64, max: 1024, seed: 3 };
        let played = MockDevice::new(blocks).play_with(&mut renderer, 24_000, |_, _| {
            before(live.fraction_done());
            let began = Instant::now();
            live.update().unwrap();
            foley_measured::check!("hail.live_gap", 1e3 * began.elapsed().as_secs_f64());
        });
        assert_eq!((live.dropped(), live.bad_blocks()), (0, 0));
        foley_measured::check!("hail.live_late", live.late() as f64);
        (played.samples, live.hail_backend_name().unwrap())
    }

    #[test]
    fn a_downpour_outlives_its_gpu() {
        let Some(gpu) = software("downpour") else { return };
        let gpu = Arc::new(gpu);
        let backend = on_gpu(Arc::clone(&gpu), Duration::from_millis(50));
        let mut destroyed = false;
        let (played, name) = play(&backend, |done| {
            if done > 0.5 && !std::mem::replace(&mut destroyed, true) {
                gpu.destroy();
            }
        });
        assert!(destroyed && name.starts_with("CPU (") && name.contains("lost"), "{name}");
        let on_cpu = play(&ImpactBackend::default(), |_| ()).0;
        assert_eq!(played.len(), on_cpu.len());
        let differ = played.iter().zip(&on_cpu).filter(|(a, b)| a != b).count();
        foley_measured::check!("hail.live_lost_differ", differ as f64);
    }
}
