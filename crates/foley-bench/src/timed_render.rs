//! Timed render: one scene by one synthesis method, with the processor time of each part.
//!
//! The scene is simulated once; each method then renders its events as the product does. Events are
//! handled shortly before they are due; that time is kept apart from the time of the audio thread.

use anyhow::Result;
use foley_dsp::resonator::Kernel;
use foley_engine::{Budget, Listening, Settings, Synthesis};
use foley_scene::sonify::{
    EventSource, HailCounts, ImpactBackend, SceneEvent, SceneRenderer, SonifyStats,
    live_full_scale_pa,
};

use crate::Task;
use crate::many_objects::events_at;
use crate::measurement::median;
use crate::scene::BenchScene;
use foley_engine::cpu_time::{process_cpu_s, thread_cpu_s};

/// Frames a second of a scene whose objects move without a simulation.
const FRAMES_PER_S: f64 = 60.0;

/// A synthesis method with its settings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Method {
    /// Name in tables.
    pub name: String,
    /// Name in files and JSON.
    pub key: String,
    pub synthesis: Synthesis,
    pub kernel: Kernel,
    pub block: usize,
    pub budget: Option<Budget>,
}

impl Method {
    /// Computes every mode.
    pub(crate) fn every_mode(kernel: Kernel) -> Self {
        let (name, key) = match kernel {
            Kernel::PerSample => ("every mode, sample by sample", "samples"),
            _ => ("every mode, in spectral blocks", "blocks"),
        };
        Self { kernel, block: 512, ..Self::new(name, key, Synthesis::Exact) }
    }

    /// Computes audible modes, in blocks of the default length.
    pub(crate) fn new(
        name: impl Into<String>,
        key: impl Into<String>,
        synthesis: Synthesis,
    ) -> Self {
        let (name, key) = (name.into(), key.into());
        let Settings { block, kernel, .. } = Settings::default().audible();
        Self { name, key, synthesis, kernel, block, budget: None }
    }

    /// Foley's perceptual synthesis with default settings.
    pub(crate) fn partials() -> Self {
        Self::new("our partials", "partials", Synthesis::Perceptual(Listening::default()))
    }
}

/// A simulated scene, to be rendered by several methods.
pub(crate) struct SimulatedScene<'a> {
    bench: &'a BenchScene,
    pub events: Vec<SceneEvent>,
    hail: HailCounts,
    /// Processor time of the simulation on all threads, s.
    simulation_s: f64,
    /// Pressure of full scale, Pa: the scene has its loudness.
    pub full_scale_pa: f64,
    /// Lasting contacts of a scene whose objects move without a simulation.
    moving: Option<usize>,
}

/// A rendered scene and its cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimedRender {
    /// In stereo, before the limiter.
    pub samples: Vec<f32>,
    pub seconds: f64,
    /// Modes of all ringing objects, summed over blocks.
    pub modes: u64,
    /// Oscillators computed, summed over blocks.
    pub computed: u64,
    /// Modes dropped by the budget, summed over blocks.
    pub left_out: u64,
    /// The longest time of a block by the budget's clock, µs.
    pub most_used_us: f64,
    /// Times of each step.
    pub steps: Vec<StepTimes>,
    pub stats: SonifyStats,
    /// Emitters in use at the end, and the largest separation of a voice from its own.
    pub emitters: u64,
    pub emitter_separation: f64,
}

/// Times of a step of some frames, s.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StepTimes {
    /// Processor time of the simulation, the same in all steps.
    pub simulation_s: f64,
    /// Processor time of turning events into excitations.
    pub excitation_s: f64,
    /// Processor time of the audio thread.
    pub render_s: f64,
    /// Wall time within it of deciding which modes are audible.
    pub deciding_s: f64,
}

impl StepTimes {
    /// Returns the processor time outside the audio thread.
    pub(crate) fn preparing_s(&self) -> f64 {
        self.simulation_s + self.excitation_s
    }
}

/// Returns the median time of each step over several renders, which rejects disturbances by other
/// programs: they fall on one step of one render.
pub(crate) fn median_times(renders: &[TimedRender], time: impl Fn(&StepTimes) -> f64) -> Vec<f64> {
    let steps = renders.iter().map(|render| render.steps.len()).min().unwrap_or_default();
    let times = |i: usize| renders.iter().map(|render| time(&render.steps[i])).collect::<Vec<_>>();
    (0..steps).map(|i| median(&mut times(i))).collect()
}

/// Returns the sum of [`median_times`] per second of sound.
pub(crate) fn median_load(renders: &[TimedRender], time: impl Fn(&StepTimes) -> f64) -> f64 {
    median_times(renders, time).iter().sum::<f64>() / renders[0].seconds
}

