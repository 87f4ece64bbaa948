#![doc = include_str!("../README.md")]
//!
//! The GPU finds candidates, the CPU verifies them. A shader tests each stone once, when its time slot of birth
//! starts, in single precision and with widened predicates. foley-hail then computes the few candidates again
//! in double precision, so that the impacts are bit by bit those of the CPU. They are known long before they
//! are due: latency of the GPU never delays a sound. When the GPU is lost, [`GpuOrCpu`] continues on the CPU
//! at the next stone.
//!
//! \[CS\] is van den Doel, Knott and Pai, *Interactive simulation of complex audio-visual scenes* (2004).

mod error;
mod options;
mod device;
mod upload;
mod hit_test;
mod advect;
mod map;
mod picture;
mod gpu_hail;
mod fallback;
mod diagnostics;

pub use device::{AdapterPreference, Gpu};
pub use diagnostics::{RawHitTest, RawImpact, RawPosition, raw_positions};
pub use error::GpuError;
pub use fallback::GpuOrCpu;
pub use gpu_hail::GpuHail;
pub use map::{GpuMark, MapFrame};
pub use options::{GpuOptions, Slots, TransferMode};
pub use picture::{Camera, Picture, PicturePass, PictureRenderer, PictureTarget};
/// The graphics API, for [`Gpu::from_wgpu`] and [`PicturePass`].
pub use wgpu;

#[cfg(test)]
mod shader_tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    #[test]
    fn shaders_are_valid() {
        let [streaks, composite] = crate::picture::sources();
        let all = [
            ("hit_test", crate::hit_test::HIT_TEST),
            ("advect", crate::advect::ADVECT),
            ("map", crate::map::MAP),
            ("scene", crate::picture::SCENE),
            ("streaks", &streaks),
            ("composite", &composite),
            ("pass", crate::picture::PASS),
        ];
        for (name, source) in all {
            let module = naga::front::wgsl::parse_str(source)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
            let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
            if let Err(error) = validator.validate(&module) {
                panic!("{name}: {}", error.emit_to_string(source));
            }
        }
    }
}
