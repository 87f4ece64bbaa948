//! Runs the built command in a folder of its own.
#![allow(dead_code, unreachable_pub)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// A steel bar that every test may strike.
pub const BAR: [&str; 3] = ["bar:300x30x8mm", "--material", "steel"];

/// An empty folder, and the command in it.
pub struct Foley(TempDir);

impl Foley {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With `bar.modal`, a steel bar of its first modes.
    pub fn with_bar() -> Self {
        let foley = Self::new();
        foley.good(&["modes", BAR[0], BAR[1], BAR[2], "--max-modes", "4", "-o", "bar.modal"]);
        foley
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foley"));
        command.args(args).current_dir(self.folder()).stdin(Stdio::null());
        command.env("FOLEY_CACHE_DIR", models());
        // Without a screen, Mesa's chooser of GPUs complains on standard error.
        command.env("NODEVICE_SELECT", "1");
        command
    }

    /// Runs well, says nothing on standard error; what it said on standard output.
    pub fn good(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        let (out, err) = texts(&output);
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "foley {args:?}");
        assert!(!out.is_empty(), "foley {args:?} says nothing");
        out
    }

    /// The facts, from one line of JSON.
    pub fn facts(&self, args: &[&str]) -> Value {
        let out = self.good(&[args, &["--json"]].concat());
        assert_eq!(out.trim_end_matches('\n').lines().count(), 1, "foley {args:?}: {out}");
        let facts: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
        assert!(facts.is_object(), "{facts}");
        facts
    }

    /// Fails with this exit code and one line on standard error that says all of these, and
    /// leaves every file as it was.
    pub fn refuses(&self, code: i32, args: &[&str], says: &[&str]) {
        self.check_refusal(code, &mut self.command(args), says);
    }

    pub fn check_refusal(&self, code: i32, command: &mut Command, says: &[&str]) {
        let before = self.files();
        let output = command.output().unwrap();
        let (out, err) = texts(&output);
        assert!(!err.contains("panicked"), "{command:?}: {err}");
        assert_eq!(output.status.code(), Some(code), "{command:?}: {err}");
        assert_eq!(out, "", "{command:?}");
        assert!(err.starts_with("foley: ") && err.ends_with('\n'), "{command:?}: {err:?}");
        assert_eq!(err.lines().count(), 1, "{command:?}: {err}");
        for text in says {
            assert!(err.contains(text), "{command:?} does not say `{text}`: {err}");
        }
        assert!(self.files() == before, "{command:?} left something behind");
    }

    /// Every file below the folder, with its bytes.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    found.insert(path.clone(), Vec::new());
                    walk(&path, found);
                } else {
                    found.insert(path.clone(), std::fs::read(&path).unwrap());
                }
            }
        }
        let mut found = BTreeMap::new();
        walk(self.folder(), &mut found);
        found
    }

    /// Samples of a mono float WAV file at 48 kHz.
    pub fn wav(&self, name: &str) -> Vec<f32> {
        self.wav_of(name, 1)
    }

    /// The interleaved samples of a file with this number of channels.
    pub fn wav_of(&self, name: &str, channels: u16) -> Vec<f32> {
        let mut reader = hound::WavReader::open(self.path(name)).unwrap();
        let spec = reader.spec();
        assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (channels, 48_000, 32));
        reader.samples().map(Result::unwrap).collect()
    }
}

/// The folder where the command keeps baked models: one for each build of it, so that no test meets models
/// of the user or of an older build.
pub fn models() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let built = std::fs::metadata(env!("CARGO_BIN_EXE_foley")).unwrap().modified().unwrap();
        let built = built.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos().to_string();
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models-of-foley");
        for older in std::fs::read_dir(&all).into_iter().flatten().flatten() {
            if *older.file_name() != *built {
                // Another test program may remove it, too.
                let _ = std::fs::remove_dir_all(older.path());
            }
        }
        all.join(built)
    });
    &FOLDER
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// Integrated loudness after ITU-R BS.1770; of less than a block of the meter, with silence behind it.
pub fn loudness_lufs(mono: &[f32]) -> f64 {
    loudness_of(mono, 1)
}

/// The same of interleaved channels.
pub fn loudness_of(samples: &[f32], channels: usize) -> f64 {
    let mut meter = ebur128::EbuR128::new(channels as u32, 48_000, ebur128::Mode::I).unwrap();
    meter.add_frames_f32(samples).unwrap();
    let frames = samples.len() / channels;
    let missing = 19_200_usize.saturating_sub(frames);
    meter.add_frames_f32(&vec![0.0; missing * channels]).unwrap();
    meter.loudness_global().unwrap()
}

pub fn peak_dbfs(samples: &[f32]) -> f64 {
    20.0 * f64::from(samples.iter().fold(0.0f32, |p, y| p.max(y.abs()))).log10()
}

/// The −1 dBFS of the limiter, but for rounding.
pub const CEILING_DBFS: f64 = -0.9999;

pub fn number(facts: &Value, key: &str) -> f64 {
    facts[key].as_f64().unwrap_or_else(|| panic!("no number `{key}` in {facts}"))
}

/// A picture that can be opened and is not one colour.
/// Checks that a report has the figures that MEASURED.md takes from it: those of a benchmark whose pointers
/// begin with `part`.
pub fn check_figures(report: &Value, benchmark: &str, part: &str) {
    let sources = foley_measured::targets::all().filter_map(|target| target.bench);
    let of_part = sources.filter(|source| {
        source.arguments.starts_with(benchmark) && source.pointer.starts_with(part)
    });
    let pointers: Vec<&str> = of_part.map(|source| source.pointer).collect();
    assert!(!pointers.is_empty(), "no target of `{benchmark}` begins with {part}");
    for pointer in pointers {
        assert!(report.pointer(pointer).is_some_and(Value::is_number), "no {pointer}: {report}");
    }
}

pub fn check_png(bytes: &[u8]) {
    let picture = tiny_skia::Pixmap::decode_png(bytes).unwrap();
    assert!(picture.width() >= 400 && picture.height() >= 300);
    let first = picture.pixels()[0];
    let drawn = picture.pixels().iter().filter(|p| **p != first).count();
    assert!(drawn > 1000, "only {drawn} pixels are drawn");
}

pub fn check_svg(bytes: &[u8], title: &str) {
    let text = std::str::from_utf8(bytes).unwrap();
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    assert!(text.contains(title), "no `{title}` in the picture");
}
