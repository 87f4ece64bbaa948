//! A private PulseAudio that nobody else sees or hears.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) const SINK: &str = "foley_test";

/// Programs these tests need that are not installed.
pub(crate) fn missing() -> Vec<&'static str> {
    ["pulseaudio", "pactl", "parec"].into_iter().filter(|program| !installed(program)).collect()
}

fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// ALSA's bridge to PulseAudio, where it is not installed.
pub(crate) fn missing_alsa_plugin() -> Vec<&'static str> {
    let plugin = Path::new("alsa-lib/libasound_module_pcm_pulse.so");
    let roots = ["/usr/lib", "/usr/lib64"].map(Path::new);
    let found = roots.iter().any(|root| {
        root.join(plugin).is_file()
            || fs::read_dir(root).is_ok_and(|mut entries| {
                entries.any(|e| e.is_ok_and(|e| e.path().join(plugin).is_file()))
            })
    });
    if found { Vec::new() } else { vec!["ALSA's pulse plugin (libasound2-plugins)"] }
}

/// The module of the sink that goes nowhere.
fn sink() -> String {
    format!(
        "module-null-sink sink_name={SINK} format=float32le rate=48000 channels=2 \
         channel_map=front-left,front-right"
    )
}

fn spawn(folder: &Path) -> Result<Child, String> {
    let socket = folder.join("native");
    let door = format!("module-native-protocol-unix auth-anonymous=1 socket={}", socket.display());
    let log = fs::File::create(folder.join("log")).map_err(|error| error.to_string())?;
    Command::new("pulseaudio")
        .args(["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"])
        .args(["--disable-shm=yes", "--high-priority=no", "--realtime=no"])
        .args(["-L", &sink(), "-L", &door])
        .env("HOME", folder)
        .env("XDG_RUNTIME_DIR", folder)
        .env_remove("PULSE_SERVER")
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .map_err(|error| format!("cannot start pulseaudio: {error}"))
}

/// The server process and its folder; both end with the value.
pub(crate) struct Server {
    process: Child,
    folder: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let process = spawn(folder.path())?;
        let mut server = Self { process, folder };
        server.wait_until_it_answers()?;
        Ok(server)
    }

    /// Starts it again after it was killed, at the same address.
    pub(crate) fn start_again(&mut self) -> Result<(), String> {
        let _ = self.process.wait();
        self.process = spawn(self.folder.path())?;
        self.wait_until_it_answers()
    }

    /// Runs `pactl` with these words.
    pub(crate) fn control(&self, words: &[&str]) -> Result<(), String> {
        let status = Command::new("pactl")
            .args(["--server", &self.address()])
            .args(words)
            .env("HOME", self.folder.path())
            .stdout(Stdio::null())
            .status()
            .map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("pactl {words:?}: {status}")) }
    }

    /// Returns whether a program plays on it.
    pub(crate) fn is_played_on(&self) -> bool {
        let answer = Command::new("pactl")
            .args(["--server", &self.address(), "list", "short", "sink-inputs"])
            .env("HOME", self.folder.path())
            .output();
        answer.is_ok_and(|answer| !answer.stdout.is_empty())
    }

    /// Adds the sink, as one that is plugged in.
    pub(crate) fn plug(&self) -> Result<(), String> {
        self.control(&[&["load-module"], sink().split(' ').collect::<Vec<_>>().as_slice()].concat())
    }

    /// Removes the sink.
    pub(crate) fn unplug(&self) -> Result<(), String> {
        self.control(&["unload-module", "module-null-sink"])
    }

    /// Where clients connect.
    pub(crate) fn address(&self) -> String {
        format!("unix:{}", self.folder.path().join("native").display())
    }

    /// A folder for the children's files.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Sends the server a signal such as `STOP`.
    pub(crate) fn signal(&self, name: &str) -> Result<(), String> {
        let status = Command::new("kill")
            .args([format!("-{name}"), self.process.id().to_string()])
            .status()
            .map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("kill -{name}: {status}")) }
    }

    fn wait_until_it_answers(&mut self) -> Result<(), String> {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Err(format!("pulseaudio ended at once, {status}: {}", self.log()));
            }
            let answer = Command::new("pactl")
                .args(["--server", &self.address(), "list", "short", "sinks"])
                .output();
            if answer.is_ok_and(|out| String::from_utf8_lossy(&out.stdout).contains(SINK)) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(format!("pulseaudio does not answer: {}", self.log()))
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
