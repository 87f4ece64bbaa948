//! What a command that is ended by a signal leaves behind: nothing, or what the next command removes.
#![cfg(unix)]

use crate::common;

use common::Foley;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

const SCENE: &str = "seconds = 0.2\nground = \"wood\"\n[[object]]\nshape = \"bar:200x30x8mm\"\n\
                     material = \"steel\"\nposition = [0, 0, 0.1]\n";

/// Longer than any machine takes; reached only when a test fails.
const TIMEOUT: Duration = Duration::from_secs(120);

fn temporary_files(foley: &Foley) -> usize {
    let names = std::fs::read_dir(foley.path("out")).unwrap();
    let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    names.filter(|entry| is_hidden(&entry.as_ref().unwrap().file_name())).count()
}

/// Starts a command that waits while it writes a film: the program in the place of ffmpeg ends only after it.
fn start_filming(wrapper: &[&str]) -> (Foley, Child) {
    let foley = Foley::new();
    foley.write("fall.toml", SCENE);
    std::fs::create_dir(foley.path("out")).unwrap();
    std::fs::create_dir(foley.path("bin")).unwrap();
    foley.write("bin/ffmpeg", "#!/bin/sh\nwhile kill -0 $PPID 2>/dev/null; do sleep 0.1; done\n");
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(foley.path("bin/ffmpeg"), may_run).unwrap();
    let args = ["render", "fall.toml", "-o", "out/fall.wav", "--video", "out/fall.mp4"];
    let foley_command = foley.command(&args);
    let mut command = match wrapper {
        [] => foley_command,
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).arg(foley_command.get_program()).args(foley_command.get_args());
            command.current_dir(foley.folder()).env("FOLEY_CACHE_DIR", common::models());
            command
        }
    };
    let path = format!("{}:{}", foley.path("bin").display(), std::env::var("PATH").unwrap());
    let mut child = command.env("PATH", path).spawn().unwrap();
    let began = Instant::now();
    // The sound has its name when the film is begun.
    while !(foley.path("out/fall.wav").exists() && temporary_files(&foley) == 1) {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        assert!(began.elapsed() < TIMEOUT, "no film was begun");
        std::thread::sleep(Duration::from_millis(20));
    }
    (foley, child)
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// With the signals of a terminal: `nohup` and the background of a shell ignore some.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_no_temporary_file() {
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let (foley, mut child) = start_filming(&["env", "--default-signal"]);
        send(name, &child);
        // As a shell expects: ended by the signal, not with an exit code.
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
        assert_eq!(temporary_files(&foley), 0, "{name}");
    }
}

#[test]
fn the_next_command_removes_what_a_killed_one_left() {
    let (foley, mut child) = start_filming(&[]);
    // While it runs, its file is not taken for a leftover.
    foley.good(&["modes", "bar:200x30x8mm", "-m", "steel", "-o", "out/a.modal"]);
    assert_eq!(temporary_files(&foley), 1);
    send("-KILL", &child);
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    assert_eq!(temporary_files(&foley), 1);
    foley.good(&["modes", "bar:200x30x8mm", "-m", "steel", "-o", "out/a.modal"]);
    assert_eq!(temporary_files(&foley), 0);
}

/// `nohup` starts a program with this signal ignored.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let (foley, mut child) = start_filming(&["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]);
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it did not go on");
    assert_eq!(temporary_files(&foley), 1);
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(temporary_files(&foley), 0);
}
