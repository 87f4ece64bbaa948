//! Reader of WAV and FLAC files.
#![no_main]

use foley_engine::audio_file::Reader;
use foley_fuzz::{seeds, write_seeds};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use std::path::Path;

/// Blocks that are decoded: a FLAC file of a few bytes may hold an hour of silence.
const MOST_BLOCKS: usize = 64;

fuzz_target!(
    init: {
        write_seeds(seeds::audio);
        // The decoder panics at some damaged files, which the reader catches: not every panic is a
        // finding, but one that leaves the target is.
        std::panic::set_hook(Box::new(|_| ()));
    },
    |bytes: &[u8]| {
        let file = Cursor::new(bytes.to_vec());
        let Ok(mut reader) = Reader::from_reader(Path::new("sound"), file) else { return };
        for _ in 0..MOST_BLOCKS {
            let channels = reader.channels;
            let Ok(Some(block)) = reader.next_block() else { break };
            assert!(block.len() == channels, "{} channels of {channels}", block.len());
        }
    }
);
