//! Advice where no sound card plays: the command that writes a file.

use anyhow::anyhow;
use foley::device::DeviceError;
use std::path::Path;

/// Adds `instead`, how to write a file, to the errors that a file avoids.
pub(crate) fn advise(error: DeviceError, instead: &str) -> anyhow::Error {
    match error {
        DeviceError::NoDevice { .. }
        | DeviceError::Refused { .. }
        | DeviceError::Lost { .. }
        | DeviceError::Stalled { .. } => anyhow!("{error}: {instead}"),
        other => other.into(),
    }
}

/// Returns the command that renders a scene to a file.
pub(crate) fn render_instead(scene: &Path) -> String {
    format!("foley render {} -o sound.wav", quoted(&scene.to_string_lossy()))
}

/// Quotes a path for a shell.
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
    fn every_error_of_a_card_names_the_command_without() {
        let (device, reason) = ("card".to_owned(), "it is asleep".to_owned());
        for error in [
            DeviceError::NoDevice { reason: reason.clone() },
            DeviceError::Refused { device: device.clone(), reason: reason.clone() },
            DeviceError::Lost { device: device.clone(), seconds: 10, reason },
            DeviceError::Stalled { device, seconds: 3 },
        ] {
            let instead = render_instead(Path::new("my scenes/a.toml"));
            let message = advise(error, &instead).to_string();
            assert!(
                message.ends_with(": foley render 'my scenes/a.toml' -o sound.wav"),
                "{message}"
            );
        }
        let rate = DeviceError::Rate { device: "card".into(), wanted_hz: 48_000, got_hz: 44_100 };
        assert!(advise(rate, "a file").to_string().ends_with("build it for the device"));
    }
}
