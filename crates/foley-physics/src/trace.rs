//! Contact traces: events of a simulation as JSON lines, from any simulator.
//!
//! A trace is JSON in UTF-8, one object per line. The first line is the header, every other line
//! one event, in order of time (equal times are allowed). All units are SI. Any axis may be up.
//!
//! ```text
//! {"foley_trace":1,"units":"SI","bodies":["floor","marble"]}
//! {"pose":{"at_s":0.0,"body":1,"position":[0,0,1],"rotation":[0,0,0,1],"velocity":[0,0,0]}}
//! {"impact":{"at_s":0.45,"bodies":[0,1],"places":[[0,0,0],[0,0,-0.008]],"normal":[0,0,1],
//!            "impulse_ns":0.04,"speed_m_s":4.4}}                       (on one line)
//! {"touch":{"at_s":0.5,"contact":7,"bodies":[0,1],"places":[[0,0,0],[0,0,-0.008]],
//!           "normal":[0,0,1],"force_n":0.05,"slip_m_s":0,"roll_m_s":0.3,"over":false}}
//! {"stone":{"at_s":0.6,"body":0,"place":[1,0.5,0],"normal":[0,0,1],"speed_m_s":12,
//!           "mass_kg":0.0005,"radius_m":0.005,"restitution":0.3}}
//! ```
//!
//! | key | meaning |
//! |---|---|
//! | `foley_trace` | version of the format: 1 |
//! | `units` | `"SI"`; optional |
//! | `bodies` in the header | names; events refer to bodies by their index in this list, from 0 |
//! | `at_s` | seconds from the beginning, not negative |
//! | `places` | contact point in the frame of the first and of the second body |
//! | `normal` | unit vector in the world, from the first body to the second |
//! | `impulse_ns`, `speed_m_s` | of an impact: normal impulse and approach speed along the normal |
//! | `contact` | integer that identifies a sustained contact (`touch`) |
//! | `force_n` | of a `touch`: normal force; holds until its next event |
//! | `slip_m_s`, `roll_m_s` | of a `touch`: slip speed and rolling speed |
//! | `over` | true in the last event of a `touch`; false by default |
//! | `stone` | a hailstone (not a body) hits `body` at `place` in its frame; `normal` points outward |
//! | `mass_kg`, `radius_m`, `restitution` | of a hailstone |
//! | `position`, `rotation`, `velocity` | of a body; the rotation is a quaternion x, y, z, w |
//!
//! Readers skip unknown keys and kinds of lines; missing or invalid numbers are errors, and so are numbers beyond
//! what rigid bodies do: times above 1e9 s, coordinates beyond ±1e6 m, velocities beyond ±1e6 m/s, speeds above
//! 1e6 m/s, impulses and forces above 1e13 N·s and 1e13 N, energies above 1e18 J, hailstones above 1e9 kg or 1e4 m of
//! radius. Only coordinates and velocities may be negative; mass and radius are more than 0, a restitution is from 0 to
//! 1, and normals and rotations have the length 1. Numbers round-trip exactly.
//!
//! ```
//! use foley_physics::trace::{Reader, Writer};
//! use foley_physics::{Event, PoseEvent};
//!
//! let (position, rotation, velocity) = ([0.1, 0.2, 0.3], [0.0, 0.0, 0.0, 1.0], [0.0; 3]);
//! let pose = Event::Pose(PoseEvent { at_s: 0.0, body: 0, position, rotation, velocity });
//! let mut writer = Writer::new(Vec::new(), ["ball"])?;
//! writer.write(&pose)?;
//! let bytes = writer.finish()?;
//!
//! let mut reader = Reader::new(bytes.as_slice())?;
//! assert_eq!(reader.bodies(), ["ball"]);
//! assert_eq!(reader.next().transpose()?, Some(pose));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod csv;
mod error;
mod limits;
mod line;
mod lines;
mod reader;
mod writer;

pub use csv::{read_impacts_csv, write_impacts_csv};
pub use error::TraceError;
pub use reader::Reader;
pub use writer::Writer;

/// Version of the format.
const VERSION: u64 = 1;
/// Longest event line, bytes; the header may have [`MAX_HEADER_BYTES`].
const MAX_LINE_BYTES: u64 = 1 << 16;
const MAX_HEADER_BYTES: u64 = 1 << 24;
