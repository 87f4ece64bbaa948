//! Whether the GPU finds where hail strikes.

use anyhow::{Context, Result};
use foley_gpu::{AdapterPreference, Gpu, GpuOptions, GpuOrCpu, Slots};
use foley_hail::{ImpactFilter, ImpactSource};
use foley_scene::Scene;
use foley_scene::sonify::ImpactBackend;
use std::sync::Arc;
use std::time::Duration;

/// From so many stones a second on a GPU is looked for: fewer cost the CPU less than opening one.
const MANY_PER_S: f64 = 100_000.0;

/// Who finds where hail strikes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// Where there is one, from 100,000 stones a second on
    #[default]
    Auto,
    /// Always, even one in software
    On,
    /// Never
    Off,
}

#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct GpuArgs {
    /// Let the GPU find where hail strikes; the sound is the same
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    gpu: When,
}

impl GpuArgs {
    /// Who finds the impacts of a scene. A GPU that does not answer within `patience` once it has begun is
    /// given up, and the CPU goes on.
    pub(crate) fn hail_backend(self, scene: &Scene, patience: Duration) -> Result<ImpactBackend> {
        let Some(hail) = scene.hail else { return Ok(ImpactBackend::default()) };
        let gpu = match self.gpu {
            When::Off => return Ok(ImpactBackend::default()),
            When::Auto if hail.per_second < MANY_PER_S => return Ok(ImpactBackend::default()),
            When::Auto => match Gpu::open(AdapterPreference::Fastest) {
                Ok(gpu) if !gpu.is_software() => gpu,
                _ => return Ok(ImpactBackend::default()),
            },
            When::On => Gpu::open(AdapterPreference::Fastest)
                .context("`--gpu on`; `--gpu off` needs none")?,
        };
        Ok(on(Arc::new(gpu), patience))
    }
}

/// Impacts are found by a GPU for as long as it answers within a time, once it has begun.
pub(crate) fn on(gpu: Arc<Gpu>, patience: Duration) -> ImpactBackend {
    ImpactBackend::new(move |simulation| {
        let options = GpuOptions {
            slots: Slots::None,
            filter: ImpactFilter::SoundingOnly,
            ..GpuOptions::default()
        };
        let mut found = GpuOrCpu::on_gpu(Arc::clone(&gpu), Arc::clone(simulation), options)?;
        // Stones that are in the air already are decided, and the driver has made its programs, before
        // anybody is in a hurry.
        let now_s = found.now_s();
        ImpactSource::advance(&mut found, now_s, &mut Vec::new())?;
        found.set_timeout(patience);
        Ok(Box::new(found))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley::Settings;
    use foley::mock::{Blocks, MockDevice};
    use foley_gpu::GpuError;
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

    /// Longest time that an update may take, even while the GPU is lost.
    const GAP: Duration = Duration::from_millis(100);

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
        let settings = Settings { full_scale_pa: 300.0, budget: None, ..Settings::live(48_000) };
        let (mut live, mut panner) = LiveScene::new(&scene, &prepared, settings, backend).unwrap();
        let blocks = Blocks::Random { min: 64, max: 1024, seed: 3 };
        let played = MockDevice::new(blocks).play_with(&mut panner, 24_000, |_, _| {
            before(live.fraction_done());
            let began = Instant::now();
            live.update().unwrap();
            assert!(began.elapsed() < GAP, "{:?}", began.elapsed());
        });
        assert_eq!((live.late(), live.dropped(), live.bad_blocks()), (0, 0, 0));
        (played.samples, live.hail_backend_name().unwrap())
    }

    #[test]
    fn a_downpour_outlives_its_gpu() {
        let Some(gpu) = software("downpour") else { return };
        let gpu = Arc::new(gpu);
        let backend = on(Arc::clone(&gpu), Duration::from_millis(50));
        let mut destroyed = false;
        let (played, name) = play(&backend, |done| {
            if done > 0.5 && !std::mem::replace(&mut destroyed, true) {
                gpu.destroy();
            }
        });
        assert!(destroyed && name.starts_with("CPU (") && name.contains("lost"), "{name}");
        assert_eq!(played, play(&ImpactBackend::default(), |_| ()).0);
    }
}
