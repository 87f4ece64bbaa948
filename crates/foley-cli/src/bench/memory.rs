//! What the system says about this program's memory.

/// The most memory this program had at once, MiB, where the system says so.
pub(crate) fn peak_mib() -> Option<f64> {
    mib("VmHWM:")
}

/// The memory this program has now, MiB, where the system says so.
pub(crate) fn now_mib() -> Option<f64> {
    mib("VmRSS:")
}

fn mib(key: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok()? / 1024.0)
}
