//! Changes a scene while it plays, undoes it, and writes the scene back as `edited.toml`.
//! `edit_while_playing null` plays in real time to nowhere.

use foley::scene::edit::Edit;
use foley::scene::prepare::ModelCache;
use foley::{Output, Player, Scene};
use std::time::Duration;

const SCENE: &str = r#"
    seconds = 4
    [[object]]
    name = "bar"
    shape = "bar:300x30x8mm"
    material = "steel"
    motion = "fixed"
    [[scrape]]
    object = "bar"
    along = [[-0.1, 0, 0], [0.1, 0, 0]]
    back_and_forth = true
    speed_m_s = 0.3
    seconds = 4
"#;

fn main() -> Result<(), foley::Error> {
    let output = match std::env::args().nth(1).as_deref() {
        Some("null") => Output::Null,
        _ => Output::Default,
    };
    let scene = Scene::parse(SCENE)?;
    let bar = scene.objects[0].id;
    let mut player = Player::open(&scene, &output)?;
    let half_a_second = Duration::from_millis(500);
    player.run_for(half_a_second)?;
    let glass = foley::modal::Material::named("glass")?.clone();
    let cache = ModelCache::user();
    player.scene().apply(Edit::SetMaterial { object: bar, material: glass }, &cache)?;
    player.run_for(half_a_second)?;
    player.scene().apply(Edit::SetGain { object: bar, gain_db: -6.0 }, &cache)?;
    player.run_for(half_a_second)?;
    player.scene().undo(&cache)?;
    player.run_for(half_a_second)?;
    player.scene().scene().save("edited.toml")?;
    Ok(())
}