impl<'a> SimulatedScene<'a> {
    pub(crate) fn new(bench: &'a BenchScene) -> Result<Self> {
        let BenchScene { scene, prepared, .. } = bench;
        let full_scale_pa = live_full_scale_pa(scene, prepared, &ImpactBackend::default())?;
        let began = process_cpu_s();
        let mut source = EventSource::new(scene, prepared)?;
        let mut events = Vec::new();
        source.advance_to(scene.seconds, &mut |event| events.push(event))?;
        let (hail, simulation_s) = (source.hail_counts(), process_cpu_s() - began);
        Ok(Self { bench, events, hail, simulation_s, full_scale_pa, moving: None })
    }

    /// Lets all objects move, and some scrape.
    pub(crate) fn moving(self, contacts: usize) -> Self {
        Self { moving: Some(contacts), ..self }
    }

    /// Renders by each method `rounds` times, alternating, so that other load of the machine falls on all.
    /// Keeps the samples of the first round.
    pub(crate) fn render_rounds(
        &self,
        methods: &[Method],
        step: usize,
        rounds: usize,
        task: &dyn Task,
    ) -> Result<Vec<Vec<TimedRender>>> {
        let mut renders = vec![Vec::new(); methods.len()];
        for round in 0..rounds {
            for (method, renders) in methods.iter().zip(&mut renders) {
                let mut render = self.render(method, step)?;
                if round > 0 {
                    render.samples = Vec::new();
                }
                renders.push(render);
                task.advance();
            }
        }
        Ok(renders)
    }

    /// Renders by one method and times every `step` frames, a multiple of the block.
    pub(crate) fn render(&self, method: &Method, step: usize) -> Result<TimedRender> {
        let BenchScene { scene, prepared, .. } = self.bench;
        let defaults = Settings::default();
        let objects = defaults.objects.max(scene.objects.len());
        let settings = defaults
            .with_block(method.block)
            .with_objects(objects)
            .with_kernel(method.kernel)
            .with_synthesis(method.synthesis)
            .with_budget(method.budget)
            .with_full_scale_pa(self.full_scale_pa)
            .with_measure_decision_time(true);
        let rate = f64::from(settings.sample_rate_hz);
        let mut renderer = SceneRenderer::new(scene, prepared, settings, &self.events)?;
        let mut timed = TimedRender { seconds: scene.seconds, ..TimedRender::default() };
        let mut samples = vec![0.0; 2 * renderer.frames()];
        let simulation_s = self.simulation_s / renderer.frames().div_ceil(step) as f64;
        for (i, part) in samples.chunks_mut(2 * step).enumerate() {
            // The last frame of the scene before the end of this step, unless it is over already.
            let frame = |i: usize| (FRAMES_PER_S * (i * step) as f64 / rate).floor();
            let is_new = i == 0 || frame(i + 1) > frame(i);
            let moves = self.moving.filter(|_| is_new).map(|contacts| {
                events_at(scene, contacts, frame(i + 1) / FRAMES_PER_S).collect::<Vec<_>>()
            });
            let began = thread_cpu_s();
            for event in moves.iter().flatten() {
                renderer.handle(event)?;
            }
            renderer.handle_before(((i + 1) * step) as f64 / rate)?;
            let handled = thread_cpu_s();
            let deciding_s = timed.render_step(&mut renderer, method.block, part);
            let (excitation_s, render_s) = (handled - began, thread_cpu_s() - handled);
            timed.steps.push(StepTimes { simulation_s, excitation_s, render_s, deciding_s });
        }
        timed.samples = samples;
        (timed.emitters, timed.emitter_separation) = renderer.emitters();
        timed.stats = renderer.stats().with_hail(self.hail);
        Ok(timed)
    }
}

impl TimedRender {
    /// Returns oscillators computed, as a share of all modes.
    pub(crate) fn share(&self) -> f64 {
        self.computed as f64 / self.modes.max(1) as f64
    }

    /// Renders a step block by block; returns the time of deciding, s.
    fn render_step(
        &mut self,
        renderer: &mut SceneRenderer<'_>,
        block: usize,
        part: &mut [f32],
    ) -> f64 {
        let mut deciding_s = 0.0;
        for block in part.chunks_mut(2 * block) {
            let report = renderer.render_block(block);
            self.modes += report.modes;
            self.computed += report.computed;
            self.left_out += report.left_out;
            deciding_s += report.deciding_ns as f64 * 1e-9;
            self.most_used_us = self.most_used_us.max(report.used_ns as f64 * 1e-3);
        }
        deciding_s
    }
}
