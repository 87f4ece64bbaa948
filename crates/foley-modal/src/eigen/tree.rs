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
        Self { nodes, tasks, top, starts, entries }
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
            live -= node.children.iter().map(|c| 8 * (self.nodes[*c].rows.len() as u64).pow(2)).sum::<u64>();
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
