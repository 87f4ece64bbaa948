//! Drops a few things on a floor: a scene file becomes `drop.wav`, rendered while it is simulated.

const SCENE: &str = r#"
    title = "a drop"
    seconds = 3
    ground = "concrete"
    [[object]]
    shape = "bar:300x30x8mm"
    material = "steel"
    position = [-0.3, 0, 0.6]
    rotation = [0, 20, 0]
    [[object]]
    shape = "plate:200x150x3mm"
    material = "glass"
    position = [0.3, 0.2, 0.9]
    rotation = [15, 5, 0]
"#;

fn main() -> Result<(), foley::Error> {
    let scene = foley::Scene::parse(SCENE)?;
    let written = foley::render(&scene)?.write("drop.wav")?;
    println!("drop.wav: peak {:.1} dBFS", 20.0 * written.peak.log10());
    Ok(())
}
