//! Readers of contact traces: JSON lines and tables of impacts.
#![no_main]

use foley_fuzz::{seeds, write_seeds};
use foley_physics::trace::{Reader, Writer, read_impacts_csv};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: write_seeds(seeds::trace), |bytes: &[u8]| {
    let _ = read_impacts_csv(bytes).count();
    let Ok(reader) = Reader::new(bytes) else { return };
    let names = reader.bodies().to_vec();
    let Ok(events) = reader.collect::<Result<Vec<_>, _>>() else { return };
    let mut writer = Writer::new(Vec::new(), &names).expect("a header can be written");
    events.iter().for_each(|event| writer.write(event).expect("an event can be written"));
    let written = writer.finish().expect("memory can be written");
    let again = Reader::new(written.as_slice()).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    assert_eq!(again.expect("what was written can be read"), events);
});
