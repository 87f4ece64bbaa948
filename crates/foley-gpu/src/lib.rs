//! Hail on graphics hardware: the stones of foley-hail, decided, mapped and drawn by shaders.
//!
//! *The GPU proposes, the CPU judges.* A shader decides every stone's fate once, when its slot of birth
//! begins, in single precision and with predicates a little too wide. The few stones that it says
//! strike are reckoned again by foley-hail in double precision: the impacts that come out are those of
//! the CPU, bit by bit. They are known long before they are due, so that waiting for the GPU never
//! delays a sound. When the GPU is lost, [`AnyShower`] goes on with the CPU at the very next stone.
//!
//! \[CS\] is van den Doel, Knott and Pai, *Interactive simulation of complex audio-visual scenes* (2004).
//!
//! ```
//! use foley_gpu::{AnyShower, Options};
//! use foley_hail::{Cloud, Hail, Shape, Shower, Sky, Targets};
//! use std::sync::Arc;
//!
//! let hail = Hail { per_second: 2000.0, cloud: Cloud::disc([0.0, 0.0, 9.0], 2.0), ..Hail::default() };
//! let ball = Shape::Sphere { centre_m: [0.0, 0.0, 1.0], radius_m: 0.7 };
//! let shower = Arc::new(Shower::new(Sky::new(hail)?, Targets::new([ball.into()])?)?);
//!
//! // On the GPU, or on the CPU where there is none: the impacts are the same.
//! let mut anywhere = AnyShower::new(Arc::clone(&shower), Options::default())?;
//! let mut impacts = Vec::new();
//! for frame in 1..=90 {
//!     anywhere.advance(f64::from(frame) / 60.0, &mut impacts)?;
//! }
//! assert_eq!(impacts, shower.impacts(0.0, 1.5)?);
//! # Ok::<(), foley_gpu::GpuError>(())
//! ```

mod any;
mod device;
mod error;
mod fall;
mod fates;
mod kernel;
mod layout;
mod map;
mod offscreen;
mod options;
mod picture;
mod raw;
mod readback;
mod scene;
mod shower;
mod sky;
mod waiting;

pub use any::AnyShower;
pub use device::{Choice, Gpu};
pub use error::GpuError;
pub use map::{GpuMark, MapFrame};
pub use options::{Mode, Options, Slots};
pub use picture::{Camera, Painter, Picture};
pub use raw::{RawFates, RawImpact, RawPlace, raw_places};
pub use shower::GpuShower;

#[cfg(test)]
mod shader_tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    #[test]
    fn shaders_are_valid() {
        let [streaks, veil] = crate::picture::sources();
        let all = [
            ("fates", crate::fates::FATES),
            ("fall", crate::fall::FALL),
            ("map", crate::map::MAP),
            ("picture", crate::picture::PICTURE),
            ("streaks", &streaks),
            ("veil", &veil),
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
