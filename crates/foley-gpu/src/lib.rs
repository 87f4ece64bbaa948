//! Hail on graphics hardware.

mod any;
mod device;
mod error;
mod fall;
mod fates;
mod layout;
mod map;
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
pub use raw::{RawImpact, RawPlace, raw_impacts, raw_places};
pub use shower::GpuShower;

#[cfg(test)]
mod shader_tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    #[test]
    fn shaders_are_valid() {
        let fall = crate::fall::source();
        let all = [
            ("fates", crate::fates::FATES),
            ("fall", &fall),
            ("map", crate::map::MAP),
            ("picture", crate::picture::PICTURE),
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
