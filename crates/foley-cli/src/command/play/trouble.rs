//! What to do where there is no card, or none that plays.

use anyhow::anyhow;
use foley::device::DeviceError;
use std::path::Path;

/// The error, with the command that needs no card.
pub(super) fn advise(error: DeviceError, scene: &Path) -> anyhow::Error {
    let instead = format!("foley render {} -o sound.wav", quoted(&scene.to_string_lossy()));
    match error {
        DeviceError::NoDevice { reason } => {
            anyhow!("no sound device: {reason}; hear it from a file: {instead}")
        }
        DeviceError::Refused { device, reason } => {
            anyhow!("cannot play on {device}: {reason}; try another device or a file: {instead}")
        }
        DeviceError::Stalled { device, seconds } => anyhow!(
            "{device} has stalled: it asked for no sound for {seconds} s; is it suspended or in \
             use? try another device or a file: {instead}"
        ),
        other => other.into(),
    }
}

/// As a shell reads it as one word.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trouble_with_a_card_names_the_way_without() {
        let (device, reason) = ("card".to_owned(), "it is asleep".to_owned());
        for error in [
            DeviceError::NoDevice { reason: reason.clone() },
            DeviceError::Refused { device: device.clone(), reason },
            DeviceError::Stalled { device: device.clone(), seconds: 3 },
        ] {
            let message = advise(error, Path::new("my scenes/a.toml")).to_string();
            assert!(message.ends_with("foley render 'my scenes/a.toml' -o sound.wav"), "{message}");
            assert!(!message.contains("out.wav"), "{message}");
        }
        let lost = advise(DeviceError::Lost { device }, Path::new("a.toml")).to_string();
        assert!(lost.contains("disconnected"), "{lost}");
    }
}
