//! Splitting the items of a node.

use super::Aabb;

const BINS: usize = 16;

/// How the items of a node become those of its two children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// By the surface area heuristic (SAH) on 16 bins: the fastest queries.
    SurfaceArea,
    /// At the median of their centres along the longest side.
    Median,
    /// In the middle of their order, which is that of a space-filling curve: the fastest build.
    Ordered,
}

impl Split {
    /// Returns the split below the depth where areas decide.
    pub(super) fn or_median(self) -> Self {
        if self == Self::SurfaceArea { Self::Median } else { self }
    }

    /// Partitions `items` in two and returns the size of the first part; none for a leaf.
    pub(super) fn first_part(
        self,
        items: &mut [u32],
        leaf: usize,
        box_of: &impl Fn(u32) -> Aabb,
    ) -> Option<usize> {
        match self {
            Self::SurfaceArea if items.len() > 1 => by_surface_area(items, leaf, box_of),
            _ if items.len() <= leaf => None,
            Self::Median => Some(at_median(items, box_of)),
            _ => Some(items.len() / 2),
        }
    }
}

/// Partitions `items` in two and returns the size of the first part; none if a leaf is cheaper.
///
/// The cost of a part is its item count times its surface area: the expected number of item tests of a
/// trajectory that hits the node.
fn by_surface_area(items: &mut [u32], leaf: usize, box_of: &impl Fn(u32) -> Aabb) -> Option<usize> {
    let spread = centre_bounds(items, box_of);
    let bounds = items.iter().fold(Aabb::EMPTY, |all, &i| all.union(&box_of(i)));
    let mut best: Option<(f64, Cut)> = None;
    for axis in 0..3 {
        let (lo, width) = (spread.lo[axis], spread.hi[axis] - spread.lo[axis]);
        if !(width > 0.0) {
            continue;
        }
        let mut cut = Cut { axis, lo, width, behind: 0 };
        let mut bins = [(Aabb::EMPTY, 0_usize); BINS];
        for &i in items.iter() {
            let item = box_of(i);
            let (bin_bounds, count) = &mut bins[cut.bin(&item.centre())];
            *bin_bounds = bin_bounds.union(&item);
            *count += 1;
        }
        if let Some((cost, behind)) = cheapest(&bins)
            && best.as_ref().is_none_or(|(least, _)| cost < *least)
        {
            cut.behind = behind;
            best = Some((cost, cut));
        }
    }
    let Some((cost, cut)) = best else {
        return (items.len() > leaf).then_some(items.len() / 2);
    };
    // Testing a node costs about as much as testing an item.
    let together = bounds.half_area() * items.len() as f64;
    if items.len() <= leaf && together <= cost + bounds.half_area() {
        return None;
    }
    let mut first = 0;
    for k in 0..items.len() {
        if cut.bin(&box_of(items[k]).centre()) < cut.behind {
            items.swap(first, k);
            first += 1;
        }
    }
    Some(first)
}

/// A plane across an axis, before the bin `behind`.
struct Cut {
    axis: usize,
    lo: f64,
    width: f64,
    behind: usize,
}

impl Cut {
    fn bin(&self, centre: &[f64; 3]) -> usize {
        let at = (centre[self.axis] - self.lo) / self.width;
        ((at * BINS as f64) as usize).min(BINS - 1)
    }
}

/// Returns the bounding box of the centres.
fn centre_bounds(items: &[u32], box_of: &impl Fn(u32) -> Aabb) -> Aabb {
    items.iter().fold(Aabb::EMPTY, |all, &i| {
        let centre = box_of(i).centre();
        all.union(&Aabb { lo: centre, hi: centre })
    })
}

/// Partitions `items` at the median along the longest axis; equal centres are ordered by index.
fn at_median(items: &mut [u32], box_of: &impl Fn(u32) -> Aabb) -> usize {
    let axis = longest(&centre_bounds(items, box_of));
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        let [x, y] = [a, b].map(|i| box_of(*i).centre()[axis]);
        x.total_cmp(&y).then(a.cmp(b))
    });
    middle
}

fn longest(bounds: &Aabb) -> usize {
    let size: [f64; 3] = std::array::from_fn(|axis| bounds.hi[axis] - bounds.lo[axis]);
    let longer = |a: usize, b: usize| if size[b] > size[a] { b } else { a };
    longer(longer(0, 1), 2)
}

/// Returns the cost of the cheapest cut and the first bin behind it.
fn cheapest(bins: &[(Aabb, usize); BINS]) -> Option<(f64, usize)> {
    let mut behind = [0.0; BINS];
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    for k in (1..BINS).rev() {
        bounds = bounds.union(&bins[k].0);
        count += bins[k].1;
        behind[k] = bounds.half_area() * count as f64;
    }
    let all = count + bins[0].1;
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    let mut best: Option<(f64, usize)> = None;
    for k in 1..BINS {
        bounds = bounds.union(&bins[k - 1].0);
        count += bins[k - 1].1;
        let cost = bounds.half_area() * count as f64 + behind[k];
        if count > 0 && count < all && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, k));
        }
    }
    best
}
