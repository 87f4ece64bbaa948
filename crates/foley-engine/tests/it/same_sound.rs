//! The sound of a scene does not depend on how it is asked for.

use crate::common;

use common::{scene, snr_db};
use foley_dsp::output::OutputSettings;
use foley_dsp::resonator::Kernel;
use foley_dsp::simd::Cpu;
use foley_engine::Source;
use foley_engine::mock::{Blocks, MockDevice};
use foley_engine::{Budget, Listening, Offline, Settings, Synthesis};

const FRAMES: u64 = 24_000;

fn played(settings: Settings, blocks: Blocks) -> Vec<f32> {
    let (mut _engine, mut renderer, _) = scene(settings);
    MockDevice::new(blocks).play(&mut renderer, FRAMES).samples
}

fn offline(settings: Settings) -> Vec<f32> {
    let (engine, renderer, _) = scene(settings);
    let mut samples = vec![0.0; FRAMES as usize];
    Offline::new(engine, renderer).fill(&mut samples);
    samples
}

fn unlimited() -> Settings {
    Settings::default().with_output(OutputSettings::default().with_limiter(None))
}

/// Returns how many samples differ.
fn differences(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).filter(|(a, b)| a.to_bits() != b.to_bits()).count() as f64
}

/// Bit for bit, for any number of frames the host asks for at a time.
#[test]
fn the_hosts_block_size_changes_nothing() {
    let complete = played(Settings::default(), Blocks::Fixed(4096));
    assert!(complete.iter().any(|s| s.abs() > 0.01));
    let fixed = [1, 7, 64, 333, 512, 1000, 2048].map(Blocks::Fixed);
    let random = (0..4).map(|seed| Blocks::Random { min: 1, max: 4096, seed });
    for blocks in fixed.into_iter().chain(random) {
        println!("{blocks:?}");
        let got = played(Settings::default(), blocks);
        foley_measured::check!("reproducible.host_blocks", differences(&got, &complete));
    }
}

/// Beyond −100 dB, for any internal block, kernel and instruction set.
#[test]
fn blocks_kernels_and_processors_agree_to_100_db() {
    let truth = offline(unlimited());
    for block in [32, 64, 128, 256, 1024] {
        for kernel in [Kernel::Auto, Kernel::PerSample, Kernel::Spectral] {
            for cpu in [Cpu::Best, Cpu::Avx2, Cpu::Portable] {
                // The contact glides over one block, whatever its length: begin settled.
                let got = offline(unlimited().with_block(block).with_kernel(kernel).with_cpu(cpu));
                let snr = snr_db(&truth, &got);
                println!("B {block}, {kernel:?}, {cpu:?}: {snr:.1} dB");
                foley_measured::check!("reproducible.internal_blocks", snr);
            }
        }
    }
}

/// The same scene twice is the same bits; on any thread.
#[test]
fn renders_are_reproducible_on_any_thread() {
    let here = offline(Settings::default());
    let threads: Vec<_> =
        (0..4).map(|_| std::thread::spawn(|| offline(Settings::default()))).collect();
    for thread in threads {
        let there = thread.join().unwrap();
        foley_measured::check!("reproducible.threads", differences(&there, &here));
    }
}

/// Offline begins at time zero although the limiter looks ahead.
#[test]
fn offline_has_no_latency() {
    let (direct, limited) = (offline(unlimited()), offline(Settings::default()));
    let onset = |samples: &[f32]| samples.iter().position(|s| s.abs() > 1e-5).unwrap();
    assert_eq!(onset(&direct), onset(&limited));
}

/// So it is when only what can be heard is computed, also within a budget of virtual time, on
/// any thread.
#[test]
fn what_is_heard_does_not_depend_on_the_host_either() {
    let tight = Settings::default().audible().with_budget(Budget::offline(12.0));
    let paper = Synthesis::Masking2004(Listening::default(), 5.0);
    let paper = Settings::default().with_synthesis(paper);
    for settings in [Settings::default().audible(), tight, paper] {
        let complete = played(settings.clone(), Blocks::Fixed(4096));
        assert!(complete.iter().any(|s| s.abs() > 0.01));
        for seed in 0..3 {
            let blocks = Blocks::Random { min: 1, max: 4096, seed };
            println!("{:?}, {blocks:?}", settings.synthesis);
            let got = played(settings.clone(), blocks);
            foley_measured::check!("reproducible.heard_host_blocks", differences(&got, &complete));
        }
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let settings = settings.clone();
                std::thread::spawn(move || played(settings, Blocks::Fixed(512)))
            })
            .collect();
        for thread in threads {
            let got = thread.join().unwrap();
            foley_measured::check!("reproducible.heard_threads", differences(&got, &complete));
        }
    }
}

/// The report tells what was computed, and how loud it is played changes it.
#[test]
fn the_report_counts_modes() {
    let computed = |playback_db: f64| {
        let (engine, renderer, _) =
            scene(Settings::default().audible().with_playback_db(playback_db));
        let mut offline = Offline::new(engine, renderer);
        let mut samples = vec![0.0; 24_000];
        let (mut computed, mut audible) = (0, 0);
        for part in samples.chunks_mut(256) {
            offline.fill(part);
            let report = offline.engine.report();
            assert_eq!((report.modes, report.left_out), (162, 0));
            computed += report.computed;
            audible += report.audible;
        }
        assert!(computed > 0 && audible >= computed);
        computed
    };
    assert!(computed(100.0) > computed(40.0));
}

/// What the monitor's microphone says is fed back while it plays.
#[test]
fn the_playback_level_can_be_fed_back() {
    let sum = |level: Option<f64>| {
        let (mut engine, renderer, _) = scene(Settings::default().audible());
        if let Some(level) = level {
            engine.set_playback_db(level).unwrap();
        }
        assert!(engine.set_playback_db(f64::NAN).is_err());
        let mut offline = Offline::new(engine, renderer);
        let mut samples = vec![0.0; 256];
        (0..100)
            .map(|_| {
                offline.fill(&mut samples);
                offline.engine.report().computed
            })
            .sum::<u64>()
    };
    assert!(sum(Some(30.0)) < sum(None));
}
