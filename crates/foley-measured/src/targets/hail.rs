//! Hail.

use crate::Target;
use crate::target::{at_least, at_most, between, exactly, figure};

const HARDWARE: &str = "a hardware GPU";
const SOLVED_CONTACT: &str =
    "the contact of every stone with what gives way is solved, about 10 µs of it";

pub(super) const TARGETS: &[Target] = &[
    at_most("hail.flux", "impacts against flux times area: flat, tilted, in wind, discs, spheres, cylinders, cones", 3.0, "σ"),
    at_most("hail.scene_flux", "the same of hail on a plate of a scene", 3.0, "σ"),
    at_most("hail.energies", "energies against 1/E: √n times the Kolmogorov–Smirnov distance, 1.628 at the 1 % level", 1.628, ""),
    at_most("hail.scene_energies", "the same of hail on a plate of a scene", 1.628, ""),
    at_most("hail.random", "pairs of random words on 256 cells: χ² of 255 degrees of freedom", 345.0, ""),
    at_most("hail.fall_time", "times of hits on every kind of surface against the textbook", 1e-12, "s"),
    at_most("hail.on_surface", "distance of a hit from its surface", 1e-9, "m"),
    between(
        "hail.on_sample",
        "beginning of the sound of a stone after the middle of its contact and the time of flight",
        -1e-6,
        1.0,
        "samples",
    ),
    exactly("hail.silence", "samples that are not zero under no hail, hail elsewhere and hail later", 0.0, "samples"),
    exactly("hail.refused", "impacts refused at 10,000 a second", 0.0, "impacts"),
    // 4 / √30: the mean of 30 has a deviation of 0.18 σ.
    at_most("hail.map_loss", "impacts that the impact map loses against the number expected, on average over 30 seeds", 0.73, "σ"),
    // All but one of 5,000 cases.
    between("hail.map_loss_squares", "the same, χ² of 30 seeds", 9.1, 67.9, ""),
    at_most("hail.gpu_map_loss", "the same on the GPU, three samples together", 3.0, "σ"),
    at_most("hail.gpu_map_loss_squares", "the same, deviation of χ² of the frames", 3.9, "σ"),
    exactly("hail.gpu_missing", "hits of a million stones that the GPU misses, straight and accelerated", 0.0, "impacts"),
    at_most("hail.gpu_raw_time", "times from the shader before verification, along the normal", 0.1, "samples"),
    at_most("hail.gpu_raw_place", "positions from the shader before verification, along the normal, in sizes of the target", 1e-4, ""),
    at_most("hail.gpu_raw_grazing_time", "times from the shader before verification, grazing impacts included", 0.1, "samples")
        .reported("single precision at grazing angles; the impacts returned are verified by the CPU and exact"),
    at_most("hail.gpu_raw_grazing", "impacts for which that is more than 0.1 sample, of a million", 50.0, "impacts"),
    at_most("hail.gpu_raw_elsewhere", "impacts that the shader finds on another target at an edge, of a million", 10.0, "impacts"),
    at_most("hail.gpu_raw_rejected", "candidates that the CPU rejects, of a million impacts", 100.0, "candidates"),
    at_least("hail.gpu_downpour", "impacts in 120 frames of a million stones a second", 1_000_001.0, "impacts"),
    exactly("hail.gpu_differ", "those that differ from the CPU's in any bit", 0.0, "impacts"),
    at_most("hail.gpu_lost_gap", "longest gap when the GPU is lost", 100.0, "ms"),
    exactly("hail.gpu_lost_differ", "impacts that differ from the CPU's when the GPU is lost", 0.0, "impacts"),
    at_most("hail.live_gap", "longest update of a scene played live under 10,000 impacts a second, while the GPU is lost", 100.0, "ms"),
    exactly("hail.live_late", "late events in it", 0.0, "events"),
    exactly("hail.live_lost_differ", "its sound against that of a CPU alone", 0.0, "samples that differ"),
    at_most("hail.picture_pixel", "pixels of stones against a naive renderer in double precision, at worst, of 255", 1.5, "levels"),
    at_most("hail.picture_mean", "the same, on average", 0.1, "levels"),
    exactly("hail.picture_same", "two pictures of the same stones", 0.0, "bytes that differ"),
    at_most(
        "hail.real_time",
        "particles, excitation and synthesis of the picnic under up to 10,000 impacts a second, of one core",
        100.0,
        "%",
    ),
    at_most("hail.prepared", "one impact on 240 modes prepared, all modes", 20.0, "µs")
        .reported(SOLVED_CONTACT),
    at_most("hail.prepared_audible", "the same for audible partials", 20.0, "µs")
        .reported(SOLVED_CONTACT),
    at_most("hail.prepared_live", "the same live", 20.0, "µs")
        .reported(SOLVED_CONTACT),
    at_most("hail.prepared_click", "what the click of a stone adds to that, the most of the three", 3.0, "µs")
        .reported("depends on the machine"),
    figure("hail.core_straight", "straight stones decided on one core, all or few of which hit, the slower", "million/s"),
    figure("hail.core_accelerated", "the same, accelerated stones", "million/s"),
    figure("hail.frame", "a frame of 1/60 s of a million stones a second, on all threads", "ms"),
    at_least("hail.gpu_frames", "ten million stones in flight, drawn at 1280 × 720 and read back", 60.0, "frames/s").needs(HARDWARE),
    figure("hail.gpu_frames_map", "the same, not drawn, with the impact map", "frames/s").needs(HARDWARE),
    figure("hail.gpu_frames_moved", "the same, not drawn, without the map", "frames/s").needs(HARDWARE),
    figure("hail.gpu_decided", "stones decided, where a quarter hits, the slower of straight and accelerated", "million/s")
        .needs(HARDWARE),
    exactly("hail.gpu_hardware_missing", "hits of a million stones that a hardware GPU misses", 0.0, "impacts").needs(HARDWARE),
];
