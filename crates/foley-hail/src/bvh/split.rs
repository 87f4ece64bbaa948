//! Where to part the things of a node: the surface area heuristic on sixteen bins.

use super::Aabb;

const BINS: usize = 16;

/// Parts `items` in two and returns how many come first; none if they are better left together.
///
/// The cost of a part is its number times its surface: the chance that a path which meets the node
/// must ask its things.
pub(super) fn split(
    items: &mut [u32],
    boxes: &[Aabb],
    centres: &[[f64; 3]],
    leaf: usize,
) -> Option<usize> {
    let spread = items.iter().fold(Aabb::NOTHING, |all, i| {
        let centre = centres[*i as usize];
        all.with(&Aabb { lo: centre, hi: centre })
    });
    let axis = longest(&spread);
    let (lo, width) = (spread.lo[axis], spread.hi[axis] - spread.lo[axis]);
    if !(width > 0.0) {
        return (items.len() > leaf).then_some(items.len() / 2);
    }
    let bin = |i: u32| {
        let at = (centres[i as usize][axis] - lo) / width;
        ((at * BINS as f64) as usize).min(BINS - 1)
    };
    let mut bins = [(Aabb::NOTHING, 0_usize); BINS];
    for i in items.iter() {
        let (bounds, count) = &mut bins[bin(*i)];
        *bounds = bounds.with(&boxes[*i as usize]);
        *count += 1;
    }
    let (cost, cut) = cheapest(&bins)?;
    let whole = bins.iter().fold(Aabb::NOTHING, |all, (bounds, _)| all.with(bounds));
    // Asking a node costs about as much as asking a thing.
    let together = whole.half_area() * items.len() as f64;
    if items.len() <= leaf && together <= cost + whole.half_area() {
        return None;
    }
    let mut first = 0;
    for k in 0..items.len() {
        if bin(items[k]) < cut {
            items.swap(first, k);
            first += 1;
        }
    }
    Some(first)
}

/// Parts `items` in halves along the longest axis.
pub(super) fn halve(items: &mut [u32], centres: &[[f64; 3]]) -> usize {
    let spread = items.iter().fold(Aabb::NOTHING, |all, i| {
        let centre = centres[*i as usize];
        all.with(&Aabb { lo: centre, hi: centre })
    });
    let axis = longest(&spread);
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        let [x, y] = [a, b].map(|i| centres[*i as usize][axis]);
        x.total_cmp(&y).then(a.cmp(b))
    });
    middle
}

fn longest(bounds: &Aabb) -> usize {
    let size: [f64; 3] = std::array::from_fn(|axis| bounds.hi[axis] - bounds.lo[axis]);
    let longer = |a: usize, b: usize| if size[b] > size[a] { b } else { a };
    longer(longer(0, 1), 2)
}

/// The cheapest cut: its cost, and the first bin behind it.
fn cheapest(bins: &[(Aabb, usize); BINS]) -> Option<(f64, usize)> {
    let mut behind = [0.0; BINS];
    let (mut bounds, mut count) = (Aabb::NOTHING, 0);
    for k in (1..BINS).rev() {
        bounds = bounds.with(&bins[k].0);
        count += bins[k].1;
        behind[k] = bounds.half_area() * count as f64;
    }
    let all = count + bins[0].1;
    let (mut bounds, mut count) = (Aabb::NOTHING, 0);
    let mut best: Option<(f64, usize)> = None;
    for k in 1..BINS {
        bounds = bounds.with(&bins[k - 1].0);
        count += bins[k - 1].1;
        let cost = bounds.half_area() * count as f64 + behind[k];
        if count > 0 && count < all && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, k));
        }
    }
    best
}
