//! Preparations that are cancelled leave nothing behind.

use foley_scene::Scene;
use foley_scene::edit::Edit;
use foley_scene::prepare::{ModelCache, PrepareError};
use foley_scene::sonify::{PreparedEdit, SonifyError};

const BOWL: &str =
    "[[object]]\nname = \"bowl\"\nmesh = \"bowl\"\nmaterial = \"glass\"\nmax_modes = 5";

/// Returns an edit that adds the bowl to an empty scene.
fn add_bowl() -> (Scene, Edit) {
    let edit = Edit::add_object(Scene::parse(BOWL).unwrap().objects[0].clone());
    (Scene::parse("object = []").unwrap(), edit)
}

/// Wherever a preparation is cancelled, it stops at once and its folder stays empty.
#[test]
fn a_cancelled_preparation_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let (empty, edit) = add_bowl();
    let prepare = |last: usize| {
        let mut asked = 0;
        let cache = ModelCache::at(folder.path());
        let result = PreparedEdit::new(&empty, &edit, &cache, &mut |_| {
            asked += 1;
            asked <= last
        });
        (result, asked)
    };
    // Every callback of a complete run, counted without a cache.
    let mut all = 0;
    PreparedEdit::new(&empty, &edit, &ModelCache::none(), &mut |_| {
        all += 1;
        true
    })
    .unwrap();
    assert!(all > 20, "{all}");
    for last in [0, 1, 2, all / 4, all / 2, all - 2, all - 1] {
        let (result, asked) = prepare(last);
        let cancelled = matches!(result, Err(SonifyError::Prepare(PrepareError::Cancelled)));
        assert!(cancelled, "{last} of {all}: {result:?}");
        assert_eq!((asked, files()), (last + 1, 0), "{last} of {all}");
    }
    assert!(prepare(usize::MAX).0.is_ok());
    assert_eq!(files(), 1);
}
