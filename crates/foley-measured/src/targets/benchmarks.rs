//! Speed on this machine: what `foley bench` prints.

use crate::Target;
use crate::target::{at_least, at_most, exactly, figure};

const MODES: &str = "bench modes";
const BAKE: &str = "bench bake";
const OBJECTS: &str = "bench objects";
const HAIL: &str = "bench hail";

const MACHINE: &str = "a speed of this machine";

pub(super) const TARGETS: &[Target] = &[
    figure("speed.naive", "naive scalar loop, 1,920 modes, the faster of two", "modes").by_bench(MODES, "/naive_modes"),
    at_least("speed.per_sample", "per-sample driven kernel against the naive loop", 12.0, "×")
        .by_bench(MODES, "/jobs/0/ratio_to_naive")
        .reported(MACHINE),
    at_least("speed.per_sample_fma", "per-sample driven kernel, of the measured FMA peak, six operations per mode and sample", 0.85, "")
        .by_bench(MODES, "/jobs/0/share_of_fma_peak")
        .reported(MACHINE),
    at_least("speed.spectral", "spectral block against the naive loop, B = 512, N = 15,360, dense force, best instructions", 150.0, "×")
        .by_bench(MODES, "/jobs/2/ratio_to_naive")
        .reported(MACHINE),
    at_least("speed.spectral_avx2", "the same, AVX2", 100.0, "×").by_bench(MODES, "/jobs/9/ratio_to_naive").reported(MACHINE),
    at_least("speed.spectral_64", "the same, best instructions, B = 64", 30.0, "×")
        .by_bench(MODES, "/jobs/4/ratio_to_naive")
        .reported(MACHINE),
    figure("speed.spectral_large", "the same, B = 512, N = 122,880", "×").by_bench(MODES, "/jobs/3/ratio_to_naive"),
    figure("speed.spectral_free", "the same, free ringing", "×").by_bench(MODES, "/jobs/7/ratio_to_naive"),
    figure("speed.spectral_free_modes", "the same, in real time on one core", "modes")
        .by_bench(MODES, "/jobs/7/modes_in_real_time"),
    figure("speed.klank", "SuperCollider's `Klank`, same core, 1,920 modes", "modes")
        .by_bench(MODES, "/klank/modes_in_real_time")
        .needs("SuperCollider's server"),
    figure("speed.over_klank", "our best against it", "×")
        .by_bench(MODES, "/klank/foley_best_over_klank")
        .needs("SuperCollider's server"),
    at_least("bake.vertices", "vertices of a wok whose modes below 20 kHz are computed", 30_000.0, "vertices")
        .by_bench(BAKE, "/vertices")
        .reported("a fixed mesh"),
    figure("bake.modes", "its modes", "modes").by_bench(BAKE, "/modes"),
    at_most("bake.time", "time for them, on all cores", 120.0, "s").by_bench(BAKE, "/wall_s").reported(MACHINE),
    figure("bake.processor_time", "processor time for them", "s").by_bench(BAKE, "/cpu_s"),
    at_most("bake.memory", "peak memory", 4_096.0, "MiB").by_bench(BAKE, "/peak_mib").reported("measured by a benchmark of minutes"),
    at_most("objects.real_time", "10,000 moving objects × 100 modes, 2,000 impacts a second, 200 lasting contacts, 64 emitters: rendering and preparing, of one core", 100.0, "%")
        .by_bench(OBJECTS, "/plates/targets/0/figure")
        .reported(MACHINE),
    figure("objects.rendering", "of it, rendering", "%").by_bench(OBJECTS, "/plates/rules/4/cpu_percent"),
    figure("objects.simulation", "the hail that makes the impacts, beside it, of any core", "%")
        .by_bench(OBJECTS, "/plates/simulation_percent"),
    figure("objects.every_mode", "every mode of them sample by sample", "%").by_bench(OBJECTS, "/plates/rules/0/cpu_percent"),
    at_most("objects.memory", "peak memory", 300.0, "MB")
        .by_bench(OBJECTS, "/plates/targets/1/figure")
        .reported("measured by a benchmark of minutes"),
    exactly("objects.refused", "contacts and impacts refused", 0.0, "")
        .by_bench(OBJECTS, "/plates/refused")
        .reported("measured by a benchmark of minutes"),
    figure("objects.separation", "largest separation of a voice from its emitter", "").by_bench(OBJECTS, "/plates/emitter_separation"),
    at_least("objects.rings", "100 rings of [LS] Fig. 7 with their lasting contacts: audio frames a second, at least", 100.0, "frames/s")
        .by_bench(OBJECTS, "/rings/rules/4/least_fps")
        .reported(MACHINE),
    figure("objects.rings_median", "the same, the median", "frames/s").by_bench(OBJECTS, "/rings/rules/4/median_fps"),
    figure("bench_hail.impacts", "the picnic under dense hail: impacts a second", "/s").by_bench(HAIL, "/rates/4/impacts_per_s"),
    figure("bench_hail.particles", "particles there, of one core", "").by_bench(HAIL, "/rates/4/particles_load"),
    figure("bench_hail.excitation", "preparing impacts there", "").by_bench(HAIL, "/rates/4/excitation_load"),
    figure("bench_hail.synthesis", "synthesis there ([CS]: 0.38, unpruned 2.8)", "").by_bench(HAIL, "/rates/4/synthesis_load"),
    figure("bench_hail.synthesis_all", "synthesis there, every mode", "").by_bench(HAIL, "/rates/5/synthesis_load"),
    figure("bench_hail.decisions", "decisions on audibility there", "").by_bench(HAIL, "/rates/4/deciding_load"),
    figure("bench_hail.straight", "straight stones decided on one core in the picnic", "/s").by_bench(HAIL, "/particles/0/stones_per_s"),
    figure("bench_hail.accelerated", "accelerated stones decided on one core in the picnic", "/s")
        .by_bench(HAIL, "/particles/1/stones_per_s"),
];
