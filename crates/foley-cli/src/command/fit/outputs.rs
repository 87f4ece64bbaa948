//! What a fit writes: all of it, or nothing.

use anyhow::{Result, bail};
use foley::audio_file::{Container, Format};
use foley::geometry::file_plan::FilePlan;
use foley::modal::fit::{Fitted, Recording};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Args;
use crate::output::{OrMisuse, misuse};
use crate::values::has_ending;
use foley::AudioBuffer;
use foley::plot;
use foley::plot::AtomicFile;

/// The model, and one of each other kind for every recording.
pub(super) struct Outputs {
    pub(super) model: PathBuf,
    pub(super) resyntheses: Vec<PathBuf>,
    /// Empty when not asked for.
    pub(super) residuals: Vec<PathBuf>,
    /// Empty when not asked for.
    pub(super) pictures: Vec<PathBuf>,
}

impl Outputs {
    /// Refuses endings that mean nothing, and names that are needed twice.
    pub(super) fn new(args: &Args) -> Result<Self> {
        let model =
            args.output.clone().unwrap_or_else(|| args.recordings[0].with_extension("modal"));
        if !has_ending(&model, "modal") {
            misuse!("cannot write {}: end its name with .modal", model.display());
        }
        let resynthesis =
            args.resynthesis.clone().unwrap_or_else(|| with_end(&model, "-resynthesis", "wav"));
        let numbered = |path: &Option<PathBuf>| {
            path.as_ref().map_or(Vec::new(), |path| numbered(path, args.recordings.len()))
        };
        for sound in [Some(&resynthesis), args.residual.as_ref()].into_iter().flatten() {
            Format::from_path(sound).or_misuse()?;
        }
        args.picture.as_deref().map_or(Ok(()), plot::check_extension).or_misuse()?;
        let outputs = Self {
            model,
            resyntheses: numbered(&Some(resynthesis)),
            residuals: numbered(&args.residual),
            pictures: numbered(&args.picture),
        };
        outputs.check(&args.recordings)?;
        Ok(outputs)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &PathBuf> {
        let sounds = self.resyntheses.iter().chain(&self.residuals);
        [&self.model].into_iter().chain(sounds).chain(&self.pictures)
    }

    /// Refuses names that are needed twice, and folders that cannot be written.
    fn check(&self, recordings: &[PathBuf]) -> Result<()> {
        let mut plan = FilePlan::default();
        recordings.iter().for_each(|path| plan.read("a recording", path));
        plan.write("--output", &self.model);
        let kinds = [
            ("--resynthesis", &self.resyntheses),
            ("--residual", &self.residuals),
            ("--picture", &self.pictures),
        ];
        for (option, paths) in kinds {
            paths.iter().for_each(|path| plan.write(option, path));
        }
        Ok(plan.check()?)
    }

    /// Writes everything, then gives everything its name.
    pub(super) fn write(&self, recordings: &[Recording], fitted: &Fitted) -> Result<()> {
        let mut done =
            vec![AtomicFile::new(&self.model, &foley::modal::file::write(&fitted.model))?];
        let rate = recordings[0].sample_rate_hz as u32;
        for (path, strike) in self.resyntheses.iter().zip(&fitted.strikes) {
            done.push(sound(path, &strike.resynthesis, rate)?);
        }
        for (path, strike) in self.residuals.iter().zip(&fitted.strikes) {
            done.push(sound(path, &strike.residual, rate)?);
        }
        for (k, path) in self.pictures.iter().enumerate() {
            let panels = [
                ("recording", &recordings[k].samples[..]),
                ("resynthesis", &fitted.strikes[k].resynthesis[..]),
            ];
            let (modes, place) = (fitted.modes.len(), place(self.pictures.len(), k));
            let title = format!("{}{place}: {modes} modes", fitted.model.name);
            done.push(plot::spectrogram_pair_picture(panels, rate, &title)?.draw(path)?);
        }
        Ok(done.into_iter().try_for_each(AtomicFile::keep)?)
    }
}

fn place(count: usize, k: usize) -> String {
    if count > 1 { format!(" at #{k}") } else { String::new() }
}

/// Writes a sound file that has no name yet.
fn sound(path: &Path, samples: &[f32], sample_rate_hz: u32) -> Result<AtomicFile> {
    let format = Format::from_path(path)?;
    let sound = AudioBuffer { samples: samples.to_vec(), channels: 1, sample_rate_hz };
    if format.container == Container::Flac && sound.peak() > 1.0 {
        let path = path.display();
        bail!(
            "cannot write {path}: it is louder than full scale, which FLAC cannot hold; use .wav"
        );
    }
    Ok(sound.write(path, format)?)
}

/// `a.wav`, or `a-1.wav`, `a-2.wav`, … for several.
fn numbered(path: &Path, count: usize) -> Vec<PathBuf> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    match count {
        1 => vec![path.to_owned()],
        _ => (1..=count).map(|k| with_end(path, &format!("-{k}"), &ending)).collect(),
    }
}

/// The name with something before its ending.
fn with_end(path: &Path, end: &str, extension: &str) -> PathBuf {
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(format!("{end}.{extension}"));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_files_are_numbered() {
        let names = |path: &str, count| -> Vec<String> {
            let all = numbered(Path::new(path), count);
            all.iter().map(|p| p.display().to_string()).collect()
        };
        assert_eq!(names("out/a.b.wav", 1), ["out/a.b.wav"]);
        assert_eq!(names("out/a.b.WAV", 2), ["out/a.b-1.WAV", "out/a.b-2.WAV"]);
        let beside = with_end(Path::new("out/bell.modal"), "-resynthesis", "wav");
        assert_eq!(beside, Path::new("out/bell-resynthesis.wav"));
    }
}
