//! The date, the processor and the GPU of a run.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns today's date (UTC): `2026-11-18`.
pub fn date() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    civil_date(now / 86_400)
}

/// Converts days since 1970-01-01 to a date of the Gregorian calendar, by years and months from 1970 on.
fn civil_date(mut days: u64) -> String {
    let leap = |year: u64| {
        (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

/// Returns the name of the processor and the number of its cores that this process may use.
pub fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let by_linux = info.lines().find_map(|line| {
        Some(line.strip_prefix("model name")?.split_once(':')?.1.trim().to_owned())
    });
    let by_macos = || {
        let output =
            Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
            .filter(|name| !name.is_empty())
    };
    let name = by_linux.or_else(by_macos).unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {cores} cores")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_count_leap_years() {
        assert_eq!(civil_date(0), "1970-01-01");
        assert_eq!(civil_date(11_016), "2000-02-29");
        assert_eq!(civil_date(19_782), "2024-02-29");
        assert_eq!(civil_date(20_775), "2026-11-18");
    }
}
