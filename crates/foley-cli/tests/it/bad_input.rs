//! What each command does with what it cannot use: one line, a remedy, and nothing written.

use crate::common;

use common::{BAR, Foley};

/// A whole number of places, spread over a length.
fn places(length: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |i| i * length / count)
}

#[test]
fn truncated_models_are_refused() {
    let foley = Foley::with_bar();
    let complete = foley.read("bar.modal");
    for length in places(complete.len(), 24).chain([1, 7, 8, 12, 15, 16, 17, complete.len() - 1]) {
        foley.write("cut.modal", &complete[..length]);
        foley.refuses(1, &["check", "cut.modal"], &["cut.modal: "]);
    }
    foley.refuses(1, &["strike", "cut.modal"], &["cut.modal: ", "damaged"]);
    foley.refuses(1, &["plot", "cut.modal"], &["cut.modal: ", "damaged"]);
    foley.write("empty.modal", b"");
    foley.refuses(1, &["strike", "empty.modal"], &["empty.modal: this is not a .modal file"]);
    foley.refuses(1, &["plot", "empty.modal"], &["empty.modal: this is not a .modal file"]);
}

#[test]
fn models_with_a_flipped_bit_are_refused() {
    let foley = Foley::with_bar();
    let complete = foley.read("bar.modal");
    for (i, at) in places(complete.len(), 32).enumerate() {
        let mut bytes = complete.clone();
        bytes[at] ^= 1 << (i % 8);
        foley.write("flipped.modal", bytes);
        foley.refuses(1, &["check", "flipped.modal"], &["flipped.modal: "]);
    }
    foley.refuses(1, &["strike", "flipped.modal"], &["flipped.modal: the checksum is"]);
}

