//! Edits of a scene while it plays, a thousand a second. Alone in its process, whose memory it measures.

use foley_engine::{Settings, Source};
use foley_scene::Scene;
use foley_scene::edit::Edit;
use foley_scene::prepare::ModelCache;
use foley_scene::scene::{ObjectId, Pose};
use foley_scene::sonify::{ImpactBackend, PreparedEdit, SceneStream};
use std::sync::Arc;

/// Two bars; the second is scraped all the time.
const SCENE: &str = r#"
    seconds = 61
    full_scale_pa = 20
    [listener]
    position = [0, -1.5, 0]
    [[object]]
    name = "a"
    shape = "bar:300x30x8mm"
    material = "steel"
    motion = "fixed"
    position = [-0.5, 0, 0]
    max_modes = 12
    [[object]]
    name = "b"
    shape = "bar:260x30x8mm"
    material = "aluminium"
    motion = "fixed"
    position = [0.5, 0, 0]
    max_modes = 12
    [[scrape]]
    object = "b"
    along = [[-0.05, 0, 0], [0.05, 0, 0]]
    back_and_forth = true
    speed_m_s = 0.2
    force_n = 1
    seconds = 61
"#;

const RATE: usize = 48_000;

/// Returns the resident memory of this process, MB; 0 where it is not known.
fn resident_mb() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or(0.0) * 4096e-6
}

/// A thousand edits a second for a minute: everything sounds on, nothing is refused, and neither voices
/// nor memory grow.
#[test]
fn a_thousand_edits_a_second_leave_no_gap_and_no_growth() {
    let scene = Arc::new(Scene::parse(SCENE).unwrap());
    let cache = ModelCache::none();
    let prepared = scene.prepare(&cache, &mut |_| true).unwrap();
    let settings = Settings::default().audible().with_full_scale_pa(20.0).with_block(256);
    let mut stream =
        SceneStream::new(&scene, &prepared, settings, &ImpactBackend::default()).unwrap();
    let (a, b) = (scene.objects[0].id, scene.objects[1].id);
    let mut third = scene.objects[0].clone();
    third.id = ObjectId::UNASSIGNED;
    third.name = "c".into();
    let add = Edit::add_object(third);
    let prepared = PreparedEdit::new(&scene, &add, &cache, &mut |_| true);
    let prepared = prepared.unwrap();
    let mut part = vec![0.0; 2 * RATE / 100];
    let (mut most_voices, mut edits, mut silent, mut bad) = (0, 0, 0, 0);
    let mut early_mb = 0.0;
    for round in 0..6_000u32 {
        if round == 1_000 {
            early_mb = resident_mb();
        }
        for k in 0..10 {
            let live = stream.scene();
            let x = f64::from((7 * round + k) % 20) * 0.05;
            let pose = Pose { position_m: [x, 0.2, 0.0], ..scene.objects[0].pose };
            let edit = match k % 4 {
                0 => Edit::SetPose { object: a, pose },
                1 => Edit::SetGain { object: b, gain_db: -x },
                2 => add.clone(),
                _ => Edit::RemoveObject(live.scene().objects[2].id),
            };
            live.apply_prepared(edit, &prepared).unwrap();
            edits += 1;
        }
        if stream.scene().scene().objects.len() > 2 {
            let id = stream.scene().scene().objects[2].id;
            stream.scene().apply_prepared(Edit::RemoveObject(id), &prepared).unwrap();
        }
        stream.fill(&mut part);
        let report = stream.scene().engine().report();
        most_voices = most_voices.max(report.voices);
        bad = bad.max(report.refused + report.bad_blocks);
        let level = part.iter().map(|y| y.abs()).fold(0.0, f32::max);
        silent += u32::from(round >= 5 && level <= 1e-6);
        assert!(level <= 1.0);
    }
    stream.take_error().unwrap();
    foley_measured::check!("edits.rate", f64::from(edits));
    foley_measured::check!("edits.silent", f64::from(silent));
    foley_measured::check!("edits.bad", bad as f64);
    foley_measured::check!("edits.voices", most_voices as f64);
    foley_measured::check!("edits.memory", resident_mb() - early_mb);
}
