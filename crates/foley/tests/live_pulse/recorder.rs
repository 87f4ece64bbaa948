//! Records what the private sink plays.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::server::{SINK, Server};

/// Of a stereo frame of floats.
const FRAME_BYTES: usize = 8;

/// Frames, and when they were recorded.
pub(crate) struct Recording {
    pub(crate) frames: Vec<[f32; 2]>,
    /// Time, and number of frames until then.
    arrivals: Vec<(Instant, usize)>,
}

impl Recording {
    /// When a frame arrived: a little after it was heard.
    pub(crate) fn arrival(&self, frame: usize) -> Option<Instant> {
        self.arrivals.iter().find(|(_, count)| *count > frame).map(|(at, _)| *at)
    }
}

/// A running `parec`; ends with the value.
pub(crate) struct Recorder {
    process: Child,
    bytes: Arc<Mutex<Vec<u8>>>,
    arrivals: Arc<Mutex<Vec<(Instant, usize)>>>,
    reader: Option<JoinHandle<()>>,
}

impl Recorder {
    /// Returns once sound (or rather silence) is coming in.
    pub(crate) fn start(server: &Server) -> Result<Self, String> {
        Self::start_with(server, 50)
    }

    /// The same with another latency.
    pub(crate) fn start_with(server: &Server, latency_ms: u32) -> Result<Self, String> {
        let mut process = Command::new("parec")
            .args(["--server", &server.address(), "--device", &format!("{SINK}.monitor")])
            .args(["--format=float32le", "--rate=48000", "--channels=2", "--raw"])
            .args(["--channel-map=front-left,front-right"])
            .arg(format!("--latency-msec={latency_ms}"))
            .env("HOME", server.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start parec: {error}"))?;
        let mut pipe = process.stdout.take().ok_or("parec has no output")?;
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let arrivals = Arc::new(Mutex::new(Vec::new()));
        let (sink, times) = (bytes.clone(), arrivals.clone());
        let reader = thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(n @ 1..) = pipe.read(&mut buffer) {
                let mut bytes = sink.lock().unwrap();
                bytes.extend_from_slice(&buffer[..n]);
                times.lock().unwrap().push((Instant::now(), bytes.len() / FRAME_BYTES));
            }
        });
        let recorder = Self { process, bytes, arrivals, reader: Some(reader) };
        let begin = Instant::now();
        while recorder.bytes.lock().unwrap().is_empty() {
            if begin.elapsed() > Duration::from_secs(15) {
                return Err("the recorder hears nothing, not even silence".to_owned());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(recorder)
    }

    /// All frames so far.
    pub(crate) fn finish(self) -> Vec<[f32; 2]> {
        self.finish_timed().frames
    }

    /// The same with their times.
    pub(crate) fn finish_timed(mut self) -> Recording {
        self.end();
        let bytes = std::mem::take(&mut *self.bytes.lock().unwrap());
        let (samples, _) = bytes.as_chunks::<4>();
        let samples: Vec<f32> = samples.iter().map(|&four| f32::from_le_bytes(four)).collect();
        let arrivals = std::mem::take(&mut *self.arrivals.lock().unwrap());
        Recording { frames: samples.as_chunks::<2>().0.to_vec(), arrivals }
    }

    fn end(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.end();
    }
}
