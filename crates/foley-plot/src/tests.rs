//! Complete pictures: sizes, formats, and extreme input.

use super::*;
use foley_dsp::model::ModalModel;
use std::path::PathBuf;

/// Width and height from the header of a PNG file.
fn png_size(path: &Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

fn write_wav(path: &Path, sample_rate: u32, samples: &[f32]) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut writer = hound::WavWriter::create(path, spec).unwrap();
    for sample in samples {
        writer.write_sample(*sample).unwrap();
    }
    writer.finalize().unwrap();
}

/// Valid models with extreme values.
fn odd_models() -> Vec<ModalModel> {
    let dense: Vec<(f64, f64, f32)> = (0..20_000u32)
        .map(|i| (30.0 + f64::from(i), 1.0 + f64::from(i * 7919 % 1000), (i * 31 % 997) as f32))
        .collect();
    vec![
        example::model("one", &[(440.0, 3.0, 1.0)]),
        example::model("undamped", &[(440.0, 0.0, 1.0), (880.0, 0.0, -1.0)]),
        example::model("dead", &[(440.0, 1e7, 1e-30)]),
        example::model("mute", &[(440.0, 3.0, 0.0), (441.0, 3.0, 0.0)]),
        example::model("inaudible", &[(1e-300, 3.0, 1.0), (1e6, 3.0, 1e19)]),
        example::model("twins", &[(440.0, 3.0, 1.0); 50]),
        example::model(&"long <name> & \n".repeat(99), &[(440.0, 3.0, 1.0)]),
        example::model("dense", &dense),
    ]
}

fn write(picture: Result<Picture>, path: &Path) {
    picture.unwrap().draw(path).unwrap().keep().unwrap();
}

#[test]
fn pictures_are_at_least_as_large_as_promised() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.png");
    let model = example::bar("bar", 200.0, 40, 4e-4);
    let sound = example::strike(&model, 0.5, 44_100);
    let wav = folder.path().join("x.wav");
    write_wav(&wav, 44_100, &sound);

    write(modes_picture(&model, None), &out);
    assert_eq!(png_size(&out), (1600, 1104));
    write(modes_picture(&model, Some(0)), &out);
    assert!(modes_picture(&model, Some(1)).is_err());
    write(file_spectrogram_picture(&wav), &out);
    assert_eq!(png_size(&out), (1600, 1012));
    let other = sound.iter().map(|y| 0.5 * y).collect();
    write(spectrogram_picture(&[sound, other], 44_100, "stereo"), &out);
    assert_eq!(png_size(&out), (1600, 1338));
    for count in [1, 12] {
        write(contact_sheet_picture(&vec![("bar".to_owned(), &model); count]), &out);
        let (width, height) = png_size(&out);
        assert!(width >= 1600 && height >= 1000, "{width} × {height}");
    }
}

#[test]
fn absurd_models_are_drawn_in_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    let models = odd_models();
    for model in &models {
        for ending in ["png", "svg"] {
            let out = folder.path().join("x").with_extension(ending);
            write(modes_picture(model, None), &out);
            let written = std::fs::read(&out).unwrap();
            let text = String::from_utf8_lossy(&written);
            assert!(ending == "png" || !(text.contains("NaN") || text.contains("\"inf")));
        }
    }
    let sheet: Vec<_> = models.iter().map(|m| (m.name.clone(), m)).collect();
    write(contact_sheet_picture(&sheet), &folder.path().join("x.svg"));
}

#[test]
fn masking_of_absurd_models_is_drawn_in_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    for model in odd_models() {
        for (playback_db, a_v_db) in [(0.0, 0.0), (70.0, 5.0), (140.0, 200.0)] {
            for ending in ["png", "svg"] {
                let out = folder.path().join("x").with_extension(ending);
                let options = MaskingOptions { playback_db, a_v_db };
                let (picture, counts) = masking_picture(&model, None, options).unwrap();
                write(Ok(picture), &out);
                let all = counts.audible + counts.masked + counts.unheard;
                assert_eq!(all, model.mode_count());
                let written = std::fs::read(&out).unwrap();
                let text = String::from_utf8_lossy(&written);
                assert!(ending == "png" || !(text.contains("NaN") || text.contains("\"inf")));
            }
        }
        let options = MaskingOptions { playback_db: 70.0, a_v_db: 5.0 };
        assert!(masking_picture(&model, Some(1), options).is_err());
    }
    for hz in [20.1, 440.0, 20e3] {
        let out = folder.path().join("x.svg");
        draw_line_chart(&masking_curves(hz, 15.0), &out).unwrap().keep().unwrap();
    }
}

