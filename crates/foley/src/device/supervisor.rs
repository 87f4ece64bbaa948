//! Keeps a stream alive: notices that a device is gone or silent, and opens it, or another, again.
//!
//! Runs on a thread of its own, so that nothing here delays the sound or the caller. The source goes from
//! one stream to the next, and its clock goes on: no sound is skipped but what the lost stream had in its
//! buffer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::counters::Counters;
use super::feeder::Feed;
use super::hosts;
use super::link::Link;
use super::open_stream::{OpenStream, start};
use super::{Device, DeviceError, PATIENCE, RECOVERY_PATIENCE, Settings};

/// How often the supervisor looks at the stream.
pub(super) const GLANCE: Duration = Duration::from_millis(5);

/// A stream that asks for nothing for this long, without an error, is opened again: longer than the two seconds
/// by which PulseAudio's null sink may work ahead.
const STALL: Duration = Duration::from_secs(4);

/// While a device is looked for, other sound systems than its own are not asked: a server that is restarted
/// wants its cards back.
const SAME_HOST: Duration = Duration::from_secs(4);

/// Pause between two attempts to open a device.
const ATTEMPT_PAUSE: Duration = Duration::from_millis(50);

/// Calls after which a new stream is known to play: the first ones fill its buffer.
const PLAYING_CALLS: u64 = 3;

/// Read by the stream's owner.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) counters: Arc<Counters>,
    /// Name of the device.
    pub(super) device: Mutex<String>,
    /// Why the sound has ended.
    failure: Mutex<Option<DeviceError>>,
    has_failed: AtomicBool,
    /// Set by the owner: close.
    pub(super) close: AtomicBool,
}

impl Shared {
    pub(super) fn new(device: &str, counters: Arc<Counters>) -> Self {
        Self {
            counters,
            device: Mutex::new(device.to_owned()),
            failure: Mutex::new(None),
            has_failed: AtomicBool::new(false),
            close: AtomicBool::new(false),
        }
    }

    /// Returns the error that ended the sound, if one has.
    pub(super) fn failure(&self) -> Result<(), DeviceError> {
        if !self.has_failed.load(Relaxed) {
            return Ok(());
        }
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone().map_or(Ok(()), Err)
    }

    pub(super) fn device(&self) -> String {
        self.device.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn fail(&self, error: DeviceError) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        self.has_failed.store(true, Relaxed);
    }
}

/// The device that was asked for.
pub(super) struct Wanted {
    pub(super) name: Option<String>,
    pub(super) settings: Settings,
    pub(super) host: Option<cpal::HostId>,
    /// What the source needs.
    pub(super) sample_rate_hz: u32,
    pub(super) channels: usize,
}

impl Wanted {
    /// Opens the named device or, if it is gone, the default one. For a while only those of the same sound
    /// system.
    fn open(&self, waited: Duration) -> Result<Device, DeviceError> {
        let settings = self.settings.with_sample_rate_hz(self.sample_rate_hz);
        let host = self.host.filter(|_| waited < SAME_HOST);
        let name = self.name.clone();
        let limit = 2 * PATIENCE;
        let opened = super::deadline::within(limit, move || {
            let named = name.map(|name| hosts::open_named(&name, &settings));
            match (named, host) {
                (Some(Ok(device)), _) => Ok(device),
                (_, Some(host)) => hosts::open_default_of(host, &settings),
                (_, None) => hosts::open_default(&settings),
            }
        });
        let device =
            opened.unwrap_or_else(|| Err(DeviceError::none("the sound system does not answer")))?;
        device.check(self.sample_rate_hz, self.channels)?;
        Ok(device)
    }
}

/// Time that passed while this thread ran. A process that was stopped has not waited.
struct Patience {
    last: Instant,
    waited: Duration,
}

impl Patience {
    fn new() -> Self {
        Self { last: Instant::now(), waited: Duration::ZERO }
    }

