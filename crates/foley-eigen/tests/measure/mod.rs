//! Memory and CPU time of this process on Linux; zeros elsewhere.

#![allow(dead_code, unreachable_pub)]

/// Returns a line of `/proc/self/status`, MiB.
pub fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with(key));
    let number = line.and_then(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok());
    number.unwrap_or(0) / 1024
}

/// Returns user and system time of this process (ticks of 10 ms).
pub fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default().to_owned();
    let fields: Vec<f64> = after.split_whitespace().filter_map(|f| f.parse().ok()).collect();
    // Without the state (a letter), user and system time are the 11th and 12th field.
    fields.get(10..12).map_or(0.0, |t| (t[0] + t[1]) / 100.0)
}
