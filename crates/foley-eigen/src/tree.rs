//! The tree of supernodes: which columns are eliminated together, and in which order.

use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;

use super::pencil::Pencil;
use super::tile::HEIGHT;

/// Subtrees into which the work is divided, per thread.
const TASKS: usize = 8;

/// One supernode: columns that share their pattern below the diagonal.
pub(super) struct Node {
    pub(super) start: usize,
    pub(super) width: usize,
    /// Rows below, ascending.
    pub(super) rows: Vec<u32>,
    pub(super) children: Vec<usize>,
}

/// The supernodes, and how they are shared out.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Whole subtrees of about equal work, each with its nodes in order.
    pub(super) tasks: Vec<Vec<usize>>,
    /// What remains above them, in order.
    pub(super) top: Vec<usize>,
    /// Where each supernode's entries of the matrix are: by columns, (row, entry).
    pub(super) starts: Vec<u32>,
    pub(super) entries: Vec<(u32, u32)>,
    pub(super) halves: Option<Halves>,
}

/// Two sets of supernodes that do not touch each other, and what both touch.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    /// The second begins with this node and this column.
    pub(super) second: (usize, usize),
    /// And so does the rest.
    pub(super) rest: (usize, usize),
}

impl Node {
    /// Numbers in the packed factor: rising strips beside the diagonal, whole ones below.
    pub(super) fn packed(&self) -> usize {
        self.below() + HEIGHT * self.width * self.rows.len().div_ceil(HEIGHT)
    }

    /// Where strip t of the triangle begins.
    pub(super) fn strip(t: usize) -> usize {
        HEIGHT * HEIGHT * t * (t + 1) / 2
    }

    /// Where the strips below the triangle begin.
    pub(super) fn below(&self) -> usize {
        let strips = self.width.div_ceil(HEIGHT);
        Self::strip(strips - 1) + HEIGHT * self.width
    }

    fn work(&self) -> f64 {
        let (w, m) = (self.width as f64, (self.width + self.rows.len()) as f64);
        w * m * m
    }
}

impl Tree {
    pub(super) fn new(symbolic: &SymbolicSupernodalCholesky<u32>, pencil: &Pencil) -> Self {
        let (begin, end) = (symbolic.supernode_begin(), symbolic.supernode_end());
        let mut of_column = vec![0; pencil.unknowns()];
        let mut nodes: Vec<Node> = (0..symbolic.n_supernodes())
            .map(|s| {
                let (start, end) = (begin[s] as usize, end[s] as usize);
                of_column[start..end].fill(s);
                let rows = symbolic.supernode(s).pattern().to_vec();
                Node { start, width: end - start, rows, children: Vec::new() }
            })
            .collect();
        let parent: Vec<Option<usize>> =
            nodes.iter().map(|node| node.rows.first().map(|r| of_column[*r as usize])).collect();
        let mut work: Vec<f64> = nodes.iter().map(Node::work).collect();
        for s in 0..nodes.len() {
            if let Some(p) = parent[s] {
                nodes[p].children.push(s);
                work[p] += work[s];
            }
        }
        let roots = (0..nodes.len()).filter(|s| parent[*s].is_none()).collect();
        let (tasks, top) = shared_out(&nodes, &work, roots);
        let (starts, entries) = by_rows(pencil);
        let halves = halves(&nodes);
        Self { nodes, tasks, top, starts, entries, halves }
    }

    /// Modes to ask of one shift: more where a factor costs many solves.
    pub(super) fn slice(&self) -> usize {
        let factor: f64 = self.nodes.iter().map(Node::work).sum();
        let solve: f64 = self.nodes.iter().map(|n| 4.0 * n.packed() as f64).sum();
        ((0.5 * factor / solve) as usize + 40).clamp(80, 240)
    }

    /// Bytes of the packed factor.
    pub(super) fn factor_bytes(&self) -> u64 {
        self.nodes.iter().map(|n| n.packed() as u64 * 8).sum()
    }

