//! Exports of the WebAssembly module, for the plain WebAssembly API of its host.
//!
//! The host calls [`foley_render`] once and reads the samples, or the error, from the memory of the
//! module.

use crate::render_rings;
use std::sync::OnceLock;

/// What was rendered.
struct Sound {
    samples: Vec<f32>,
    render_s: f64,
}

static RESULT: OnceLock<Result<Sound, String>> = OnceLock::new();

fn sound() -> Option<&'static Sound> {
    RESULT.get().and_then(|result| result.as_ref().ok())
}

fn error() -> &'static str {
    RESULT.get().and_then(|result| result.as_ref().err()).map_or("", String::as_str)
}

#[cfg(target_family = "wasm")]
mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Returns the seconds of the host's monotonic clock.
        // SAFETY: takes and returns numbers only.
        pub(super) safe fn now_s() -> f64;
    }
}

/// Renders the rings; returns the number of samples, interleaved stereo at 48 kHz, or 0 on an error.
#[unsafe(no_mangle)]
pub extern "C" fn foley_render() -> usize {
    #[cfg(target_family = "wasm")]
    foley_geometry::clock::set_host_clock(|| host::now_s());
    RESULT.get_or_init(|| {
        let rendered = render_rings().map_err(|error| error.to_string())?;
        let render_s = rendered.physics_s + rendered.sound_s;
        Ok(Sound { samples: rendered.sound.samples, render_s })
    });
    sound().map_or(0, |sound| sound.samples.len())
}

/// Returns the address of the samples; they stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn foley_samples() -> *const f32 {
    sound().map_or(std::ptr::null(), |sound| sound.samples.as_ptr())
}

/// Returns the time that rendering took by the clock of the host, s.
#[unsafe(no_mangle)]
pub extern "C" fn foley_render_s() -> f64 {
    sound().map_or(0.0, |sound| sound.render_s)
}

/// Returns the address of the error message in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn foley_error() -> *const u8 {
    error().as_ptr()
}

/// Returns the length of the error message, bytes.
#[unsafe(no_mangle)]
pub extern "C" fn foley_error_length() -> usize {
    error().len()
}