/// The bytes of a model with another header, and a checksum that fits.
fn with_header(complete: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    let length = u32::from_le_bytes(complete[12..16].try_into().unwrap()) as usize;
    let header = change(String::from_utf8(complete[16..16 + length].to_vec()).unwrap());
    let mut bytes = complete[..12].to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(&complete[16 + length..complete.len() - 4]);
    sealed(bytes)
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// With a checksum that fits: only the contents lie.
#[test]
fn models_whose_header_lies_are_refused() {
    let foley = Foley::with_bar();
    let complete = foley.read("bar.modal");
    assert!(with_header(&complete, |h| h) == complete, "the format has changed");
    let mut huge = complete[..complete.len() - 4].to_vec();
    huge[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let lie = |from: &'static str, to: &'static str| {
        with_header(&complete, move |header| {
            assert!(header.contains(from), "no {from} in {header}");
            header.replace(from, to)
        })
    };
    for (bytes, says) in [
        (sealed(huge), "inside its header; copy it again"),
        (lie("\"modes\":4", "\"modes\":4000000000000"), "array `"),
        (lie("\"modes\":4", "\"modes\":-4"), "the header cannot be read"),
        (lie("\"modes\":4", "\"modes\":0"), "array `"),
        (lie("\"arrays\"", "\"arrows\""), "the header cannot be read"),
        (lie("\"offset\":0", "\"offset\":18446744073709551615"), "beyond the end of the file"),
        (lie("<f8", "<f2"), "must be of type"),
        (with_header(&complete, |_| "[".repeat(100_000)), "the header cannot be read"),
        (with_header(&complete, |_| String::new()), "the header cannot be read"),
        (lie("\"mass_kg\":", "\"mass_kg\":-"), "mass"),
    ] {
        foley.write("lie.modal", bytes);
        for command in ["check", "strike", "plot"] {
            foley.refuses(1, &[command, "lie.modal"], &["lie.modal: ", says]);
        }
    }
}

#[test]
fn folders_and_missing_files_are_no_files() {
    let foley = Foley::with_bar();
    for name in ["folder", "folder.modal", "folder.wav", "out.wav", "out.png"] {
        std::fs::create_dir(foley.path(name)).unwrap();
    }
    for command in ["strike", "plot", "check"] {
        foley.refuses(1, &[command, "folder.modal"], &["folder.modal: this is not a regular file"]);
        foley.refuses(1, &[command, "none.modal"], &["none.modal: cannot open the file"]);
    }
    for command in ["plot", "check"] {
        foley.refuses(1, &[command, "folder.wav"], &["folder.wav: this is not a regular file"]);
        foley.refuses(1, &[command, "none.wav"], &["none.wav: cannot open the file"]);
        foley.refuses(2, &[command, "folder"], &["folder: only ", ".wav and .flac files"]);
    }
    for name in ["e.obj", "e.ply", "e.stl", "e.gltf", "e.glb"] {
        foley.write(name, b"");
        foley.refuses(1, &["check", name], &[name, "the file is empty; export the mesh again"]);
        foley.refuses(1, &["strike", name, "-m", "steel"], &[name, "the file is empty"]);
    }
    for command in ["strike", "modes", "check", "render"] {
        foley.refuses(2, &[command, ""], &["a value is required"]);
    }
    foley.refuses(1, &["strike", "folder"], &["folder: this is not a regular file"]);
    foley.refuses(2, &["strike", "none"], &["none: no such file, and not a shape such as `bar:"]);
    foley.refuses(1, &["strike", "bar.modal", "-o", "out.wav"], &["out.wav", "another name"]);
    foley.refuses(1, &["plot", "bar.modal", "-o", "out.png"], &["out.png", "another name"]);
    foley.refuses(1, &["strike", "bar.modal", "--picture", "out.png"], &["out.png"]);
}

#[test]
fn impossible_shapes_are_refused() {
    let foley = Foley::new();
    for (code, shape, says) in [
        (2, "bar:300x30x-8mm", "thickness of the bar is -0.008 m; it must be between"),
        (2, "bar:300x30x0mm", "thickness of the bar is 0 m; it must be between"),
        (2, "bar:300x30xNaNmm", "thickness `NaNmm` is not a number"),
        (2, "bar:300x30x1e999mm", "thickness of the bar is inf m; it must be between"),
        (2, "bar:300x30x500mm", "thickness of the bar is 0.5 m, more than its length"),
        (2, "bar:300x30mm", "write for example `bar:300x30x8mm"),
        (2, "bar:", "write for example `bar:300x30x8mm"),
        (2, "cube:3x3x3mm", "no kind `cube`, only bar, rod, plate"),
        // Only the analysis finds these.
        (1, "disc:1e-5x1e-6m", "change its size"),
        (1, "plate:1000x1000x0.000001m", "plate"),
    ] {
        foley.refuses(code, &["modes", shape, "-m", "steel"], &[says]);
        foley.refuses(code, &["strike", shape, "-m", "steel"], &[says]);
    }
}

#[test]
fn unknown_names_are_answered_with_known_ones() {
    let foley = Foley::with_bar();
    for command in ["modes", "strike"] {
        let says = ["no material `stel`; did you mean `steel`?"];
        foley.refuses(2, &[command, BAR[0], "-m", "stel"], &says);
        let says = ["it needs a material, e.g. --material steel"];
        foley.refuses(2, &[command, BAR[0]], &says);
    }
    let says = ["no striker \"gong\"; there are: steel ball, "];
    foley.refuses(2, &["strike", "bar.modal", "--with", "gong"], &says);
    foley.refuses(2, &["demo", "hail"], &["no demo `hail`; `foley demo --list` shows them"]);
    for [flag, value] in
        [["--material", "steel"], ["--max-modes", "2"], ["--max-frequency", "2kHz"]]
    {
        let says = ["bar.modal is a model file", &format!("leave {flag} out")];
        foley.refuses(2, &["strike", "bar.modal", flag, value], &says);
    }
}

#[test]
fn outputs_of_unknown_kinds_are_refused() {
    let foley = Foley::with_bar();
    let strike = |flag, name| ["strike", "bar.modal", flag, name];
    foley.refuses(2, &strike("-o", "a.mp3"), &["a.mp3: the format .mp3 is not known", ".flac"]);
    foley.refuses(2, &strike("-o", "sound"), &["sound: its name has no extension", ".wav"]);
    foley.refuses(2, &strike("--picture", "a.jpg"), &["a.jpg: .jpg is not .png or .svg"]);
    foley.refuses(2, &strike("--picture", "a"), &["draw a: end its name with .png or .svg"]);
    foley.refuses(2, &["plot", "bar.modal", "-o", "a.gif"], &["a.gif: .gif is not .png or .svg"]);
    foley.refuses(
        2,
        &["plot", "bar.png"],
        &["bar.png: only .modal, .wav and .flac files can be drawn"],
    );
    foley.refuses(
        2,
        &["check", "bar.txt"],
        &["bar.txt: only meshes, scenes, .modal, .wav and .flac files"],
    );
    let modes = |name| ["modes", BAR[0], BAR[1], BAR[2], "-o", name];
    foley.refuses(2, &modes("a.wav"), &["a.wav: end its name with .modal or .json"]);
    foley.refuses(2, &modes("model"), &["model: end its name with .modal or .json"]);
    let args = [&modes("a.modal")[..], &["--export-json"]].concat();
    foley.refuses(2, &args, &["a.modal: end its name with .json"]);
    // 40 dB above full scale: a FLAC file would clip it.
    let loud = ["strike", "bar.modal", "--physical", "--speed", "100", "-o", "a.flac"];
    foley.refuses(1, &loud, &["a.flac", "above full scale", "use .wav"]);
}

/// Sound and picture come both or not at all.
#[test]
fn folders_that_cannot_be_written_are_refused() {
    let foley = Foley::with_bar();
    foley.write("file", b"in the way");
    let mut nowhere = vec!["none", "file"];
    if cfg!(target_os = "linux") {
        nowhere.push("/proc");
    }
    for folder in nowhere {
        let [wav, flac, png, svg, modal, json] =
            ["wav", "flac", "png", "svg", "modal", "json"].map(|e| format!("{folder}/a.{e}"));
        let strike = |more: &[&str]| {
            let args = [&["strike", "bar.modal", "--seconds", "0.1"], more].concat();
            foley.refuses(1, &args, &[folder]);
        };
        strike(&["-o", &wav]);
        strike(&["-o", &flac, "--picture", "a.png"]);
        strike(&["-o", "a.wav", "--picture", &png]);
        foley.refuses(1, &["plot", "bar.modal", "-o", &svg], &[&svg]);
        for model in [&modal, &json] {
            foley.refuses(1, &["modes", BAR[0], BAR[1], BAR[2], "-o", model], &[model]);
        }
    }
    foley.refuses(1, &["demo", "-o", "file"], &["cannot make the folder file"]);
}

#[test]
fn values_that_make_no_sense_are_misuse() {
    let foley = Foley::with_bar();
    let bad: [(&str, &[&str], &str); 6] = [
        ("--speed", &["-1", "nan", "inf", "-inf", "fast", "1001", ""], "between 0 and 1000 m/s"),
        ("--seconds", &["0", "-1", "nan", "inf", "601", "1e-9", "long"], "between 0.01 and 600"),
        ("--loudness", &["nan", "inf", "-inf", "100", "0", "-1000"], "between -60 and -6 LUFS"),
        ("--max-modes", &["0", "-1", "nan", "1.5", "99999999999999999999"], "between 1 and"),
        (
            "--max-frequency",
            &["nan", "inf", "-5", "0", "20", "kHz", "5 MHz", "1e9", "high"],
            "e.g. 8kHz or 8000",
        ),
        (
            "--at",
            &["middle", "nan", "inf,0,0", "1,2,3,4", "#", "#-1", "#x", "1;2", ",", ""],
            "write metres from the middle as 0.1,0,0 or a surface point as #7",
        ),
    ];
    for (flag, values, says) in bad {
        for value in values {
            let says = [flag, says, "see `foley strike --help`"];
            foley.refuses(2, &["strike", BAR[0], BAR[1], BAR[2], flag, value], &says);
        }
    }
    for rounds in ["0", "-1", "many", "1001"] {
        foley.refuses(2, &["bench", "modes", "--rounds", rounds], &["between 1 and 1000"]);
    }
    let says = ["--at #41: steel bar:300x30x8mm has points #0 to #"];
    foley.refuses(1, &["strike", "bar.modal", "--at", "#41"], &says);
    foley.refuses(
        1,
        &["plot", "bar.modal", "--point", "41"],
        &["--point 41: bar.modal has points 0"],
    );
}

#[test]
fn misuse_is_told_in_one_line_with_exit_code_2() {
    let foley = Foley::with_bar();
    for (args, says) in [
        (&["strike"][..], "were not provided: <TARGET>"),
        (&["modes"], "were not provided: <MESH|SHAPE|MODEL>"),
        (&["plot"], "were not provided: <FILE>"),
        (&["check"], "were not provided: <FILE>"),
        (&["strike", "bar.modal", "--sped", "2"], "a similar argument exists: '--speed'"),
        (&["strike", "bar.modal", "--speed"], "a value is required for '--speed"),
        (&["strike", "bar.modal", "more.modal"], "unexpected argument 'more.modal'"),
        (&["strike", "bar.modal", "--device", "x"], "were not provided: --play"),
        (&["strike", "bar.modal", "--play", "-o", "a.wav"], "'--play' cannot be used with"),
        (&["strike", "bar.modal", "--play", "--picture", "a.png"], "'--play' cannot be used with"),
        (&["strike", "bar.modal", "--physical", "--loudness", "-20"], "cannot be used with"),
        (&["plot", "bar.modal", "--point", "-1"], "unexpected argument '-1'"),
        (&["bench", "shells"], "unrecognized subcommand 'shells'"),
    ] {
        let see = format!("see `foley {} --help`", args[0]);
        foley.refuses(2, args, &[says, &see]);
    }
    foley.refuses(2, &["stirke"], &["unrecognized subcommand 'stirke'", "see `foley --help`"]);
    foley.refuses(2, &["--verbose"], &["unexpected argument '--verbose'", "see `foley --help`"]);
}

#[test]
fn what_is_no_sound_is_not_drawn() {
    let foley = Foley::with_bar();
    foley.good(&["strike", "bar.modal", "--seconds", "0.1"]);
    let complete = foley.read("strike.wav");
    foley.write("text.wav", b"Dear diary, today I struck a bar.");
    foley.write("model.wav", foley.read("bar.modal"));
    foley.write("empty.wav", b"");
    foley.write("cut.wav", &complete[..complete.len() / 2]);
    let spec = hound::WavReader::new(&complete[..]).unwrap().spec();
    hound::WavWriter::create(foley.path("none.wav"), spec).unwrap().finalize().unwrap();
    for (name, says) in [
        ("text.wav", "neither WAV nor FLAC"),
        ("model.wav", "neither WAV nor FLAC"),
        ("empty.wav", "neither WAV nor FLAC"),
        ("cut.wav", "breaks off or is damaged at sample"),
        ("none.wav", "the file holds no samples"),
    ] {
        for command in ["plot", "check"] {
            foley.refuses(1, &[command, name], &[name, says]);
        }
    }
    foley.refuses(2, &["plot", "strike.wav", "--point", "1"], &["strike.wav", "leave --point out"]);
    // A sound is not a model either, whatever it is called.
    foley.write("sound.modal", &complete);
    foley.refuses(1, &["strike", "sound.modal"], &["sound.modal: this is not a .modal file"]);
    let sound = ["strike", "strike.wav", "-o", "other.wav"];
    foley.refuses(1, &sound, &["strike.wav: this is not a .modal file"]);
}

#[test]
fn names_cannot_break_the_line() {
    let foley = Foley::new();
    let name = "two\nlines\u{1b}[31m.modal";
    foley.refuses(1, &["check", name], &["two\\nlines\\u001b[31m.modal: cannot open"]);
    foley.refuses(2, &["strike", "x", "--speed", name], &["--speed"]);
}

/// Neither results nor the JSON of them move the cursor or change colours.
#[cfg(unix)]
#[test]
fn names_reach_the_terminal_without_control_characters() {
    let foley = Foley::with_bar();
    for name in [
        "two\nlines.wav",
        "\u{1b}[2J.wav",
        "\u{9b}2J.wav",
        "\u{202e}vaw.wav",
        "\u{200e}\u{200f}\u{61c}a.wav",
    ] {
        let strike = ["strike", "bar.modal", "--seconds", "0.1", "-o", name];
        for said in [foley.good(&strike), foley.good(&["check", name])] {
            let odd = |c: char| {
                c != '\n' && c.is_control() || "\u{202e}\u{200e}\u{200f}\u{61c}".contains(c)
            };
            assert!(said.ends_with('\n') && !said.contains(odd), "{said:?}");
            assert!(said.lines().all(|line| !line.starts_with("lines.wav")), "{said:?}");
        }
        let facts = foley.good(&[&strike[..], &["--json"]].concat());
        assert!(facts.trim_end().chars().all(|c| !c.is_control()), "{facts:?}");
        assert_eq!(foley.facts(&strike)["written"], name);
    }
    foley.good(&["strike", "bar.modal", "--seconds", "0.1", "-o", "Glöckchen 鐘.wav"]);
    assert!(foley.good(&["check", "Glöckchen 鐘.wav"]).contains("Glöckchen 鐘.wav: good"));
}

/// The message names the cause and a remedy.
#[test]
fn remedies_fit_the_cause() {
    let foley = Foley::with_bar();
    let wav = |channels: u16, tag: u16| {
        let mut bytes = b"RIFF\x24\x10\0\0WAVEfmt \x10\0\0\0".to_vec();
        bytes.extend([tag.to_le_bytes(), channels.to_le_bytes()].concat());
        bytes.extend(
            [48_000u32.to_le_bytes(), (96_000 * u32::from(channels)).to_le_bytes()].concat(),
        );
        bytes.extend([(2 * channels).to_le_bytes(), 16u16.to_le_bytes()].concat());
        bytes.extend(b"data\0\x10\0\0");
        bytes.resize(44 + 4096, 0);
        bytes
    };
    foley.write("many.wav", wav(64, 1));
    foley.write("none.wav", wav(0, 1));
    foley.write("mp3.wav", wav(1, 0x55));
    foley.write("cut.wav", &wav(1, 1)[..30]);
    for command in ["check", "fit", "plot"] {
        foley.refuses(1, &[command, "many.wav"], &["64 channels, and at most 26", "mix it down"]);
        foley.refuses(1, &[command, "none.wav"], &["no channels; export it again"]);
        foley.refuses(1, &[command, "mp3.wav"], &["0x0055", "WAV without compression"]);
        foley.refuses(1, &[command, "cut.wav"], &["cut off; copy or export it again"]);
    }
    let ply = |vertices: u64, faces: u64| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\n\
             property float z\nelement face {faces}\nproperty list uchar int vertex_indices\n\
             end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
        )
    };
    foley.write("vertices.ply", ply(4_000_000_000, 1));
    foley.write("faces.ply", ply(3, 4_000_000_000));
    for (name, what) in [("vertices.ply", "4000000000 vertices"), ("faces.ply", "triangles")] {
        let says = [what, "cut short or damaged; export it again"];
        foley.refuses(1, &["check", name], &says);
        foley.refuses(1, &["modes", name, "-m", "steel"], &says);
    }
    let long = "n".repeat(300);
    let shorter = "choose a shorter or simpler name";
    let [wav, png] = ["wav", "png"].map(|ending| format!("{long}.{ending}"));
    foley.refuses(1, &["strike", "bar.modal", "-o", &wav], &[shorter]);
    foley.refuses(1, &["plot", "bar.modal", "-o", &png], &[shorter]);
    foley.refuses(1, &["demo", "dozen", "-o", &long], &[shorter]);
    foley.write("grid.toml", "[[object]]\nmodel = \"bar.modal\"\ngrid = [2, 2, 1]\n");
    foley.refuses(1, &["check", "grid.toml"], &["grid.toml:3:", "needs `spacing`"]);
}