    /// Most bytes that fronts and updates take at once.
    pub(super) fn work_bytes(&self) -> u64 {
        let (mut live, mut most) = (0, 0);
        let order = self.tasks.iter().flatten().chain(&self.top);
        for s in order {
            let node = &self.nodes[*s];
            let (w, p) = (node.width as u64, node.rows.len() as u64);
            // The front's columns twice, and its update.
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

    pub(super) fn bytes(&self) -> u64 {
        let rows: usize = self.nodes.iter().map(|n| n.rows.len() * 4 + 80).sum();
        (rows + self.entries.len() * 8 + self.starts.len() * 4) as u64
    }
}

/// Cuts the heaviest subtree open until there are enough of them.
fn shared_out(
    nodes: &[Node],
    work: &[f64],
    mut subtrees: Vec<usize>,
) -> (Vec<Vec<usize>>, Vec<usize>) {
    let total: f64 = subtrees.iter().map(|s| work[*s]).sum();
    let enough = total / (TASKS * rayon::current_num_threads()) as f64;
    let mut top = Vec::new();
    let mut small = Vec::new();
    while let Some(s) = subtrees.pop() {
        if work[s] <= enough || nodes[s].children.is_empty() {
            small.push(s);
        } else {
            top.push(s);
            subtrees.extend(&nodes[s].children);
        }
    }
    top.sort_unstable();
    // Neighbours first, so that their updates are used up soon.
    small.sort_unstable();
    let mut tasks: Vec<Vec<usize>> = Vec::new();
    let mut room = 0.0;
    for root in small {
        let mut list = vec![root];
        let mut next = 0;
        while next < list.len() {
            list.extend(&nodes[list[next]].children);
            next += 1;
        }
        list.sort_unstable();
        // Many tiny subtrees make one task.
        match tasks.last_mut() {
            Some(last) if room >= work[root] => last.extend(list),
            _ => {
                tasks.push(list);
                room = enough;
            }
        }
        room -= work[root];
    }
    tasks.iter_mut().for_each(|task| task.sort_unstable());
    (tasks, top)
}

/// Last nodes among which the beginning of the rest is looked for.
const SEPARATORS: usize = 40;

/// The best cut into two halves, None when one of them would be small.
fn halves(nodes: &[Node]) -> Option<Halves> {
    let size = |list: &[Node]| list.iter().map(|n| n.packed() as f64).sum::<f64>();
    let total = size(nodes);
    let mut best: Option<(f64, Halves)> = None;
    for rest in (nodes.len().saturating_sub(SEPARATORS)..nodes.len()).rev() {
        let end = nodes[rest].start as u32;
        // The last column before the rest that the nodes so far touch.
        let (mut reach, mut first) = (0, 0.0);
        for second in 1..rest {
            let node = &nodes[second - 1];
            first += node.packed() as f64;
            let inside = &node.rows[..node.rows.partition_point(|r| *r < end)];
            reach = reach.max(inside.last().map_or(0, |r| *r as usize));
            if reach >= nodes[second].start {
                continue;
            }
            let last = size(&nodes[rest..]);
            let cost = first.max(total - first - last) + last;
            if best.is_none_or(|(least, _)| cost < least) {
                let second = (second, nodes[second].start);
                best = Some((cost, Halves { second, rest: (rest, end as usize) }));
            }
        }
    }
    best.filter(|(cost, _)| *cost < 0.8 * total).map(|(_, halves)| halves)
}

/// The upper triangle's columns as the lower one's: for each column the (row, entry).
fn by_rows(pencil: &Pencil) -> (Vec<u32>, Vec<(u32, u32)>) {
    let n = pencil.unknowns();
    let mut starts = vec![0_u32; n + 1];
    pencil.rows.iter().for_each(|row| starts[*row as usize + 1] += 1);
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
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
