//! The elimination tree of supernodes, and its division into parallel subtrees.

use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;

use crate::kernels::simd::STRIP_ROWS;
use crate::matrix::group_starts;
use crate::pencil::Pencil;

/// Approximate number of subtrees. It does not depend on the number of threads, so the result does not
/// either.
const TASKS: usize = 32;

/// A supernode: columns that share their pattern below the diagonal.
pub(crate) struct Supernode {
    pub(crate) start: usize,
    pub(crate) width: usize,
    /// Rows below the diagonal block, ascending.
    pub(crate) rows: Vec<u32>,
    pub(crate) children: Vec<usize>,
}

/// The supernodes and their parallel schedule.
pub(crate) struct EliminationTree {
    pub(crate) nodes: Vec<Supernode>,
    /// Independent subtrees of about equal work, each with its nodes in order.
    pub(crate) subtrees: Vec<Vec<usize>>,
    /// The nodes above the subtrees, in order.
    pub(crate) upper: Vec<usize>,
    /// The lower triangle of the matrix by columns: (row, index of the entry).
    pub(crate) starts: Vec<u32>,
    pub(crate) entries: Vec<(u32, u32)>,
    pub(crate) bisection: Option<Bisection>,
}

/// Two uncoupled sets of supernodes and their separator.
#[derive(Clone, Copy)]
pub(crate) struct Bisection {
    /// First node and first column of the second set.
    pub(crate) second: (usize, usize),
    /// First node and first column of the separator.
    pub(crate) separator: (usize, usize),
}

impl Supernode {
    /// Returns the length of the packed factor: growing strips of the triangle, full strips
    /// below it.
    pub(crate) fn packed_len(&self) -> usize {
        self.below_offset() + STRIP_ROWS * self.width * self.rows.len().div_ceil(STRIP_ROWS)
    }

    /// Returns the offset of strip t of the triangle.
    pub(crate) fn strip_offset(t: usize) -> usize {
        STRIP_ROWS * STRIP_ROWS * t * (t + 1) / 2
    }

    /// Returns the offset of the strips below the triangle.
    pub(crate) fn below_offset(&self) -> usize {
        let strips = self.width.div_ceil(STRIP_ROWS);
        Self::strip_offset(strips - 1) + STRIP_ROWS * self.width
    }

    fn flops(&self) -> f64 {
        let (w, m) = (self.width as f64, (self.width + self.rows.len()) as f64);
        w * m * m
    }
}

impl EliminationTree {
    pub(crate) fn new(symbolic: &SymbolicSupernodalCholesky<u32>, pencil: &Pencil) -> Self {
        let (begin, end) = (symbolic.supernode_begin(), symbolic.supernode_end());
        let mut of_column = vec![0; pencil.unknowns()];
        let mut nodes: Vec<Supernode> = (0..symbolic.n_supernodes())
            .map(|s| {
                let (start, end) = (begin[s] as usize, end[s] as usize);
                of_column[start..end].fill(s);
                let rows = symbolic.supernode(s).pattern().to_vec();
                Supernode { start, width: end - start, rows, children: Vec::new() }
            })
            .collect();
        let parent: Vec<Option<usize>> =
            nodes.iter().map(|node| node.rows.first().map(|r| of_column[*r as usize])).collect();
        let mut work: Vec<f64> = nodes.iter().map(Supernode::flops).collect();
        for s in 0..nodes.len() {
            if let Some(p) = parent[s] {
                nodes[p].children.push(s);
                work[p] += work[s];
            }
        }
        let roots = (0..nodes.len()).filter(|s| parent[*s].is_none()).collect();
        let (subtrees, upper) = partition_subtrees(&nodes, &work, roots);
        let (starts, entries) = lower_entries(pencil);
        let bisection = bisect(&nodes);
        Self { nodes, subtrees, upper, starts, entries, bisection }
    }

    /// Returns the number of modes per shift: more where a factor costs many solves.
    pub(crate) fn modes_per_slice(&self) -> usize {
        let factor: f64 = self.nodes.iter().map(Supernode::flops).sum();
        let solve: f64 = self.nodes.iter().map(|n| 4.0 * n.packed_len() as f64).sum();
        ((0.5 * factor / solve) as usize + 40).clamp(80, 240)
    }

    /// Returns the bytes of the packed factor.
    pub(crate) fn factor_bytes(&self) -> u64 {
        self.nodes.iter().map(|n| n.packed_len() as u64 * 8).sum()
    }

