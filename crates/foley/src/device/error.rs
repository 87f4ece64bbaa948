//! Errors of sound devices, one line each.

/// A device could not be found, opened or kept running.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum DeviceError {
    /// Nothing to play on.
    #[error("no sound device: {reason}; render to a file instead")]
    NoDevice { reason: String },
    /// No device has that name.
    #[error("no sound device is called \"{asked}\"; there are: {known}")]
    UnknownDevice { asked: String, known: String },
    /// Several devices have that name.
    #[error("\"{asked}\" fits several sound devices: {fitting}; give more of the name")]
    AmbiguousDevice { asked: String, fitting: String },
    /// The device is there but would not play.
    #[error("cannot play on {device}: {reason}; try another device or render to a file")]
    Refused { device: String, reason: String },
    /// The device took the stream and then asked for nothing.
    #[error(
        "{device} has stalled: it asked for no sound for {seconds} s; \
         is it suspended or in use? try another device or render to a file"
    )]
    Stalled { device: String, seconds: u64 },
    /// The device went away while playing, and none could be opened in its place.
    #[error(
        "{device} was disconnected, and nothing plays in its place after {seconds} s ({reason}); \
         try another device or render to a file"
    )]
    Lost { device: String, seconds: u64, reason: String },
    /// The source was built for another rate.
    #[error(
        "{device} runs at {wanted_hz} Hz but the source at {got_hz} Hz; build it for the device"
    )]
    Rate { device: String, wanted_hz: u32, got_hz: u32 },
    /// The source has more channels than the device.
    #[error("{device} has {outputs} outputs, not the {channels} of the source; use fewer channels")]
    Channels { device: String, outputs: usize, channels: usize },
}

impl DeviceError {
    pub(super) fn none(reason: impl Into<String>) -> Self {
        Self::NoDevice { reason: reason.into() }
    }

    pub(super) fn refused(device: &str, error: &cpal::Error) -> Self {
        Self::Refused { device: device.to_owned(), reason: explain(error) }
    }
}

/// The backend's error in a few words on one line.
pub(super) fn explain(error: &cpal::Error) -> String {
    use cpal::ErrorKind as Kind;
    match error.kind() {
        Kind::DeviceNotAvailable => "no card answers".to_owned(),
        Kind::DeviceBusy => "the card is in use by another program".to_owned(),
        Kind::PermissionDenied => "no permission to use the card".to_owned(),
        _ => {
            let text = error.to_string();
            let words: Vec<&str> = text.split_whitespace().collect();
            words.join(" ").trim_end_matches('.').to_owned()
        }
    }
}