/// Mistakes that show without opening a file have exit code 2, all others 1.
#[test]
fn the_exit_codes_are_documented() {
    let sentence = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let from = text.find("Exit codes: 0").unwrap_or_else(|| panic!("no exit codes: {text}"));
        text[from..].split_inclusive('.').next().unwrap().to_owned()
    };
    let help = sentence(&Foley::new().good(&["--help"]));
    assert!(help.contains("1 a file") && help.ends_with("SIGTERM."), "{help}");
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    assert_eq!(help, sentence(&std::fs::read_to_string(readme).unwrap()));
}

#[test]
fn options_without_effect_are_misuse() {
    let foley = Foley::with_bar();
    for args in [
        &["strike", "bar.modal", "--playback-db", "60"][..],
        &["strike", "bar.modal", "--audible", "--physical", "--playback-db", "60"],
        &["strike", "bar.modal", "-o", "x.wav", "--device", "card"],
        &["strike", "bar.modal", "-o", "x.wav", "--playback-db", "60"],
        &["strike", "bar.modal", "--loudness", "-20", "--device", "card"],
        &["plot", "bar.modal", "--mode", "1", "--playback-db", "60"],
        &["plot", "bar.modal", "--sound-map", "--playback-db", "60"],
        &["plot", "bar.modal", "--mode", "1", "--a-v", "5"],
        &["plot", "bar.modal", "--sound-map", "--a-v", "5"],
        &["demo", "--list", "-o", "out"],
        &["demo", "rings", "--list"],
        &["modes", "bar.modal", "-o", "b.modal", "--max-modes", "2"],
        &["modes", "bar.modal", "-o", "b.modal", "--thickness", "2mm"],
        &["modes", "bar.modal", "-o", "b.modal", "--no-compression"],
    ] {
        foley.refuses(2, args, &["--"]);
    }
    let heard = ["strike", "bar.modal", "--seconds", "0.1", "--audible", "--playback-db", "60"];
    foley.good(&heard);
}

