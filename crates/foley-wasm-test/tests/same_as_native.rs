//! The rings sound the same from a WebAssembly module under Node as from native code.

use foley_wasm_test::render_rings;
use std::path::Path;
use std::process::Command;

/// Returns the sound of the module and the seconds of its clock that rendering took.
fn render_with_node(module: &Path) -> (Vec<f32>, f64) {
    let folder = tempfile::tempdir().unwrap();
    let sound = folder.path().join("rings.f32");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render.mjs");
    let output = Command::new("node").args([&script, module, &sound]).output();
    let output = output.expect("Node runs; `scripts/setup test` installs it");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    let bytes = std::fs::read(&sound).unwrap();
    let samples = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let render_s = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    (samples, render_s)
}

fn power(samples: impl Iterator<Item = f32>) -> f64 {
    samples.map(|y| f64::from(y).powi(2)).sum()
}

/// Returns the power of the difference relative to the power of `b`, dB.
fn difference_db(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    10.0 * (power(a.iter().zip(b).map(|(a, b)| a - b)) / power(b.iter().copied())).log10()
}

#[test]
#[ignore = "needs the WebAssembly module: `scripts/wasm`, a part of `make test`, builds it and runs this"]
fn webassembly_sounds_like_native_code() {
    let module = std::env::var_os("FOLEY_WASM_MODULE").expect("scripts/wasm names the module");
    let (wasm, wasm_s) = render_with_node(Path::new(&module));
    let native = render_rings().unwrap();
    let native_s = native.physics_s + native.sound_s;
    let native = native.sound.samples;
    println!("{wasm_s:.2} s against {native_s:.2} s");
    assert_eq!(native.len(), 2 * 48_000);
    // The sound is there: many impacts, at the loudness of the scene.
    let rms = (power(native.iter().copied()) / native.len() as f64).sqrt();
    assert!(rms > 0.01, "{rms}");
    foley_measured::check!("scenes.wasm", difference_db(&wasm, &native), "scripts/wasm");
    assert!(wasm_s > 0.0, "the module reads the clock of its host");
    foley_measured::check!("scenes.wasm_time", wasm_s / native_s, "scripts/wasm");
}
