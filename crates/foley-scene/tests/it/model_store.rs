//! Models in a store of the program.

use foley_modal::cache::{MemoryStore, ModelStore};
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A store of a program's own that counts.
#[derive(Debug, Default)]
struct Counting {
    memory: MemoryStore,
    gets: AtomicUsize,
    puts: AtomicUsize,
}

impl ModelStore for Counting {
    fn get(&self, name: &str, limit: u64) -> Option<Vec<u8>> {
        self.gets.fetch_add(1, Relaxed);
        self.memory.get(name, limit)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        self.puts.fetch_add(1, Relaxed);
        self.memory.put(name, bytes);
    }
}

/// Two preparations with one store solve once; a damaged entry is solved again.
#[test]
fn a_store_of_the_program_is_asked_first() {
    let store = Arc::new(Counting::default());
    let text = "[[object]]\nmesh = \"bowl\"\nmaterial = \"glass\"\nmax_modes = 5";
    let scene = Scene::parse(text).unwrap();
    let prepare = || {
        let mut solved = false;
        let cache = ModelCache::with_store(Arc::clone(&store) as Arc<dyn ModelStore>);
        let prepared = scene.prepare(&cache, &mut |_| {
            solved = true;
            true
        });
        (prepared.unwrap().objects[0].model.clone().unwrap(), solved)
    };
    let (first, solved) = prepare();
    assert!(solved);
    assert_eq!(prepare(), (first.clone(), false));
    assert_eq!(store.puts.load(Relaxed), 1);
    assert!(store.gets.load(Relaxed) >= 2);
    let name = &store.memory.names()[0];
    assert!(name.ends_with(".modal"), "{name}");
    store.memory.put(name, b"FOLEYMOD?");
    assert_eq!(prepare(), (first, true));
}