    /// Returns the time waited so far. `longest` is the longest time that a step can take.
    fn waited(&mut self, longest: Duration) -> Duration {
        let now = Instant::now();
        self.waited += now.saturating_duration_since(self.last).min(longest);
        self.last = now;
        self.waited
    }
}

pub(super) struct Supervisor {
    pub(super) wanted: Wanted,
    pub(super) shared: Arc<Shared>,
}

impl Supervisor {
    /// Watches the stream until it is closed or no device can be opened again.
    pub(super) fn run(self, mut stream: OpenStream) {
        let mut patience = Patience::new();
        // Since the last call, and since the sound last went on.
        let (mut calls, mut stalled) = (0, Patience::new());
        while !self.shared.close.load(Relaxed) {
            let now_calls = stream.link.calls();
            if now_calls != calls {
                (calls, stalled) = (now_calls, Patience::new());
                if calls >= PLAYING_CALLS {
                    patience = Patience::new();
                }
            }
            let step = 10 * GLANCE;
            let (waited, stalled_for) = (patience.waited(step), stalled.waited(step));
            if waited >= RECOVERY_PATIENCE {
                return self.give_up(stream);
            }
            let ended = stream.link.ended();
            if let Some(closed) = ended.or((stalled_for >= STALL).then(Instant::now)) {
                match self.reopen(stream, closed, &mut patience) {
                    Some(opened) => stream = opened,
                    None => return,
                }
                (calls, stalled) = (0, Patience::new());
            }
            thread::park_timeout(GLANCE);
        }
        let feed = stream.link.take();
        stream.close();
        drop(feed);
    }

    /// Gives the feed to a new stream. `None` if the sound has ended.
    fn reopen(
        &self,
        old: OpenStream,
        closed: Instant,
        patience: &mut Patience,
    ) -> Option<OpenStream> {
        let mut feed = old.link.take();
        old.abandon();
        feed.iter_mut().for_each(|feed| feed.reopen(closed, &self.shared.counters));
        let attempt_limit = 3 * PATIENCE;
        while !self.shared.close.load(Relaxed) {
            let reason = match self.attempt(patience.waited(attempt_limit), &mut feed) {
                Ok(stream) => return Some(stream),
                Err(error) => error.to_string(),
            };
            if feed.is_none() || patience.waited(attempt_limit) >= RECOVERY_PATIENCE {
                feed.iter_mut().for_each(|feed| feed.give_up(&self.shared.counters));
                let (device, seconds) = (self.shared.device(), RECOVERY_PATIENCE.as_secs());
                self.shared.fail(DeviceError::Lost { device, seconds, reason });
                return None;
            }
            thread::park_timeout(ATTEMPT_PAUSE);
        }
        None
    }

    /// Tries once to open a device and to start a stream with the feed.
    fn attempt(
        &self,
        waited: Duration,
        feed: &mut Option<Box<Feed>>,
    ) -> Result<OpenStream, DeviceError> {
        let device = self.wanted.open(waited)?;
        let name = device.name.clone();
        let link = Arc::new(Link::new(feed.take()));
        let started = start(device, Arc::clone(&link), &self.shared.counters);
        match started {
            Ok(stream) => {
                self.shared.counters.reopened.fetch_add(1, Relaxed);
                *self.shared.device.lock().unwrap_or_else(PoisonError::into_inner) = name;
                Ok(stream)
            }
            Err(error) => {
                *feed = link.take();
                Err(error)
            }
        }
    }

    /// Ends because the device asks for nothing.
    fn give_up(&self, stream: OpenStream) {
        let (device, seconds) = (self.shared.device(), RECOVERY_PATIENCE.as_secs());
        let mut feed = stream.link.take();
        feed.iter_mut().for_each(|feed| feed.give_up(&self.shared.counters));
        self.shared.fail(DeviceError::Stalled { device, seconds });
        stream.abandon();
    }
}