    /// Returns the peak bytes of fronts and update matrices.
    pub(crate) fn work_bytes(&self) -> u64 {
        let (mut live, mut most) = (0, 0);
        let order = self.subtrees.iter().flatten().chain(&self.upper);
        for s in order {
            let node = &self.nodes[*s];
            let (w, p) = (node.width as u64, node.rows.len() as u64);
            // The columns of the front twice, and its update matrix.
            live += 8 * p * p;
            most = most.max(live + 8 * 2 * w * (w + p));
            live -= node
                .children
                .iter()
                .map(|c| 8 * (self.nodes[*c].rows.len() as u64).pow(2))
                .sum::<u64>();
        }
        2 * most
    }

    pub(crate) fn bytes(&self) -> u64 {
        let rows: usize = self.nodes.iter().map(|n| n.rows.len() * 4 + 80).sum();
        (rows + self.entries.len() * 8 + self.starts.len() * 4) as u64
    }
}

/// Splits subtrees until none has more than its share of the work. Returns the subtrees and
/// the nodes above them.
fn partition_subtrees(
    nodes: &[Supernode],
    work: &[f64],
    mut roots: Vec<usize>,
) -> (Vec<Vec<usize>>, Vec<usize>) {
    let total: f64 = roots.iter().map(|s| work[*s]).sum();
    let enough = total / TASKS as f64;
    let mut upper = Vec::new();
    let mut small = Vec::new();
    while let Some(s) = roots.pop() {
        if work[s] <= enough || nodes[s].children.is_empty() {
            small.push(s);
        } else {
            upper.push(s);
            roots.extend(&nodes[s].children);
        }
    }
    upper.sort_unstable();
    // Adjacent subtrees run together, so that their updates are consumed soon.
    small.sort_unstable();
    let mut subtrees: Vec<Vec<usize>> = Vec::new();
    let mut room = 0.0;
    for root in small {
        let mut list = vec![root];
        let mut next = 0;
        while next < list.len() {
            list.extend(&nodes[list[next]].children);
            next += 1;
        }
        list.sort_unstable();
        // Small subtrees share one task.
        match subtrees.last_mut() {
            Some(last) if room >= work[root] => last.extend(list),
            _ => {
                subtrees.push(list);
                room = enough;
            }
        }
        room -= work[root];
    }
    subtrees.iter_mut().for_each(|list| list.sort_unstable());
    (subtrees, upper)
}

/// Number of last nodes tried as the first node of the separator.
const SEPARATOR_CANDIDATES: usize = 40;

/// Returns the best bisection of the tree, `None` when it is unbalanced.
fn bisect(nodes: &[Supernode]) -> Option<Bisection> {
    let size = |list: &[Supernode]| list.iter().map(|n| n.packed_len() as f64).sum::<f64>();
    let total = size(nodes);
    let mut best: Option<(f64, Bisection)> = None;
    for separator in (nodes.len().saturating_sub(SEPARATOR_CANDIDATES)..nodes.len()).rev() {
        let end = nodes[separator].start as u32;
        // The last column before the separator that the first set touches.
        let (mut reach, mut first) = (0, 0.0);
        for second in 1..separator {
            let node = &nodes[second - 1];
            first += node.packed_len() as f64;
            let inside = &node.rows[..node.rows.partition_point(|r| *r < end)];
            reach = reach.max(inside.last().map_or(0, |r| *r as usize));
            if reach >= nodes[second].start {
                continue;
            }
            let last = size(&nodes[separator..]);
            let cost = first.max(total - first - last) + last;
            if best.is_none_or(|(least, _)| cost < least) {
                let second = (second, nodes[second].start);
                best = Some((cost, Bisection { second, separator: (separator, end as usize) }));
            }
        }
    }
    best.filter(|(cost, _)| *cost < 0.8 * total).map(|(_, bisection)| bisection)
}

/// Returns the lower triangle by columns from the upper one: (starts, (row, index of the
/// entry)).
fn lower_entries(pencil: &Pencil) -> (Vec<u32>, Vec<(u32, u32)>) {
    let n = pencil.unknowns();
    let starts = group_starts(n, pencil.rows.iter().map(|row| *row as usize));
    let mut next = starts.clone();
    let mut entries = vec![(0, 0); pencil.rows.len()];
    for j in 0..n {
        for p in pencil.starts[j]..pencil.starts[j + 1] {
            let at = &mut next[pencil.rows[p as usize] as usize];
            entries[*at as usize] = (j as u32, p);
            *at += 1;
        }
    }
    (starts, entries)
}
