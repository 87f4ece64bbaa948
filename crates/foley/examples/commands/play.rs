//! `foley play scene.toml`: a scene in motion on a sound card; `null` instead: without a device.

use foley::{Output, Player};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let scene = foley::Scene::load(arguments.next().ok_or("a scene")?)?;
    let output = match arguments.next().as_deref() {
        None => Output::Default,
        Some("null") => Output::Null,
        Some(name) => Output::Named(name.into()),
    };
    let mut player = Player::open(&scene, &output)?;
    while player.run_for(Duration::from_millis(100))? {}
    let report = player.stop();
    let (impacts, gaps) = (report.sonified.impacts, report.stream.gaps);
    println!("played {:.1} s: {impacts} impacts, {gaps} gaps", scene.seconds);
    Ok(())
}
