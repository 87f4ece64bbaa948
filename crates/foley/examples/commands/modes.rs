//! `foley modes bell --material bronze --output bell.modal`: the modes of a mesh or a shape.

use foley::geometry::atomic_file::AtomicFile;
use foley::modal::file;
use foley::modal::source::{Loaded, ModelOptions, ModelSource};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, material, output] = &arguments[..] else { return Err("three arguments".into()) };
    let options = ModelOptions::default().with_material(material);
    let Loaded { model, provenance, .. } = ModelSource::parse(target)?.load(&options, None)?;
    let bytes = file::write_with_provenance(&model, provenance.as_ref());
    AtomicFile::new(output, &bytes)?.keep()?;
    for (hz, decay) in model.frequencies_hz.iter().zip(&model.decays).take(8) {
        println!("{hz:9.1} Hz, T60 {:.3} s", 1000f64.ln() / decay);
    }
    Ok(())
}
