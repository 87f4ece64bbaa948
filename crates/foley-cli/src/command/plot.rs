//! `foley plot`: pictures.

use anyhow::{Result, bail};
use foley::dsp::model::ModalModel;
use foley::dsp::perception::MAX_A_V_DB;
use foley::geometry::file_plan::FilePlan;
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::output::{OrMisuse, misuse, print_line};
use crate::values::{has_ending, hertz, is_sound_file, within};
use foley::plot::AtomicFile;
use foley::plot::{self as plot, AudibilityCounts, MaskingOptions};

/// The masking threshold of \[CS\] figure 3, dB.
const FIGURE_3_A_V_DB: f64 = 15.0;

/// A picture of a model (modes over frequency and decay, one mode's shape, where the surface
/// sounds bright, or which modes are heard) or of a sound (spectrogram).
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("hearing").args(["masking", "masking_curves"]))]
#[command(
    override_usage = "foley plot [OPTIONS] <FILE>\n       foley plot [OPTIONS] --masking-curves <HZ>"
)]
pub(crate) struct Args {
    /// A .modal, .wav or .flac file
    #[arg(required_unless_present = "masking_curves")]
    file: Option<PathBuf>,
    /// The picture, .png or .svg [default: after the file and what is shown, such as bell.png,
    /// bell-mode-3.png, bell-sound-map.png, bell-masking.png, bell.wav.png; masking-440hz.png]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the loudness of a model's modes at this surface point, instead of over all of them
    #[arg(long)]
    point: Option<usize>,
    /// Show the model's surface in this mode, counted from 1 in order of frequency
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["point", "sound_map"])]
    mode: Option<usize>,
    /// Show where the model's surface sounds dark and where bright when it is struck
    #[arg(long, conflicts_with = "point")]
    sound_map: bool,
    /// Show which of the model's modes are heard when it is struck (anywhere, or at --point),
    /// and what hides the others
    #[arg(long, conflicts_with_all = ["mode", "sound_map"])]
    masking: bool,
    /// Show, without a file, what a tone of this frequency masks, e.g. 440 or 1kHz
    #[arg(long, value_parser = audible_hertz, allow_hyphen_values = true, value_name = "HZ")]
    #[arg(conflicts_with_all = ["file", "point", "mode", "sound_map"])]
    masking_curves: Option<f64>,
    /// How loud all modes together are, dB SPL [default: 70]
    #[arg(long, value_parser = within([0.0, 140.0], " dB"), allow_hyphen_values = true, value_name = "DB")]
    #[arg(requires = "masking", conflicts_with_all = ["masking_curves", "mode", "sound_map"])]
    playback_db: Option<f64>,
    /// How far below a masker its masking curve begins, dB [default: 5; of curves 15]
    #[arg(long, value_parser = within([0.0, MAX_A_V_DB], " dB"), allow_hyphen_values = true, value_name = "DB")]
    #[arg(requires = "hearing", conflicts_with_all = ["mode", "sound_map"])]
    a_v: Option<f64>,
}

fn audible_hertz(text: &str) -> Result<f64, String> {
    let audible = hertz(text).ok().filter(|f| *f <= 20e3);
    audible.ok_or_else(|| "write a frequency above 20 Hz and up to 20kHz, e.g. 440 or 1kHz".into())
}

