//! Which devices there are, over all sound systems of this computer.

use cpal::traits::{DeviceTrait, HostTrait};

use super::deadline;
use super::error::explain;
use super::pick::Picked;
use super::{Device, DeviceError, PATIENCE, Settings};

/// A device that could be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// A name for people.
    pub name: String,
    /// Sound system and name within it, such as `alsa:hw:CARD=0,DEV=0`; stays the same.
    pub id: String,
    /// Whether its sound system would choose it.
    pub is_default: bool,
}

/// All output devices; empty when there are none.
pub fn devices() -> Vec<DeviceInfo> {
    let list = || candidates().into_iter().map(|candidate| candidate.info).collect();
    deadline::within(2 * PATIENCE, list).unwrap_or_default()
}

/// A device with what is known of it before opening.
struct Candidate {
    device: cpal::Device,
    info: DeviceInfo,
}

/// The default device of the first sound system that has a working one.
pub(super) fn open_default(settings: &Settings) -> Result<Device, DeviceError> {
    let mut reasons = Vec::new();
    for id in cpal::available_hosts() {
        match default_of(id, settings) {
            Ok(device) => return Ok(device),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(DeviceError::none(reasons.join(", ")))
}

/// The default device of one sound system.
pub(super) fn open_default_of(
    host: cpal::HostId,
    settings: &Settings,
) -> Result<Device, DeviceError> {
    default_of(host, settings).map_err(DeviceError::none)
}

fn default_of(id: cpal::HostId, settings: &Settings) -> Result<Device, String> {
    let opened = cpal::host_from_id(id).map_err(|error| explain(&error)).and_then(|host| {
        let device = host.default_output_device().ok_or("no card answers")?;
        open(device, settings).map_err(|error| explain(&error))
    });
    opened.map_err(|reason| format!("{}: {reason}", id.name()))
}

pub(super) fn open_named(asked: &str, settings: &Settings) -> Result<Device, DeviceError> {
    let mut candidates = candidates();
    let infos: Vec<&DeviceInfo> = candidates.iter().map(|candidate| &candidate.info).collect();
    let device = candidates.swap_remove(find(asked, &infos)?).device;
    let name = name_of(&device);
    let opened = open(device, settings).map_err(|error| DeviceError::refused(&name, &error))?;
    Ok(Device { asked: Some(asked.to_owned()), ..opened })
}

fn open(device: cpal::Device, settings: &Settings) -> Result<Device, cpal::Error> {
    let ranges: Vec<_> = device.supported_output_configs()?.collect();
    let picked = Picked::best(&ranges, settings).ok_or_else(|| {
        let reason = "it offers no sample format that is understood here";
        cpal::Error::with_message(cpal::ErrorKind::UnsupportedConfig, reason)
    })?;
    let (name, host) = (name_of(&device), device.id().ok().map(|id| id.host()));
    Ok(Device { name, host, asked: None, settings: *settings, device, picked })
}

fn candidates() -> Vec<Candidate> {
    let mut found = Vec::new();
    for host in cpal::available_hosts().into_iter().filter_map(|id| cpal::host_from_id(id).ok()) {
        let default = host.default_output_device().and_then(|device| device.id().ok());
        for device in host.output_devices().into_iter().flatten() {
            let Ok(id) = device.id() else { continue };
            let is_default = default.as_ref() == Some(&id);
            let info = DeviceInfo { name: name_of(&device), id: id.to_string(), is_default };
            found.push(Candidate { device, info });
        }
    }
    found
}

fn name_of(device: &cpal::Device) -> String {
    device
        .description()
        .map_or_else(|_| "the sound device".to_owned(), |description| description.name().to_owned())
}

/// The index of the device meant by `asked`: by id, by whole name, or by part of a name.
fn find(asked: &str, infos: &[&DeviceInfo]) -> Result<usize, DeviceError> {
    let asked_lower = asked.to_lowercase();
    let matching = |fits: &dyn Fn(&DeviceInfo) -> bool| -> Vec<usize> {
        (0..infos.len()).filter(|&i| fits(infos[i])).collect()
    };
    let exact = matching(&|info| {
        info.id == asked
            || info.id.split_once(':').is_some_and(|(_, within_host)| within_host == asked)
            || info.name.to_lowercase() == asked_lower
    });
    // Several sound systems may show the same card; the first is the preferred one.
    if let Some(&first) = exact.first() {
        return Ok(first);
    }
    let list = |indices: &[usize]| {
        let names: Vec<String> =
            indices.iter().map(|&i| format!("{} ({})", infos[i].name, infos[i].id)).collect();
        names.join(", ")
    };
    let partial = matching(&|info| info.name.to_lowercase().contains(&asked_lower));
    match partial.as_slice() {
        [only] => Ok(*only),
        [] if infos.is_empty() => Err(DeviceError::none(format!("none is there, nor \"{asked}\""))),
        [] => Err(DeviceError::UnknownDevice {
            asked: asked.to_owned(),
            known: list(&matching(&|_| true)),
        }),
        several => {
            Err(DeviceError::AmbiguousDevice { asked: asked.to_owned(), fitting: list(several) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(name: &str, id: &str) -> DeviceInfo {
        DeviceInfo { name: name.to_owned(), id: id.to_owned(), is_default: false }
    }

    #[test]
    fn devices_are_found_by_id_name_or_part_of_it() {
        let infos = [
            info("Built-in Audio", "pulseaudio:internal"),
            info("USB Headset", "pulseaudio:usb"),
            info("USB Speaker", "alsa:hw:CARD=1,DEV=0"),
        ];
        let infos: Vec<&DeviceInfo> = infos.iter().collect();
        assert_eq!(find("usb headset", &infos), Ok(1));
        assert_eq!(find("hw:CARD=1,DEV=0", &infos), Ok(2));
        assert_eq!(find("pulseaudio:internal", &infos), Ok(0));
        assert_eq!(find("built", &infos), Ok(0));
        assert_eq!(
            find("usb s", &infos).map_err(|error| error.to_string()),
            Ok(2),
            "part of one name only"
        );
        assert_eq!(
            find("usb ", &infos).unwrap_err().to_string(),
            "\"usb \" fits several sound devices: USB Headset (pulseaudio:usb), \
             USB Speaker (alsa:hw:CARD=1,DEV=0); give more of the name"
        );
        assert_eq!(
            find("hifi", &infos[..1]).unwrap_err().to_string(),
            "no sound device is called \"hifi\"; there are: Built-in Audio (pulseaudio:internal)"
        );
    }
}
