//! This very program, run once more with an environment that shows it other sound devices.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use foley::device::{Device, DeviceError, Settings, devices};

use crate::reference::Reference;
use crate::server::{SINK, Server};

const TASK: &str = "FOLEY_LIVE_TASK";
const BLOCK_FRAMES: &str = "FOLEY_LIVE_BLOCK_FRAMES";

/// What the child does, and in which surroundings.
pub(crate) struct Task {
    name: &'static str,
    environment: Vec<(&'static str, String)>,
    /// Keeps a folder alive where there is no server to do so.
    _folder: Option<tempfile::TempDir>,
}

impl Task {
    /// The server's own protocol is reachable, ALSA has nothing.
    pub(crate) fn play_native(server: &Server) -> Self {
        Self::at(server, "play")
    }

    /// The same, listing devices.
    pub(crate) fn list(server: &Server) -> Self {
        Self::at(server, "list")
    }

    fn at(server: &Server, name: &'static str) -> Self {
        let empty = server.folder().join("empty.conf");
        fs::write(&empty, "").unwrap();
        let environment = vec![
            ("PULSE_SERVER", server.address()),
            ("ALSA_CONFIG_PATH", empty.display().to_string()),
        ];
        Self { name, environment, _folder: None }
    }

    /// Only ALSA is there, and its default device is a bridge to the server.
    pub(crate) fn play_alsa(server: &Server) -> Self {
        let config = server.folder().join("alsa.conf");
        let bridge = format!("type pulse server \"{}\"", server.address());
        let text = format!(
            "</usr/share/alsa/alsa.conf>\npcm.!default {{ {bridge} }}\nctl.!default {{ {bridge} }}\n"
        );
        fs::write(&config, text).unwrap();
        let environment = vec![("ALSA_CONFIG_PATH", config.display().to_string())];
        Self { name: "play", environment, _folder: None }
    }

    /// Neither a server nor a card.
    pub(crate) fn without_any_device() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let empty = folder.path().join("empty.conf");
        fs::write(&empty, "").unwrap();
        let environment = vec![("ALSA_CONFIG_PATH", empty.display().to_string())];
        Self { name: "play", environment, _folder: Some(folder) }
    }
}

/// A running child; killed with the value.
pub(crate) struct Child {
    process: std::process::Child,
    lines: mpsc::Receiver<String>,
}

/// What a child has written.
pub(crate) struct Output {
    stdout: Vec<String>,
    stderr: String,
}

impl Child {
    pub(crate) fn start(task: &Task) -> Result<Self, String> {
        Self::start_with(task, Settings::default().block_frames)
    }

    pub(crate) fn start_with(task: &Task, block_frames: u32) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command
            .args(["--exact", "child_process", "--ignored", "--nocapture", "--quiet"])
            .env(TASK, task.name)
            .env(BLOCK_FRAMES, block_frames.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for variable in ["PULSE_SERVER", "PULSE_RUNTIME_PATH", "XDG_RUNTIME_DIR", "PULSE_SINK"] {
            command.env_remove(variable);
        }
        command.envs(task.environment.iter().map(|(name, value)| (name, value)));
        let mut process = command.spawn().map_err(|error| error.to_string())?;
        let (sender, lines) = mpsc::channel();
        let stdout = process.stdout.take().ok_or("the child has no output")?;
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Ok(Self { process, lines })
    }

    /// Waits for a line that begins so.
    pub(crate) fn wait_for_line(&self, start: &str, limit: Duration) -> Result<(), String> {
        let end = Instant::now() + limit;
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            if line.starts_with(start) {
                return Ok(());
            }
        }
        Err(format!("the child never said \"{start}\""))
    }

    /// Waits for the end; a child that takes too long is killed, which is an error.
    pub(crate) fn finish(mut self, limit: Duration) -> Result<Output, String> {
        let begin = Instant::now();
        while self.process.try_wait().map_err(|error| error.to_string())?.is_none() {
            if begin.elapsed() > limit {
                return Err(format!("the child still ran after {limit:?}"));
            }
            thread::sleep(Duration::from_millis(10));
        }
        let mut stderr = String::new();
        if let Some(mut pipe) = self.process.stderr.take() {
            pipe.read_to_string(&mut stderr).map_err(|error| error.to_string())?;
        }
        Ok(Output { stdout: self.lines.iter().collect(), stderr })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Output {
    /// The first line that begins so.
    pub(crate) fn stdout_line(&self, start: &str) -> Result<String, String> {
        self.stdout.iter().find(|line| line.starts_with(start)).cloned().ok_or_else(|| {
            format!("the child said no \"{start}\" but {:?} {:?}", self.stdout, self.stderr)
        })
    }

    pub(crate) fn stderr(&self) -> &str {
        &self.stderr
    }
}

/// The child's side.
pub(crate) fn run() {
    let result = match std::env::var(TASK).as_deref() {
        Ok("play") => play(),
        Ok("list") => list(),
        _ => return,
    };
    if let Err(error) = result {
        println!("\nerror: {error}");
    }
}

fn play() -> Result<(), DeviceError> {
    let block_frames = std::env::var(BLOCK_FRAMES).unwrap().parse().unwrap();
    let device = Device::open(None, &Settings::default().with_block_frames(block_frames))?;
    let reference = Reference::new(device.sample_rate_hz());
    // A little more: the limiter looks ahead.
    let frames = reference.length() + 480;
    let stream = device.play(reference.source())?;
    println!("\nplaying");
    stream.wait_frames(frames)?;
    println!("\nstats: {:?}", stream.stats());
    stream.stop();
    Ok(())
}

fn list() -> Result<(), DeviceError> {
    for info in devices() {
        let device = Device::open(Some(&info.id), &Settings::default())?;
        let part = Device::open(Some(&info.name[..info.name.len() - 1]), &Settings::default())?;
        assert_eq!(part.name(), device.name());
        let mark = if info.is_default { "default" } else { "other" };
        println!(
            "\ndevice: {} {mark} {} Hz {} ch",
            info.id,
            device.sample_rate_hz(),
            device.channels()
        );
    }
    let unknown = Device::open(Some("no such card"), &Settings::default()).unwrap_err();
    assert!(unknown.to_string().contains(SINK), "{unknown}");
    Ok(())
}