impl Args {
    /// Where the picture goes: each kind has a name of its own.
    fn output(&self, file: &Path) -> PathBuf {
        let point = self.point.map(|number| format!("-point-{number}")).unwrap_or_default();
        let kind = match self.mode {
            Some(number) => format!("-mode-{number}"),
            None if self.sound_map => "-sound-map".to_owned(),
            None if self.masking => format!("-masking{point}"),
            None => point,
        };
        self.output.clone().unwrap_or_else(|| {
            // The picture of bell.wav is not that of bell.flac or bell.modal.
            let of_sound = is_sound_file(file);
            let name = if of_sound { file.file_name() } else { file.file_stem() };
            let mut name = name.unwrap_or_default().to_owned();
            name.push(kind + ".png");
            file.with_file_name(name)
        })
    }
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let (picture, output, counts) = match (&args.file, args.masking_curves) {
        (Some(file), _) => {
            let output = args.output(file);
            plot::check_extension(&output).or_misuse()?;
            if !has_ending(file, "modal") && !is_sound_file(file) {
                misuse!("{}: only .modal, .wav and .flac files can be drawn", file.display());
            }
            plan(Some(file), &output).check()?;
            let (picture, counts) = draw_file(args, file, &output)?;
            (picture, output, counts)
        }
        (None, Some(hz)) => {
            let output = args.output.clone();
            let output = output.unwrap_or_else(|| format!("masking-{hz}hz.png").into());
            plot::check_extension(&output).or_misuse()?;
            plan(None, &output).check()?;
            let a_v_db = args.a_v.unwrap_or(FIGURE_3_A_V_DB);
            (plot::draw_line_chart(&plot::masking_curves(hz, a_v_db), &output)?, output, None)
        }
        (None, None) => {
            misuse!("name a .modal, .wav or .flac file, or a frequency with --masking-curves")
        }
    };
    picture.keep()?;
    let written = output.display().to_string();
    match (json, counts) {
        (false, None) => print_line!("written: {written}"),
        (false, Some(AudibilityCounts { audible, masked, unheard, .. })) => {
            print_line!("modes: {audible} heard, {masked} masked, {unheard} too quiet")?;
            print_line!("written: {written}")
        }
        (true, None) => print_line!("{}", json!({ "written": written })),
        (true, Some(AudibilityCounts { audible, masked, unheard, .. })) => {
            let facts = json!({
                "written": written, "audible": audible, "masked": masked, "unheard": unheard,
            });
            print_line!("{facts}")
        }
    }
}

/// Returns the files that are read and written.
fn plan(file: Option<&Path>, output: &Path) -> FilePlan {
    let mut plan = FilePlan::default();
    file.iter().for_each(|file| plan.read("the plotted file", *file));
    plan.write("--output", output);
    plan
}

fn draw_file(
    args: &Args,
    file: &Path,
    output: &Path,
) -> Result<(AtomicFile, Option<AudibilityCounts>)> {
    if has_ending(file, "modal") {
        let (model, provenance) = foley::modal::file::load_with_provenance(file)?;
        let merged = provenance.and_then(|o| o.compression).map(|c| c.merged).unwrap_or_default();
        draw_modes(args, file, &model, &merged, output)
    } else {
        let asked = [
            (args.point.is_some(), "--point"),
            (args.mode.is_some(), "--mode"),
            (args.sound_map, "--sound-map"),
            (args.masking, "--masking"),
        ];
        if let Some((_, flag)) = asked.into_iter().find(|(asked, _)| *asked) {
            misuse!("{} is a sound and not a model; leave {flag} out", file.display());
        }
        Ok((plot::file_spectrogram_picture(file)?.draw(output)?, None))
    }
}

fn draw_modes(
    args: &Args,
    file: &Path,
    model: &ModalModel,
    merged: &[usize],
    output: &Path,
) -> Result<(AtomicFile, Option<AudibilityCounts>)> {
    let (points, modes) = (model.point_count(), model.mode_count());
    let picture = match (args.point, args.mode) {
        (Some(k), _) if k >= points => {
            bail!("--point {k}: {} has points 0 to {}", file.display(), points - 1)
        }
        (_, Some(n)) if n == 0 || n > modes => {
            bail!("--mode {n}: {} has modes 1 to {modes}", file.display())
        }
        (point, _) if args.masking => {
            let default = MaskingOptions::default();
            let options = default
                .with_playback_db(args.playback_db.unwrap_or(default.playback_db))
                .with_a_v_db(args.a_v.unwrap_or(default.a_v_db));
            let (picture, counts) = plot::masking_picture(model, point, options)?;
            return Ok((picture.draw(output)?, Some(counts)));
        }
        (None, Some(n)) => plot::mode_shape_picture(model, n, merged),
        (None, _) if args.sound_map => plot::sound_map_picture(model),
        (point, _) => plot::modes_picture(model, point),
    };
    Ok((picture?.draw(output)?, None))
}
