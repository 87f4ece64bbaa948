//! The tables, for people.

use anyhow::Result;
use serde_json::Value;

use crate::bench::pruning::print_promises;
use crate::say::say;

pub(super) fn print(report: &Value) -> Result<()> {
    let rounds = &report["rounds"];
    let rings = &report["rings"];
    if !rings.is_null() {
        say!(
            "100 rings on a table, {} modes; audio frames a second, real time is 100; {rounds} rounds",
            rings["modes"]
        )?;
        say!("{:<34} {:>8} {:>8} {:>9} {:>9}", "", "modes", "time", "least", "median")?;
        for row in rings["rules"].as_array().into_iter().flatten() {
            let number = |key: &str| row[key].as_f64().unwrap_or_default();
            let out = 100.0 * number("left_out");
            let remark = if out > 0.0 { format!("  {out:.2} % left out") } else { String::new() };
            say!(
                "{:<34} {:>8} {:>8} {:>9.0} {:>9.0}{remark}",
                row["name"].as_str().unwrap_or_default(),
                percent(100.0 * number("share_of_modes"), 2),
                percent(number("cpu_percent"), 3),
                number("least_fps"),
                number("median_fps"),
            )?;
        }
        say!(
            "the budget: {:.0} µs a block, half of what the densest needs\n",
            rings["budget_us"].as_f64().unwrap_or_default()
        )?;
    }
    let crowd = &report["crowd"];
    say!(
        "{} objects, {} modes, {} impacts in {} s",
        crowd["objects"],
        crowd["modes"],
        crowd["impacts"],
        crowd["seconds"]
    )?;
    say!(
        "{:<34} {:>8} {:>8} {:>9} {:>9} {:>9}",
        "",
        "modes",
        "time",
        "busiest",
        "deciding",
        "blows"
    )?;
    for row in crowd["rules"].as_array().into_iter().flatten() {
        let number = |key: &str| row[key].as_f64().unwrap_or_default();
        say!(
            "{:<34} {:>8} {:>8} {:>9} {:>9} {:>9}",
            row["name"].as_str().unwrap_or_default(),
            percent(100.0 * number("share_of_modes"), 2),
            percent(number("cpu_percent"), 1),
            percent(number("busiest_percent"), 1),
            percent(number("deciding_percent"), 1),
            percent(number("preparing_percent"), 1),
        )?;
    }
    if let Some(peak) = crowd["peak_mib"].as_f64() {
        say!("memory: {peak:.0} MiB at most")?;
    }
    print_promises(&crowd["promises"])
}

fn percent(value: f64, digits: usize) -> String {
    format!("{value:.digits$} %")
}