#[test]
fn bad_sounds_are_errors_and_short_ones_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (wav, out) = (folder.path().join("x.wav"), folder.path().join("x.svg"));
    let error = |samples: &[f32], words: &str| {
        write_wav(&wav, 48_000, samples);
        let error = format!("{:#}", file_spectrogram_picture(&wav).unwrap_err());
        assert!(error.contains(words) && error.contains("x.wav"), "{error}");
    };
    error(&[], "no samples");
    error(&[0.0, f32::NAN], "sample 1 of channel 0 is NaN");
    for samples in [&[0.7f32][..], &[0.0; 2], &[1.0; 300]] {
        write_wav(&wav, 48_000, samples);
        write(file_spectrogram_picture(&wav), &out);
        write(spectrogram_picture(&[samples.to_vec()], 48_000, "short"), &out);
    }
    std::fs::write(&wav, b"RIFF but not really").unwrap();
    let error = format!("{:#}", file_spectrogram_picture(&wav).unwrap_err());
    assert!(error.contains("header is damaged"), "{error}");
    assert!(file_spectrogram_picture(&folder.path().join("none.wav")).is_err());
    assert!(spectrogram_picture(&[], 48_000, "nothing").is_err());
    assert!(contact_sheet_picture(&[]).is_err());
}

fn series(name: &str, points: Vec<(f64, f64)>, markers: bool) -> Series {
    Series { name: name.into(), points, markers, ..Series::default() }
}

/// Valid series with extreme values.
fn odd_series() -> Vec<Vec<Series>> {
    let noise = |i: u32| f64::from(i * 7919 % 1000);
    let dense = |k: u32| (0..20_000u32).map(|i| (f64::from(i), noise(i + k))).collect();
    let odd = [f64::NAN, f64::INFINITY, -f64::INFINITY, 0.0, -1.0, 1e308, -1e308, 1e-308, 3.0];
    let pairs = odd.iter().flat_map(|x| odd.map(|y| (*x, y))).collect();
    vec![
        vec![],
        vec![series("empty", vec![], true)],
        vec![series("point", vec![(440.0, 3.0)], false), series("", vec![(441.0, 3.0)], true)],
        vec![series("level", vec![(1.0, 5.0), (2.0, 5.0)], true)],
        vec![series("steep", vec![(1.0, 5.0), (1.0, 6.0)], true)],
        vec![series("odd", pairs, true)],
        vec![series("dense", dense(0), false), series("dense", dense(1), true)],
        (0..99).map(|i| series("many <&> \n", vec![(1.0, f64::from(i)); 3], true)).collect(),
    ]
}

#[test]
fn absurd_lines_are_drawn_in_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    let axes = [
        Axis::linear("x"),
        Axis::log("x"),
        Axis::linear("long ".repeat(99)).between(-1.0, 1.0),
        Axis::log("x").between(999.0, 1001.0),
    ];
    for series in odd_series() {
        for (x, y) in axes.iter().zip(axes.iter().rev()).chain(axes.iter().zip(&axes)) {
            let (title, facts) = ("title\n".repeat(99), String::new());
            let lines =
                LineChart { title, facts, x: x.clone(), y: y.clone(), series: series.clone() };
            for ending in ["png", "svg"] {
                let out = folder.path().join("x").with_extension(ending);
                draw_line_chart(&lines, &out).unwrap().keep().unwrap();
                let written = std::fs::read(&out).unwrap();
                let text = String::from_utf8_lossy(&written);
                assert!(ending == "png" || !(text.contains("NaN") || text.contains("inf")));
                assert!(written.len() < 1_500_000, "{} bytes", written.len());
            }
        }
    }
}

/// The middle of both axes is the middle of the panel, and every series has its name.
#[test]
fn lines_stand_where_their_numbers_say() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.svg");
    let lines = LineChart {
        title: "Quality".into(),
        facts: String::new(),
        x: Axis::log("Share of modes (%)").between(1.0, 100.0),
        y: Axis::linear("MOS").between(1.0, 5.0),
        series: vec![series("plates", vec![(10.0, 3.0)], true), series("bells", vec![], false)],
    };
    draw_line_chart(&lines, &out).unwrap().keep().unwrap();
    let text = std::fs::read_to_string(&out).unwrap();
    let panel = text.lines().nth(2).unwrap();
    assert!(panel.contains("x=\"120\" y=\"129\" width=\"1420\" height=\"680\""), "{panel}");
    assert!(text.contains("<circle cx=\"830\" cy=\"469\" r=\"6\""), "{text}");
    for word in ["Quality", "Share of modes (%)", "MOS", "plates", "bells", "10", "5"] {
        assert!(text.contains(&format!(">{word}</text>")), "{word}: {text}");
    }
}

