//! MEASURED.md: written from records, and read back to compare its bounds with the table.

use crate::record::Record;
use crate::targets::{SECTIONS, Section};
use crate::{Bound, Target};
use std::fmt::Write;

const INTRODUCTION: &str = "# Measured

Every target, its bound, the figure of the latest run and the command that measures it again. `make measure` writes this page from
what tests and benchmarks print; nothing here is written by hand. Bounds stand in `crates/foley-measured/src/targets`, and tests
compare with those: a test fails if it misses its bound here. Rows that say why they fail no test are speeds of the machine, and
targets that are not reached. `foley-measured RECORDS` replaces the rows of some targets by a later run; the last column names the
run. What Foley cannot do is in [LIMITATIONS.md](LIMITATIONS.md).
";

/// Begins the line of a run.
const RUN: &str = "- Run ";

const HEADER: &str =
    "| id | target | bound | figure | kept | command | run |\n|---|---|---|---|---|---|---|\n";

/// The machine and the moment of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Date of the run.
    pub date: String,
    /// Processor and cores.
    pub processor: String,
    /// Commit that was measured.
    pub commit: String,
}

impl Run {
    /// Returns the line of the run at the head of the page.
    fn line(&self) -> String {
        format!("{RUN}{}: {}, on {}\n", self.commit, self.date, self.processor)
    }
}

/// A row of an earlier page whose target, bound included, is still the same.
fn earlier_row<'a>(earlier: &'a str, target: &Target) -> Option<&'a str> {
    let begin = format!("| `{}` | {} | {} |", target.id, target.what, bound_text(target));
    earlier.lines().find(|line| line.starts_with(&begin))
}

/// Writes the page. Targets without a record keep the row of an earlier page, which is empty for a whole run. Also returns the
/// ids of targets without record and row.
pub fn write(run: &Run, records: &[Record], earlier: &str) -> (String, Vec<&'static str>) {
    let (rows, missing) = rows(run, records, earlier);
    let runs = earlier.lines().filter(|line| line.starts_with(RUN)).filter(|line| {
        let commit = line[RUN.len()..].split(':').next().unwrap_or_default();
        commit != run.commit && rows.contains(&format!("| {commit} |\n"))
    });
    let runs: String = runs.map(|line| format!("{line}\n")).collect();
    (format!("{INTRODUCTION}\n{runs}{}{rows}", run.line()), missing)
}

fn rows(run: &Run, records: &[Record], earlier: &str) -> (String, Vec<&'static str>) {
    let (mut page, mut missing) = (String::new(), Vec::new());
    for Section { title, targets } in SECTIONS {
        let _ = write!(page, "\n## {title}\n\n{HEADER}");
        for target in *targets {
            let of_target = records.iter().filter(|record| record.id == target.id);
            match of_target.reduce(|a, b| {
                if target.bound.worse(a.figure, b.figure) == a.figure { a } else { b }
            }) {
                Some(record) => page.push_str(&row(target, record, run)),
                None => match (earlier_row(earlier, target), target.needs) {
                    (Some(row), _) => page.push_str(&format!("{row}\n")),
                    (None, Some(hardware)) => {
                        page.push_str(&row_without_figure(target, hardware, run));
                    }
                    (None, None) => missing.push(target.id),
                },
            }
        }
    }
    (page, missing)
}

fn row(target: &Target, record: &Record, run: &Run) -> String {
    let verdict = match (target.bound, target.bound.is_kept_by(record.figure), target.reported) {
        (Bound::None, _, _) => "–".to_owned(),
        (_, true, _) => "yes".to_owned(),
        (_, false, why) => format!("**no**: {}", why.unwrap_or("the test fails")),
    };
    format!(
        "| `{}` | {} | {} | {} | {verdict} | `{}` | {} |\n",
        target.id,
        target.what,
        bound_text(target),
        with_unit(record.figure, target.unit),
        record.command,
        run.commit
    )
}

fn row_without_figure(target: &Target, hardware: &str, run: &Run) -> String {
    let (id, what, bound, commit) = (target.id, target.what, bound_text(target), &run.commit);
    format!(
        "| `{id}` | {what} | {bound} | not measured | needs {hardware} | `make measure` | {commit} |\n"
    )
}

/// Returns the bound of a target as a text: `≤ 1 cent`.
pub fn bound_text(target: &Target) -> String {
    let unit = |value: f64| with_unit(value, target.unit);
    match target.bound {
        Bound::AtMost(most) => format!("≤ {}", unit(most)),
        Bound::AtLeast(least) => format!("≥ {}", unit(least)),
        Bound::Exactly(value) => format!("= {}", unit(value)),
        Bound::Between(least, most) => format!("{least} … {}", unit(most)),
        Bound::None => "–".to_owned(),
    }
}

/// Formats a figure: three digits at least, whole numbers in full.
fn with_unit(figure: f64, unit: &str) -> String {
    let magnitude = figure.abs();
    let number = match figure {
        _ if !figure.is_finite() => {
            if figure > 0.0 {
                "∞".into()
            } else {
                "−∞".into()
            }
        }
        _ if magnitude.fract() == 0.0 && magnitude < 1e15 => format!("{figure}"),
        _ if !(1e-3..1e6).contains(&magnitude) => format!("{figure:.2e}"),
        _ => {
            let decimals = (2 - magnitude.log10().floor() as i32).max(0) as usize;
            let fixed = format!("{figure:.decimals$}");
            if fixed.contains('.') {
                fixed.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                fixed
            }
        }
    };
    format!("{} {unit}", number.replace('-', "−")).trim_end().to_owned()
}

