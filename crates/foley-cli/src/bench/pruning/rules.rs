//! What is compared.

use foley_dsp::resonator::Kernel;
use foley_engine::{Listening, Synthesis};

use crate::bench::take::Rule;

/// The paper's masking threshold a_v, dB.
pub(super) const A_V: [f64; 6] = [0.0, 2.5, 5.0, 10.0, 20.0, 100.0];

/// The longest block there is: the paper decides anew every 46 ms, this is 21 ms.
const PAPER_BLOCK: usize = 1024;

/// Our `mask_db`, `margin_db` and `detail` from fine to coarse, and blocks.
const EARS: [[f64; 3]; 5] =
    [[40.0, 20.0, 4.0], [40.0, 20.0, 2.0], [40.0, 20.0, 1.0], [20.0, 0.0, 1.0], [10.0, -10.0, 1.0]];
const BLOCKS: [usize; 2] = [256, 512];

/// All rules; with `curve`, each at several settings. The first computes everything.
pub(super) fn all(curve: bool) -> Vec<Rule> {
    let mut rules = vec![Rule::every_mode(Kernel::PerSample), Rule::every_mode(Kernel::Auto)];
    rules.extend(A_V.map(|a_v| paper(a_v, PAPER_BLOCK)));
    rules.push(Rule::partials());
    if curve {
        let usual = Rule::partials();
        rules.extend(A_V.map(|a_v| Rule {
            name: format!("the paper's, {a_v} dB, block {}", usual.block),
            key: format!("paper-{a_v}-{}", usual.block),
            ..paper(a_v, usual.block)
        }));
        let others = EARS.into_iter().flat_map(|ear| BLOCKS.map(|block| partials(ear, block)));
        rules.extend(
            others.filter(|rule| (rule.hearing, rule.block) != (usual.hearing, usual.block)),
        );
    }
    rules
}

fn paper(a_v: f64, block: usize) -> Rule {
    let name = format!("the paper's rule, a_v = {a_v} dB");
    Rule {
        block,
        ..Rule::new(name, format!("paper-{a_v}"), Synthesis::Masking2004(Listening::default(), a_v))
    }
}

fn partials([mask_db, margin_db, detail]: [f64; 3], block: usize) -> Rule {
    let name = format!("partials × {detail}, {mask_db}/{margin_db} dB, {block}");
    let key = format!("partials-{detail}-{mask_db}-{margin_db}-{block}");
    let hearing =
        Synthesis::Perceptual(Listening { mask_db, margin_db, detail, ..Listening::default() });
    Rule { block, ..Rule::new(name, key, hearing) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_key_of_its_own() {
        let rules = all(true);
        let mut keys: Vec<&str> = rules.iter().map(|rule| rule.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), rules.len());
        assert_eq!((all(false).len(), rules.len()), (9, 24));
    }
}