/// Pictures for inspection: run with `--ignored gallery`, then open `foley-plots` in the
/// folder for temporary files.
#[test]
#[ignore = "writes pictures for human eyes: `make test` runs it by itself, after the others"]
fn gallery() {
    let out: PathBuf = std::env::temp_dir().join("foley-plots");
    std::fs::create_dir_all(&out).unwrap();
    let names = ["Bronze bowl", "Oak plank", "Wine glass", "Steel rod", "Cup", "Anvil"];
    let names = [names, ["Brick", "Tile", "Bottle", "Fork", "Pan", "Bell"]].concat();
    let models: Vec<ModalModel> = (0..12)
        .map(|i| {
            let loss = 2e-4 * 1.6f64.powi(i * 5 % 12);
            example::bar(names[i as usize], 80.0 * 1.35f64.powi(i), 20 + 7 * i as usize, loss)
        })
        .collect();
    let mut left = vec![0.0f32; 480_000];
    for (i, start) in [14_400, 72_000, 105_600, 192_000, 312_000].into_iter().enumerate() {
        let sound = example::strike(&models[2 * i], 3.5, 48_000);
        left[start..].iter_mut().zip(sound).for_each(|(y, s)| *y += 0.05 * s);
    }
    let right: Vec<f32> = left.iter().enumerate().map(|(i, y)| y * i as f32 / 480e3).collect();
    let sheet: Vec<_> = models.iter().map(|m| (m.name.clone(), m)).collect();
    let bowl = example::bar("Bronze bowl", 212.0, 40, 1.0 / 2500.0);
    for ending in ["png", "svg"] {
        let file = |name: &str| out.join(name).with_extension(ending);
        write(modes_picture(&bowl, None), &file("modes"));
        write(contact_sheet_picture(&sheet), &file("sheet"));
        write(spectrogram_picture(&[left.clone()], 48_000, "Five strikes"), &file("spectrogram"));
        let stereo = [left.clone(), right.clone()];
        write(spectrogram_picture(&stereo, 48_000, "Five strikes, moving right"), &file("stereo"));
        write(spectrogram_picture(&[vec![0.4; 30]], 48_000, "Thirty samples"), &file("short"));
    }
    for (i, series) in odd_series().into_iter().enumerate() {
        let (x, y) = (Axis::linear("Time (s)"), Axis::linear("Value (1)"));
        let lines = LineChart { title: format!("Odd {i}"), facts: String::new(), x, y, series };
        draw_line_chart(&lines, &out.join(format!("lines-{i}.png"))).unwrap().keep().unwrap();
    }
    let mos = |k: f64| {
        let share = |i: u32| 0.5 * 200f64.powf(f64::from(i) / 9.0);
        (0..10).map(share).map(|s| (s, 5.0 - 4.0 * (-k * s).exp())).collect()
    };
    let quality = LineChart {
        title: "Quality over the share of modes".into(),
        facts: "four scenes  ·  mean opinion score by a model of hearing".into(),
        x: Axis::log("Share of modes (%)").between(0.5, 100.0),
        y: Axis::linear("MOS (1 … 5)").between(1.0, 5.0),
        series: vec![
            series("plates", mos(0.9), true),
            series("bells", mos(0.5), true),
            series("picnic in the hail", mos(0.2), true),
            series("can", mos(0.1), true),
            series("glasses", mos(0.05), true),
        ],
    };
    draw_line_chart(&quality, &out.join("lines-quality.png")).unwrap().keep().unwrap();
    let rate = |i: u32| {
        let t = f64::from(i) / 1000.0;
        (t, 300.0 * (1.0 + 20.0 * (t - 5.0).abs()) * (1.0 + 0.3 * (f64::from(i) * 1.7).sin()))
    };
    let frames = LineChart {
        title: "Frames per second".into(),
        facts: "20,000 frames".into(),
        x: Axis::linear("Time (s)"),
        y: Axis::log("Frames per second"),
        series: vec![series("hail", (0..20_000).map(rate).collect(), false)],
    };
    draw_line_chart(&frames, &out.join("lines-rate.png")).unwrap().keep().unwrap();
    for (i, model) in odd_models().iter().enumerate() {
        write(modes_picture(model, None), &out.join(format!("odd-{i}.png")));
        let options = MaskingOptions { playback_db: 70.0, a_v_db: 5.0 };
        let file = out.join(format!("masking-{i}.png"));
        write(masking_picture(model, None, options).map(|drawn| drawn.0), &file);
    }
}
