//! Bakes run in the thread pool of the caller, and the number of threads changes nothing.

mod bodies;

use bodies::bodies;
use foley_modal::file;

/// Threads of this process; 0 where it is not known.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// One test in a process of its own, because it counts threads.
#[test]
fn the_pool_of_the_caller_is_the_only_one_and_its_size_changes_no_bit() {
    for body in bodies() {
        let name = body.name;
        let mut first = None;
        for size in [1, 2, 8] {
            let before = threads();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(size).build().unwrap();
            let baked = pool.install(|| body.bake(None)).unwrap();
            let bytes = file::write_with_provenance(&baked.model, Some(&baked.provenance));
            // A global pool would stay until the process ends.
            let more = threads().saturating_sub(before);
            assert!(before == 0 || more == size, "{name}: {more} threads, pool of {size}");
            let first = first.get_or_insert_with(|| bytes.clone());
            let pairs = first.iter().zip(&bytes).filter(|(a, b)| a != b);
            let differ = first.len().abs_diff(bytes.len()) + pairs.count();
            println!("{name}, {size} threads");
            foley_measured::check!("meshes.threads", differ as f64);
            drop(pool);
            // Its threads end a moment later.
            let patience = std::time::Instant::now();
            while threads() > before && patience.elapsed().as_secs() < 10 {
                std::thread::yield_now();
            }
            assert_eq!(threads(), before, "{name}: threads are left");
        }
    }
}
