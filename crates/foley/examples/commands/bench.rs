//! `foley bench modes --rounds 1 --no-klank --json`: modes in real time on this machine.

use foley::bench::{Silent, modes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", modes::measure(1, false, &Silent)?);
    Ok(())
}
