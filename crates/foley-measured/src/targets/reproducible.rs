//! Reproducible output, and what the audio thread never does.

use crate::Target;
use crate::target::{at_least, at_most, exactly};

pub(super) const TARGETS: &[Target] = &[
    exactly(
        "reproducible.host_blocks",
        "host blocks of 1 … 4096 frames",
        0.0,
        "samples that differ",
    ),
    exactly("reproducible.threads", "the same render on four threads", 0.0, "samples that differ"),
    exactly(
        "reproducible.heard_host_blocks",
        "host blocks of 1 … 4096 frames, perceptual synthesis, also within a budget of virtual time",
        0.0,
        "samples that differ",
    ),
    exactly("reproducible.heard_threads", "the same on three threads", 0.0, "samples that differ"),
    at_least(
        "reproducible.internal_blocks",
        "internal blocks of 32 … 1024 samples, three kernels, three instruction sets",
        100.0,
        "dB",
    ),
    at_least(
        "reproducible.recovery",
        "a scene after forces that are not finite, against one without",
        100.0,
        "dB",
    ),
    exactly(
        "reproducible.renderer_allocations",
        "calls of the allocator on the audio thread",
        0.0,
        "calls",
    ),
    exactly(
        "reproducible.bank_allocations",
        "calls of the allocator in the bank, all methods and budgets",
        0.0,
        "calls",
    ),
    exactly(
        "reproducible.force_allocations",
        "calls of the allocator in sustained forces",
        0.0,
        "calls",
    ),
    exactly(
        "reproducible.pruning_allocations",
        "calls of the allocator in the pruner",
        0.0,
        "calls",
    ),
    exactly(
        "reproducible.output_allocations",
        "calls of the allocator in impacts and output stage",
        0.0,
        "calls",
    ),
    exactly(
        "reproducible.ceiling",
        "samples above the ceiling: steps of 2³⁰, spikes, infinities, what is not a number",
        0.0,
        "samples",
    ),
    exactly(
        "reproducible.clamps",
        "samples that reach the safety clamp after the limiter",
        0.0,
        "samples",
    ),
    at_most(
        "reproducible.release",
        "error of the gain while the limiter recovers, against its time constant",
        5e-3,
        "",
    ),
];
