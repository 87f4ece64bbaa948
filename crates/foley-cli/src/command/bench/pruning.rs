//! The tables, for people.

use anyhow::Result;
use serde_json::Value;

use crate::say::say;

pub(super) fn print(report: &Value) -> Result<()> {
    if let Some(objects) = report["objects"].as_array() {
        say!("modes left by self-masking, a_v = 5 dB, flat excitation at 70 dB")?;
        say!("{:<34} {:>8} {:>8} {:>8}", "", "modes", "left", "paper")?;
        let mut sums = [0; 3];
        for object in objects {
            let numbers = ["modes", "left", "left_in_the_paper"]
                .map(|key| object[key].as_u64().unwrap_or_default());
            (0..3).for_each(|i| sums[i] += numbers[i]);
            count_row(object["name"].as_str().unwrap_or_default(), numbers)?;
        }
        // The paper's own sum is not that of its rows.
        count_row("all", sums)?;
    }
    let (playback, rounds) = (&report["playback_db"], &report["rounds"]);
    say!("\nfull scale at {playback} dB SPL, median of {rounds} rounds, one core")?;
    for scene in report["scenes"].as_array().into_iter().flatten() {
        print_scene(scene)?;
    }
    if report["ear"].is_null() {
        say!("\nhow it sounds: make quality")?;
    }
    Ok(())
}

fn count_row(name: &str, [modes, left, paper]: [u64; 3]) -> Result<()> {
    say!("{name:<34} {modes:>8} {left:>8} {paper:>8}")
}

fn print_scene(scene: &Value) -> Result<()> {
    let text = |key: &str| scene[key].as_str().unwrap_or_default();
    say!("\n{}: {}, {} modes", text("name"), text("about"), scene["modes"])?;
    say!(
        "{:<34} {:>8} {:>8} {:>8} {:>9} {:>8} {:>9} {:>7}",
        "",
        "modes",
        "time",
        "× less",
        "deciding",
        "blows",
        "Zimtohrli",
        "ViSQOL"
    )?;
    for row in scene["rules"].as_array().into_iter().flatten() {
        let number = |key: &str| row[key].as_f64();
        let shown = |key: &str, digits: usize, unit: &str| {
            number(key).map_or("–".into(), |value| format!("{value:.digits$}{unit}"))
        };
        let share = number("share_of_modes").unwrap_or_default();
        say!(
            "{:<34} {:>8} {:>8} {:>8} {:>9} {:>8} {:>9} {:>7}",
            row["name"].as_str().unwrap_or_default(),
            format!("{:.2} %", 100.0 * share),
            shown("cpu_percent", 3, " %"),
            shown("times_faster", 2, ""),
            shown("deciding_of_saved_percent", 1, " %"),
            shown("preparing_percent", 3, " %"),
            shown("zimtohrli_mos", 2, ""),
            shown("visqol_mos", 2, ""),
        )?;
    }
    print_promises(&scene["promises"])
}

/// Promises and whether they were kept.
pub(crate) fn print_promises(promises: &Value) -> Result<()> {
    for promise in promises.as_array().into_iter().flatten() {
        let number = |key: &str| promise[key].as_f64();
        let figure = number("figure").map_or("it saves nothing".into(), |x| format!("{x:.2}"));
        let (name, sign) = (promise["name"].as_str(), promise["sign"].as_str());
        let remark = if promise["kept"] == false { "  BELOW TARGET" } else { "" };
        say!(
            "  {} {} {}: {figure}{remark}",
            name.unwrap_or_default(),
            sign.unwrap_or_default(),
            number("promised").unwrap_or_default(),
        )?;
    }
    Ok(())
}
