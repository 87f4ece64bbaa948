//! The methods that are compared.

use foley_dsp::resonator::Kernel;
use foley_engine::{Listening, Synthesis};

use crate::timed_render::Method;

/// The paper's masking threshold a_v, dB.
pub(crate) const A_V: [f64; 6] = [0.0, 2.5, 5.0, 10.0, 20.0, 100.0];

/// The longest block, 21 ms; the paper decides every 46 ms.
const PAPER_BLOCK: usize = 1024;

/// `mask_db`, `margin_db` and `detail` of perceptual synthesis from fine to coarse, and blocks.
const SETTINGS: [[f64; 3]; 5] =
    [[40.0, 20.0, 4.0], [40.0, 20.0, 2.0], [40.0, 20.0, 1.0], [20.0, 0.0, 1.0], [10.0, -10.0, 1.0]];
const BLOCKS: [usize; 2] = [256, 512];

/// Returns all methods; with `curve`, each at several settings. The first computes every mode.
pub(crate) fn all(curve: bool) -> Vec<Method> {
    let mut methods = vec![Method::every_mode(Kernel::PerSample), Method::every_mode(Kernel::Auto)];
    methods.extend(A_V.map(|a_v| paper(a_v, PAPER_BLOCK)));
    methods.push(Method::partials());
    if curve {
        let usual = Method::partials();
        methods.extend(A_V.map(|a_v| Method {
            name: format!("the paper's, {a_v} dB, block {}", usual.block),
            key: format!("paper-{a_v}-{}", usual.block),
            ..paper(a_v, usual.block)
        }));
        let others =
            SETTINGS.into_iter().flat_map(|settings| BLOCKS.map(|block| partials(settings, block)));
        methods.extend(
            others.filter(|method| {
                (method.synthesis, method.block) != (usual.synthesis, usual.block)
            }),
        );
    }
    methods
}

fn paper(a_v: f64, block: usize) -> Method {
    let name = format!("the paper's rule, a_v = {a_v} dB");
    Method {
        block,
        ..Method::new(
            name,
            format!("paper-{a_v}"),
            Synthesis::Masking2004(Listening::default(), a_v),
        )
    }
}

fn partials([mask_db, margin_db, detail]: [f64; 3], block: usize) -> Method {
    let name = format!("partials × {detail}, {mask_db}/{margin_db} dB, {block}");
    let key = format!("partials-{detail}-{mask_db}-{margin_db}-{block}");
    let synthesis = Synthesis::Perceptual(
        Listening::default().with_mask_db(mask_db).with_margin_db(margin_db).with_detail(detail),
    );
    Method { block, ..Method::new(name, key, synthesis) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_unique_key() {
        let methods = all(true);
        let mut keys: Vec<&str> = methods.iter().map(|method| method.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), methods.len());
        assert_eq!((all(false).len(), methods.len()), (9, 24));
    }
}
