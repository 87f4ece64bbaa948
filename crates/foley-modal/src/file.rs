//! The `.modal` file: one modal model, as a JSON header and little-endian arrays.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0 … 7 | the magic `FOLEYMOD` |
//! | 8 … 11 | version, u32: 2 (1 is read too: it had no `shapes` and no `origin`) |
//! | 12 … 15 | n, u32: length of the header |
//! | 16 … 16+n−1 | header, JSON in UTF-8, padded with spaces so that 16+n divides by 64 |
//! | from 16+n | the arrays, each starting on a multiple of 64, gaps filled with zeros |
//! | last 4 | CRC-32 (IEEE, as in zlib) of everything before |
//!
//! The header:
//!
//! ```json
//! {"name": "steel bar:300x30x8mm", "modes": 6, "points": 49, "triangles": 48,
//!  "body": {"mass_kg": 0.565, "young_pa": 2e11, "poisson": 0.29, "radius_m": null},
//!  "arrays": [{"name": "frequencies_hz", "dtype": "<f8", "shape": [6], "offset": 0}]}
//! ```
//!
//! `radius_m` is null where the body is flat (infinite radius). `offset` counts from
//! 16+n. The arrays are `frequencies_hz` and `decays` (`<f8`, \[modes\]), `points`
//! (`<f8`, \[points, 3\]), `triangles` (`<u4`, \[triangles, 3\]) and either `gains` (`<f4`,
//! \[points, modes\], for strikes along the normal) or, for strikes in any direction, `levels`
//! (`<f4`, \[modes\]) and `shapes` (`<f2`, \[points, modes, 3\]): a strike along the unit vector e
//! has the gain `levels · (shapes · e)`, to 0.05 %. `origin`, where it is known, says how the
//! modes were made ([`Provenance`](crate::Provenance)).
//!
//! `directivity`, where it is known, is the mean-square pressure over directions
//! ([`Directivity`](foley_dsp::model::Directivity)): a key with `first_hz`, `bands` and `degree`, and an
//! array (`<f4`, \[bands, (degree + 1)²\]). Without it modes radiate alike in all directions.
//! Readers ignore keys and arrays that they do not know.
//!
//! In Python:
//!
//! ```python
#![doc = include_str!("file/read.py")]
//! ```
//!
//! [`read`] accepts any bytes: it checks every size before it allocates, and returns an error for
//! everything that [`write()`] cannot write.

mod disk;
mod error;
mod header;
mod json;
mod reader;
mod writer;

pub use disk::{MAX_FILE_BYTES, load, load_with_provenance, save};
pub use error::FileError;
pub use json::to_json;
pub use reader::{read, read_with_provenance};
pub use writer::{write, write_with_provenance};

const MAGIC: [u8; 8] = *b"FOLEYMOD";
const VERSION: u32 = 2;
/// Magic, version and length of the header.
const PREFIX: usize = 16;
/// Arrays start on multiples of this.
const ALIGN: usize = 64;
