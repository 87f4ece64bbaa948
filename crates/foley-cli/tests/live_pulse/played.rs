//! `foley play`, run as a program.

use serde_json::Value;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::server::Server;

/// Sends a process a signal such as `STOP`.
pub(crate) fn signal(process: u32, name: &str) {
    let status = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(status.unwrap().success(), "kill -{name}");
}

/// A scene file in a folder of its own.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
    file: String,
}

impl Scene {
    /// A bar that is scraped all the time: no sample of it is silent.
    pub(crate) fn scraped(seconds: f64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            r#"
            seconds = {seconds}
            full_scale_pa = 0.5
            [listener]
            position = [0, -1, 0]
            [[object]]
            name = "bar"
            shape = "bar:300x30x8mm"
            material = "steel"
            motion = "fixed"
            max_modes = 12
            [[scrape]]
            object = "bar"
            along = [[-0.05, 0, 0], [0.05, 0, 0]]
            back_and_forth = true
            speed_m_s = 0.2
            force_n = 1
            seconds = {seconds}
            "#
        );
        std::fs::write(folder.path().join("scene.toml"), text).unwrap();
        Self { folder, file: "scene.toml".to_owned() }
    }

    /// A built-in scene; rendering it prepares its models.
    pub(crate) fn demo(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut demo = Command::new(env!("CARGO_BIN_EXE_foley"));
        // Without ffmpeg no film is made.
        demo.args(["demo", name, "-o", "."]).current_dir(folder.path()).env("PATH", "");
        demo.env("FOLEY_CACHE_DIR", folder.path().join("models"));
        let output = demo.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        Self { folder, file: format!("{name}.toml") }
    }

    pub(crate) fn play(&self, server: &Server) -> Child {
        let empty = server.folder().join("empty.conf");
        std::fs::write(&empty, "").unwrap();
        // With the signals of a terminal: `nohup` and the background of a shell ignore some.
        let mut command = Command::new("env");
        command.args([
            "--default-signal",
            env!("CARGO_BIN_EXE_foley"),
            "--json",
            "play",
            &self.file,
        ]);
        command.current_dir(self.folder.path());
        command.env("FOLEY_CACHE_DIR", self.folder.path().join("models"));
        for variable in ["PULSE_RUNTIME_PATH", "XDG_RUNTIME_DIR", "PULSE_SINK"] {
            command.env_remove(variable);
        }
        command.env("PULSE_SERVER", server.address()).env("ALSA_CONFIG_PATH", empty);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Child(command.spawn().unwrap())
    }
}

/// A command that plays; killed with the value.
pub(crate) struct Child(std::process::Child);

/// What a command has said.
pub(crate) struct Played {
    pub(crate) code: Option<i32>,
    pub(crate) stderr: String,
    /// `Null` after an error.
    pub(crate) facts: Value,
}

impl Played {
    pub(crate) fn number(&self, key: &str) -> f64 {
        self.facts[key].as_f64().unwrap_or_else(|| panic!("{key} in {}", self.facts))
    }
}

impl Child {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits until the server has a stream of it.
    pub(crate) fn wait_until_it_plays(&mut self, server: &Server) {
        let began = Instant::now();
        while !server.is_played_on() {
            assert!(began.elapsed() < Duration::from_secs(60), "nothing is played");
            assert!(self.0.try_wait().unwrap().is_none(), "it has ended");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end; a command that takes too long is killed, which is a failure.
    pub(crate) fn finish(mut self, limit: Duration) -> Played {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < limit, "it still runs after {limit:?}");
            thread::sleep(Duration::from_millis(10));
        };
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.0.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        self.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let facts = serde_json::from_str(&stdout).unwrap_or_default();
        Played { code: status.code(), stderr, facts }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Threads that compute all the time, until the value is dropped.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    pub(crate) fn start(threads: usize) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let spin = || {
            let stop = Arc::clone(&stop);
            thread::spawn(move || {
                while !stop.load(Relaxed) {
                    std::hint::spin_loop();
                }
            })
        };
        let threads = (0..threads).map(|_| spin()).collect();
        Self { stop, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}