#[test]
fn help_about_help_is_help() {
    let foley = Foley::new();
    let help = foley.good(&["help"]);
    assert!(help.starts_with("Foley hears physics"), "{help}");
    for args in [&["help", "--help"][..], &["help", "-h"], &["--json", "help", "--help"]] {
        assert_eq!(foley.good(args), help, "{args:?}");
    }
    assert_eq!(foley.good(&["help", "strike", "--help"]), foley.good(&["help", "strike"]));
    assert_eq!(foley.good(&["bench", "help", "--help"]), foley.good(&["bench", "help"]));
    // Elsewhere it is a word as any other.
    assert!(foley.good(&["strike", "help", "--help"]).contains("Usage: foley strike"));
    foley.refuses(2, &["help", "stirke"], &["unrecognized subcommand 'stirke'"]);
}

/// Neither a server nor a card: one line that says what to do instead.
#[test]
fn playing_without_a_sound_device_fails_in_one_line() {
    let foley = Foley::with_bar();
    foley.write("alsa.conf", b"");
    foley.write("fall.toml", b"ground = \"wood\"\n[[object]]\nmodel = \"bar.modal\"\n");
    let deaf = |args: &[&str]| {
        let mut command = foley.command(args);
        command.env("ALSA_CONFIG_PATH", foley.path("alsa.conf")).env_remove("PULSE_SERVER");
        for variable in ["XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "XDG_CONFIG_HOME", "HOME"] {
            command.env(variable, foley.path("none"));
        }
        command
    };
    let instead = "foley render fall.toml -o sound.wav";
    foley.check_refusal(1, &mut deaf(&["play", "fall.toml"]), &["no sound device: ", instead]);
    let mut command = deaf(&["strike", "bar.modal", "--play", "--seconds", "0.1"]);
    foley.check_refusal(1, &mut command, &["no sound device: ", "leave --play out"]);
    command.args(["--device", "hifi"]);
    foley.check_refusal(1, &mut command, &["no sound device", "hifi"]);
}

/// A failed write to stdout is an error.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_a_failure() {
    let foley = Foley::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = foley.command(&["demo", "--list"]);
    let output = command.stdout(full).stderr(std::process::Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("foley: cannot write to standard output: "), "{said}");
}
