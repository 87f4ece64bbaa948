//! The same calls on one thread.

/// Calls both closures, one after the other.
pub fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}

/// Returns 1.
pub fn current_num_threads() -> usize {
    1
}

/// The traits of Rayon's prelude, as far as Foley uses them.
pub mod prelude {
    use std::cmp::Ordering;
    use std::slice::{Chunks, ChunksMut, Iter, IterMut};

    /// Iteration by value.
    pub trait IntoParallelIterator: IntoIterator + Sized {
        /// Returns the iterator.
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// Adapters that the iterators of the standard library lack.
    pub trait ParallelIterator: Iterator + Sized {
        /// Returns the iterator: there are no tasks to be made longer.
        fn with_min_len(self, _items: usize) -> Self {
            self
        }

        /// Maps items with a state, made once.
        fn map_init<S, T>(
            self,
            init: impl FnOnce() -> S,
            mut map: impl FnMut(&mut S, Self::Item) -> T,
        ) -> impl Iterator<Item = T> {
            let mut state = init();
            self.map(move |item| map(&mut state, item))
        }

        /// Maps items to sequences and concatenates them.
        fn flat_map_iter<T: IntoIterator>(
            self,
            map: impl FnMut(Self::Item) -> T,
        ) -> impl Iterator<Item = T::Item> {
            self.flat_map(map)
        }
    }

    impl<I: Iterator> ParallelIterator for I {}

    /// Slices that are read.
    pub trait ParallelSlice<T> {
        /// Returns the slice.
        fn as_parallel_slice(&self) -> &[T];

        /// Iterates over the items.
        fn par_iter<'a>(&'a self) -> Iter<'a, T>
        where
            T: 'a,
        {
            self.as_parallel_slice().iter()
        }

        /// Iterates over chunks of `size` items.
        fn par_chunks<'a>(&'a self, size: usize) -> Chunks<'a, T>
        where
            T: 'a,
        {
            self.as_parallel_slice().chunks(size)
        }
    }

    impl<T> ParallelSlice<T> for [T] {
        fn as_parallel_slice(&self) -> &[T] {
            self
        }
    }

    /// Slices that are written.
    pub trait ParallelSliceMut<T> {
        /// Returns the slice.
        fn as_parallel_slice_mut(&mut self) -> &mut [T];

        /// Iterates over the items.
        fn par_iter_mut<'a>(&'a mut self) -> IterMut<'a, T>
        where
            T: 'a,
        {
            self.as_parallel_slice_mut().iter_mut()
        }

        /// Iterates over chunks of `size` items.
        fn par_chunks_mut<'a>(&'a mut self, size: usize) -> ChunksMut<'a, T>
        where
            T: 'a,
        {
            self.as_parallel_slice_mut().chunks_mut(size)
        }

        /// Sorts; equal items may change places.
        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.as_parallel_slice_mut().sort_unstable();
        }

        /// Sorts by a comparison; equal items may change places.
        fn par_sort_unstable_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
            self.as_parallel_slice_mut().sort_unstable_by(compare);
        }
    }

    impl<T> ParallelSliceMut<T> for [T] {
        fn as_parallel_slice_mut(&mut self) -> &mut [T] {
            self
        }
    }
}
