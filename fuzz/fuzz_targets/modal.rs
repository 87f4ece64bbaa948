//! Reader of `.modal` files. The checksum is corrected, so that what is behind it is read.
#![no_main]

use foley_fuzz::{seeds, write_seeds};
use foley_modal::file::{read_with_provenance, write_with_provenance};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: write_seeds(seeds::modal), |bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    if let Some(end) = bytes.len().checked_sub(4) {
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
    if let Ok((model, provenance)) = read_with_provenance(&bytes) {
        let written = write_with_provenance(&model, provenance.as_ref());
        let again = read_with_provenance(&written).expect("what was written can be read");
        let rewritten = write_with_provenance(&again.0, again.1.as_ref());
        assert!(written == rewritten, "it reads back as it was written");
    }
});
