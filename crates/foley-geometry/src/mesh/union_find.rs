//! Union-find (disjoint sets) with parity: connected components and two-colourability.
//!
//! Union by index with path halving; the parity of a node is relative to its parent
//! (Tarjan 1975, with the parity of Ahuja's bipartite test).

/// Disjoint sets of 0 … n−1.
pub struct UnionFind {
    /// Parent in the upper 31 bits, parity to it in the lowest one.
    link: Vec<u32>,
}

impl UnionFind {
    /// Returns n sets of one node each; n < 2³¹.
    pub fn new(n: usize) -> Self {
        debug_assert!(n < 1 << 31);
        Self { link: (0..n as u32).map(|i| i << 1).collect() }
    }

    /// Returns the root of a node and the node's parity relative to it.
    pub fn find(&mut self, mut node: u32) -> (u32, bool) {
        let mut parity = 0;
        loop {
            let link = self.link[node as usize];
            let parent = link >> 1;
            if parent == node {
                return (node, parity == 1);
            }
            // Path halving: link the node to its grandparent.
            let above = self.link[parent as usize];
            let shorter = above ^ (link & 1);
            self.link[node as usize] = shorter;
            parity ^= shorter & 1;
            node = shorter >> 1;
        }
    }

    /// Joins two sets so that the parities of the nodes differ by `odd`. Returns false when they
    /// are in one set already with the other parity.
    pub fn join(&mut self, a: u32, b: u32, odd: bool) -> bool {
        let ((a, pa), (b, pb)) = (self.find(a), self.find(b));
        let parity = pa ^ pb ^ odd;
        if a == b {
            return !parity;
        }
        // The smaller index becomes the root, so that results do not depend on the
        // order of joins.
        let (root, leaf) = (a.min(b), a.max(b));
        self.link[leaf as usize] = root << 1 | u32::from(parity);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parities_add_up_along_a_chain_and_odd_cycles_are_found() {
        let n = 1000;
        let mut sets = UnionFind::new(n);
        for i in 0..n as u32 - 1 {
            assert!(sets.join(i, i + 1, true));
        }
        for i in 0..n as u32 {
            assert_eq!(sets.find(i), (0, i % 2 == 1));
        }
        assert!(sets.join(0, 999, true));
        assert!(!sets.join(0, 998, true));
    }
}