/// Returns what is wrong with a page: bounds that are not those of the table, rows without target, figure or command, targets
/// without a row, enforced bounds that are missed.
pub fn problems(page: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> =
            line.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
        let [id, what, bound, figure, kept, command, run] = cells[..] else {
            problems.push(format!("this row does not have seven columns: {line}"));
            continue;
        };
        let id = id.trim_matches('`');
        let Some(target) = crate::targets::all().find(|target| target.id == id) else {
            problems.push(format!("{id}: there is no such target"));
            continue;
        };
        if bound != bound_text(target) {
            problems.push(format!(
                "{id}: the page states {bound}, the test checks {}",
                bound_text(target)
            ));
        }
        if what != target.what {
            problems.push(format!("{id}: the page says “{what}”, the table “{}”", target.what));
        }
        if figure.is_empty() || command.trim_matches('`').is_empty() {
            problems.push(format!("{id}: no figure or no command"));
        }
        if kept.starts_with("**no**") && target.reported.is_none() {
            problems.push(format!("{id}: missed, but its test checks it"));
        }
        if !page.contains(&format!("\n{RUN}{run}: ")) {
            problems.push(format!("{id}: the page does not list its run, {run}"));
        }
        if seen.contains(&target.id) {
            problems.push(format!("{id}: twice"));
        }
        seen.push(target.id);
    }
    let missing = crate::targets::all().filter(|target| !seen.contains(&target.id));
    problems.extend(
        missing.map(|target| format!("{}: has no row; `make measure` writes it", target.id)),
    );
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_three_digits() {
        for (figure, text) in [
            (0.0, "0 dB"),
            (12.0, "12 dB"),
            (0.761234, "0.761 dB"),
            (-103.31, "−103 dB"),
            (1234.5, "1234 dB"),
            (0.5, "0.5 dB"),
            (7.3e-14, "7.30e−14 dB"),
            (f64::INFINITY, "∞ dB"),
        ] {
            assert_eq!(with_unit(figure, "dB"), text);
        }
    }

    /// A page with one row for each target, as a run would write it.
    fn page() -> String {
        let records: Vec<Record> = crate::targets::all()
            .map(|target| {
                let figure = match target.bound {
                    Bound::AtMost(x)
                    | Bound::AtLeast(x)
                    | Bound::Exactly(x)
                    | Bound::Between(x, _) => x,
                    Bound::None => 1.0,
                };
                Record { id: target.id.into(), figure, command: "cargo test".into() }
            })
            .collect();
        let run =
            Run { date: "2026-11-18".into(), processor: "a processor".into(), commit: "0".into() };
        let (page, missing) = write(&run, &records, "");
        assert!(missing.is_empty());
        page
    }

    #[test]
    fn a_written_page_has_no_problems() {
        assert_eq!(problems(&page()), Vec::<String>::new());
    }

    #[test]
    fn a_changed_bound_a_lost_row_and_an_invented_row_are_problems() {
        let page = page();
        let with_bound = crate::targets::all().find(|target| target.bound != Bound::None).unwrap();
        let bound = bound_text(with_bound);
        let row =
            page.lines().find(|line| line.contains(&format!("| `{}` |", with_bound.id))).unwrap();
        for looser in
            [page.replace(row, &row.replace(&bound, "≤ 1000000 dB")), page.replace(row, "")]
        {
            assert_eq!(problems(&looser).len(), 1);
        }
        let invented = format!("{page}\n| `no.such` | a | ≤ 1 | 0 | yes | `cargo test` | 0 |\n");
        assert_eq!(problems(&invented).len(), 1);
    }

    #[test]
    fn the_worst_figure_of_a_target_is_stated() {
        let target =
            crate::targets::all().find(|target| matches!(target.bound, Bound::AtMost(_))).unwrap();
        let Bound::AtMost(most) = target.bound else { unreachable!() };
        let record = |figure| Record { id: target.id.into(), figure, command: "c".into() };
        let run = Run { date: String::new(), processor: String::new(), commit: String::new() };
        let (page, _) =
            write(&run, &[record(0.25 * most), record(0.5 * most), record(0.125 * most)], "");
        assert!(page.contains(&format!("| {} | yes |", with_unit(0.5 * most, target.unit))));
    }

    /// A later run of one target keeps the other rows, and both runs are named.
    #[test]
    fn a_later_run_replaces_the_rows_that_it_measured() {
        let target =
            crate::targets::all().find(|target| matches!(target.bound, Bound::AtMost(_))).unwrap();
        let Bound::AtMost(most) = target.bound else { unreachable!() };
        let record = Record { id: target.id.into(), figure: 0.5 * most, command: "c".into() };
        let run = Run { date: "2026-11-19".into(), processor: "p".into(), commit: "1".into() };
        let (later, missing) = write(&run, &[record], &page());
        assert!(missing.is_empty() && problems(&later).is_empty());
        assert!(later.contains("- Run 0: 2026-11-18, on a processor\n- Run 1: 2026-11-19, on p\n"));
        assert!(later.contains("| yes | `c` | 1 |\n"));
        let rows = |page: &str| page.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(later.matches("| 0 |\n").count() + 1, rows(&later));
        // A row whose bound has changed since is not kept.
        let changed = page().replacen(&bound_text(target), "≤ 1000000 dB", 1);
        assert_eq!(write(&run, &[], &changed).1, [target.id]);
    }
}
