//! The tables of a scene file and their keys.

use foley_geometry::constants::GRAVITY_M_S2;
use foley_geometry::mesh::{Density, Units};
use foley_modal::Held;
use foley_modal::bake::Method;
use foley_modal::material::LossTable;

use super::{Default, Key, Kind, Quantity, Table};
use crate::scene::hail::FALLS;
use crate::scene::motion::MOTIONS;
use crate::scene::object::COLLIDERS;
use crate::scene::surface::KINDS;

/// Largest distance from the origin, m.
pub(crate) const FAR_M: f64 = 1e5;
/// Largest number of objects in a scene.
pub(crate) const MAX_OBJECTS: u64 = 10_000;

const POSITION: Quantity = Quantity::new("m", -FAR_M, FAR_M);
const TIME: Quantity = Quantity::new("s", 0.0, 86_400.0);
const DIRECTION: Quantity = Quantity::new("", -1e6, 1e6);

/// Makes a module for each table with a constant for each key, and the table itself.
macro_rules! tables {
    ($($module:ident: $name:literal, $about:literal, $example:literal {
        $($key:ident = $word:literal, $kind:expr, $default:expr, $value:literal $(beside $beside:literal)?, $means:literal;)*
    })*) => {
        $(pub(crate) mod $module {
            use super::*;
            $(pub(crate) const $key: Key = Key {
                name: $word,
                kind: $kind,
                default: $default,
                example: $value,
                beside: concat!($($beside)?),
                about: $means,
            };)*
            pub(crate) static TABLE: Table =
                Table { id: stringify!($module), name: $name, about: $about, example: $example, keys: &[$($key),*] };
        })*
        /// All tables, in the order of the reference page.
        pub(crate) static TABLES: &[&Table] = &[$(&$module::TABLE),*];
    };
}

const fn words<T: Copy, const N: usize>(choices: [(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut i = 0;
    while i < N {
        words[i] = choices[i].0;
        i += 1;
    }
    words
}

const fn number(unit: &'static str, min: f64, max: f64) -> Kind {
    Kind::Number(Quantity::new(unit, min, max))
}

const fn triple(unit: &'static str, min: f64, max: f64) -> Kind {
    Kind::Numbers(3, Quantity::new(unit, min, max))
}

tables! {
    scene: "scene", "The scene: keys at the top of the file.", "[[object]]\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n" {
        TITLE = "title", Kind::Text, Default::Derived("the name of the file"), "\"Three bells\"",
            "Title of the scene.";
        SECONDS = "seconds", number("s", 0.01, 3600.0), Default::Number(5.0), "8",
            "Duration.";
        SEED = "seed", Kind::Integer([0, i64::MAX as u64]), Default::Number(1.0), "7",
            "Seed of everything random: jitter of instances, surfaces, hail.";
        GRAVITY = "gravity", Kind::OneOf(&[number("m/s²", 0.0, 1e3), triple("m/s²", -1e3, 1e3)]),
            Default::Number(GRAVITY_M_S2), "9.81", "Gravity: a number, downwards, or a vector.";
        PHYSICS_HZ = "physics_hz", number("Hz", 60.0, 480.0), Default::Number(240.0), "240",
            "Steps of the rigid-body simulation per second.";
        PLAYBACK_DB = "playback_db", number("dB SPL", 0.0, 140.0), Default::Number(88.0), "80",
            "Sound pressure level at the ears of a sine of full scale. Decides what is inaudible.";
        ACCELERATION_NOISE = "acceleration_noise", Kind::Boolean, Default::Boolean(true), "false",
            "Whether free bodies click when an impact accelerates them as a whole; also those without modes in the audible band, such as marbles and dice, and hailstones.";
        SUPPORT_DAMPING = "support_damping", Kind::Boolean, Default::Boolean(true), "false",
            "Whether dynamic objects are damped by what they lie on or lean against, as long as they touch it.";
        DIRECTIVITY = "directivity", Kind::Boolean, Default::Boolean(false), "true",
            "Whether objects are heard as they radiate in the direction of the listener, or alike in all directions.";
        LOUDNESS_LUFS = "loudness_lufs", number("LUFS", -60.0, -6.0), Default::Number(-16.0), "-20",
            "Loudness of the rendered sound (ITU-R BS.1770).";
        FULL_SCALE_PA = "full_scale_pa", number("Pa", 1e-9, 1e9), Default::None, "2",
            "Physical level instead of a loudness: the sound pressure of full scale.";
        GROUND = "ground", Kind::Text, Default::None, "\"concrete\"",
            "Material of a silent, infinite floor at z = 0.";
        GLTF = "gltf", Kind::File, Default::None, "\"room.gltf\"",
            "A glTF file whose nodes are objects; an `[[object]]` with the name of a node changes that node.";
        TRACE = "trace", Kind::File, Default::None, "\"contacts.csv\"",
            "A contact trace to sonify instead of simulating.";
        LISTENER = "listener", Kind::Table(&listener::TABLE), Default::Derived("2 m in front of the origin, 1 m high"),
            "{ position = [0, -1, 1] }", "Position and orientation of the listener.";
        AIR = "air", Kind::Table(&air::TABLE), Default::Derived("20 °C, 50 % humidity"), "{ temperature_c = 5 }",
            "Air, which absorbs high frequencies with distance.";
        HAIL = "hail", Kind::Table(&hail::TABLE), Default::None, "{ per_second = 500 }", "Hail that falls on the scene.";
        MATERIAL = "material", Kind::Tables(&material::TABLE), Default::None, "[{ name = \"roof steel\", like = \"steel\" }]",
            "Materials beside those of the library.";
        OBJECT = "object", Kind::Tables(&object::TABLE), Default::RequiredIf("there is no `gltf`"),
            "[{ shape = \"bar:300x30x8mm\", material = \"steel\" }]" beside "#", "The objects; `object = []` for a scene without any.";
        STRIKE = "strike", Kind::Tables(&strike::TABLE), Default::None, "[{ object = \"bar 1\", at_s = 0.5 }]",
            "Scripted strikes.";
        SCRAPE = "scrape", Kind::Tables(&scrape::TABLE), Default::None,
            "[{ object = \"bar 1\", along = [[-0.1, 0, 0], [0.1, 0, 0]] }]", "Scripted scrapes.";
    }

    object: "[[object]]", "An object. Its own coordinates are those of its shape or mesh, in metres. The world is z-up; glTF, which is y-up, is rotated on reading, so that numbers are those that Blender shows.",
    "shape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n" {
        NAME = "name", Kind::Text, Default::Derived("its kind and a number, such as `bar 1`"), "\"lid\"",
            "Unique name.";
        SHAPE = "shape", Kind::Text, Default::None, "\"plate:300x200x2mm\"" beside "material = \"steel\"\n",
            "A shape: `bar`, `rod`, `plate`, `disc`, `membrane`, `string`, `ball:16mm`, `box:60x40x20mm`, `cylinder:80x30mm`, `ring:80x8mm`, or `ground`, the half-space below.";
        MESH = "mesh", Kind::Text, Default::None, "\"bell\"" beside "material = \"bronze\"\n",
            "Or a mesh file (OBJ, PLY, STL, glTF), a glTF node `scene.glb#Bell`, or a built-in mesh.";
        MODEL = "model", Kind::File, Default::None, "\"bell.modal\"" beside "material = \"bronze\"\n", "Or a `.modal` file.";
        UNITS = "units", Kind::Choice(&words(Units::NAMES)), Default::Word("m"), "\"mm\"" beside "mesh = \"bell.obj\"\nmaterial = \"bronze\"\n",
            "Unit of an OBJ, PLY or STL file.";
        MATERIAL = "material", Kind::Text, Default::Derived("stone, where the object is silent and not dynamic"), "\"glass\"" beside "shape = \"bar:300x30x8mm\"\n",
            "A material of the library or of `[[material]]`.";
        THICKNESS_M = "thickness_m", number("m", 1e-6, 10.0), Default::Derived("measured, or 1 % of its size"), "0.002"
            beside "mesh = \"bell\"\nmaterial = \"bronze\"\n", "Wall thickness of a mesh.";
        SCALE = "scale", Kind::OneOf(&[number("", 1e-6, 1e6), triple("", -1e6, 1e6)]), Default::Number(1.0), "[1, 1, 2]"
            beside "mesh = \"bell\"\nmaterial = \"bronze\"\n", "Factor of a mesh's coordinates, not of its wall.";
        SIZE = "size", number("", 1e-3, 1e3), Default::Number(1.0), "1.5", "Factor of all lengths, walls included.";
        POSITION_M = "position", Kind::Numbers(3, POSITION), Default::Numbers(&[0.0; 3]), "[0, 0, 1]", "Position of its origin.";
        ROTATION = "rotation", Kind::OneOf(&[triple("°", -1e6, 1e6), Kind::Numbers(4, Quantity::new("", -1e3, 1e3))]),
            Default::Numbers(&[0.0; 3]), "[0, 0, 90]", "Angles about x, then y, then z; or a quaternion x, y, z, w.";
        VELOCITY = "velocity", triple("m/s", -400.0, 400.0), Default::Numbers(&[0.0; 3]), "[1, 0, 0]", "Initial velocity.";
        SPIN = "spin", triple("°/s", -5.7e5, 5.7e5), Default::Numbers(&[0.0; 3]), "[0, 0, 360]", "Initial angular velocity about x, y and z.";
        RELEASE_S = "release_s", Kind::Number(TIME), Default::Number(0.0), "1.5", "Time of its release: before, it is not in the scene, and strikes and scrapes of it make no sound.";
        MOTION = "motion", Kind::OneOf(&[Kind::Choice(&words(MOTIONS)), Kind::Tables(&keyframe::TABLE)]),
            Default::Word("dynamic"), "\"fixed\"", "`dynamic`: falls, rolls, bounces. `fixed`: never moves. Keyframes: follows a path.";
        MASS_KG = "mass_kg", number("kg", 1e-9, 1e9), Default::Derived("volume or wall times density"), "0.4", "Mass.";
        FRICTION = "friction", number("", 0.0, 10.0), Default::Number(0.5), "0.3", "Coefficient of Coulomb friction.";
        RESTITUTION = "restitution", number("", 0.0, 1.0), Default::Number(0.5), "0.7", "Coefficient of restitution.";
        COLLIDER = "collider", Kind::Choice(&words(COLLIDERS)), Default::Word("auto"), "\"box\"",
            "Shape for contacts with other objects.";
        HELD = "held", Kind::Choice(&words(Held::NAMES)), Default::Derived("by what it touches, where it is dynamic"), "\"resting\"",
            "What damps its modes, whatever it touches. `free`, `hung` (by a thread): nothing. `resting`: a wooden table that it lies on. `hand`: three fingers. `mounted`: the frame around a plate or disc whose edges are held.";
        SILENT = "silent", Kind::Boolean, Default::Boolean(false), "true", "Whether its modes are left out: it does not ring. A dynamic object still clicks when it hits something, unless `acceleration_noise = false`.";
        GAIN_DB = "gain_db", number("dB", -60.0, 40.0), Default::Number(0.0), "-6", "Gain of its sound.";
        SURFACE = "surface", Kind::Table(&surface::TABLE), Default::None, "{ kind = \"fractal\" }", "Roughness: the sound of sliding and rolling.";
        MAX_MODES = "max_modes", Kind::Integer([1, 20_000]), Default::Derived("512 of a shape, 1000 of a mesh"), "100", "Largest number of modes; the lowest are kept.";
        MAX_HZ = "max_hz", number("Hz", 21.0, 1e5), Default::Number(20e3), "8000", "Highest frequency of a mode.";
        METHOD = "method", Kind::Choice(&words(Method::NAMES)), Default::Word("auto"), "\"shell\""
            beside "mesh = \"bell\"\nmaterial = \"bronze\"\n", "Discretisation of a mesh.";
        DETAIL = "detail", Kind::Choice(&words(Density::NAMES)), Default::Word("coarse"), "\"fine\""
            beside "mesh = \"bell\"\nmaterial = \"bronze\"\n", "Resolution of a built-in mesh.";
        COPIES = "copies", Kind::Integer([1, MAX_OBJECTS]), Default::None, "10", "Number of instances, named `ring 1`, `ring 2`, …";
        STEP = "step", Kind::Numbers(3, POSITION), Default::Numbers(&[0.0; 3]), "[0.1, 0, 0]"
            beside "shape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\ncopies = 3\n", "Offset from instance to instance.";
        GRID = "grid", triple("", 1.0, MAX_OBJECTS as f64), Default::None, "[4, 4, 1]"
            beside "shape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\nspacing = [0.4, 0.1, 0]\n", "Or numbers of instances along x, y and z.";
        SPACING = "spacing", Kind::Numbers(3, POSITION), Default::None, "[0.4, 0.1, 0]"
            beside "shape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\ngrid = [4, 4, 1]\n", "Spacing of the grid.";
        JITTER = "jitter", Kind::Table(&jitter::TABLE), Default::None, "{ turn_deg = 20 }", "Random variation of each instance.";
    }

    keyframe: "motion = [{ … }]", "A keyframe of an object's path.", "at_s = 0\n" {
        AT_S = "at_s", Kind::Number(TIME), Default::Required, "2" beside "#", "Time; later than that of the keyframe before.";
        POSITION_M = "position", Kind::Numbers(3, POSITION), Default::Derived("as before"), "[0, 0, 0.2]", "Position.";
        ROTATION = "rotation", Kind::OneOf(&[triple("°", -1e6, 1e6), Kind::Numbers(4, Quantity::new("", -1e3, 1e3))]),
            Default::Derived("as before"), "[0, 0, 90]", "Orientation, as that of an object.";
    }

    jitter: "jitter = { … }", "Random variation of instances; every value is the largest deviation.", "" {
        POSITION_M = "position", triple("m", 0.0, FAR_M), Default::Numbers(&[0.0; 3]), "[0.01, 0.01, 0]", "Along x, y and z.";
        TURN_DEG = "turn_deg", number("°", 0.0, 180.0), Default::Number(0.0), "20", "About a random axis.";
        SIZE = "size", number("", 0.0, 0.9), Default::Number(0.0), "0.2", "Relative size: 0.2 is from 0.8 to 1.2.";
        VELOCITY = "velocity", triple("m/s", 0.0, 400.0), Default::Numbers(&[0.0; 3]), "[0.1, 0.1, 0]", "Along x, y and z.";
        SPIN = "spin", triple("°/s", 0.0, 5.7e5), Default::Numbers(&[0.0; 3]), "[90, 90, 0]", "About x, y and z.";
    }

    surface: "surface = { … }", "Roughness of a surface: a contact that slides or rolls follows the height profile and feels its slopes as a force [FA] §4.2.", "kind = \"fractal\"\n" {
        KIND = "kind", Kind::Choice(&words(KINDS)), Default::Required, "\"fractal\"" beside "#", "Kind of profile.";
        BETA = "beta", number("", -5.0, 1.0), Default::Number(-1.5), "-2", "Fractal: exponent of the power spectrum, ω^β.";
        ROUGHNESS_M = "roughness_m", number("m", 1e-12, 0.1), Default::Number(1e-5), "2e-5", "Fractal: root mean square of the height.";
        RESON_WAVELENGTH_M = "reson_wavelength_m", number("m", 2.5e-5, 0.1), Default::None, "0.002", "Fractal: wavelength that stands out (reson filter).";
        RESON_BANDWIDTH = "reson_bandwidth", number("", 2e-3, 2.0), Default::Number(0.5), "0.2", "Fractal: bandwidth of the reson relative to its frequency.";
        PERIOD_M = "period_m", number("m", 1e-5, 10.0), Default::RequiredIf("kind is `ribbed`"), "0.002" beside "kind = \"ribbed\"\ndepth_m = 0.0003\n", "Ribbed: distance between ribs.";
        DEPTH_M = "depth_m", number("m", 1e-12, 1.0), Default::RequiredIf("kind is `ribbed`"), "0.0003" beside "kind = \"ribbed\"\nperiod_m = 0.002\n", "Ribbed: depth of the grooves.";
        FILE = "file", Kind::File, Default::RequiredIf("kind is `recorded`"), "\"profile.wav\"" beside "kind = \"recorded\"\nmetres_per_sample = 1e-5\n", "Recorded: a sound file whose samples are heights.";
        METRES_PER_SAMPLE = "metres_per_sample", number("m", 1e-8, 0.1), Default::RequiredIf("kind is `recorded`"), "1e-5" beside "kind = \"recorded\"\nfile = \"profile.wav\"\n", "Recorded: distance between samples.";
    }

    material: "[[material]]", "A material beside those of the library.", "name = \"roof steel\"\n" {
        NAME = "name", Kind::Text, Default::Required, "\"roof steel\"" beside "#", "Name that objects use.";
        LIKE = "like", Kind::Text, Default::Word("wood"), "\"steel\"", "Material of the library that gives the other values.";
        DENSITY = "density", number("kg/m³", 1e-3, 1e6), Default::Derived("of `like`"), "720", "Density.";
        YOUNG_PA = "young_pa", number("Pa", 1.0, 1e15), Default::Derived("of `like`"), "1.2e10", "Young's modulus.";
        POISSON = "poisson", number("", -0.99, 0.499), Default::Derived("of `like`"), "0.3", "Poisson's ratio.";
        LOSS_FACTOR = "loss_factor", Kind::Spectrum(Quantity::new("", 0.0, 1e3), LossTable::MAX_POINTS), Default::Derived("of `like`"), "[[100, 0.01], [5000, 0.02]]",
            "Loss factor tan φ, also as a function of frequency: straight lines between the pairs on logarithmic axes, constant beyond them.";
        ALPHA = "alpha", number("1/s", 0.0, 1e7), Default::Derived("of `like`"), "10", "Or Rayleigh damping: mass-proportional.";
        BETA = "beta", number("s", 0.0, 1.0), Default::Derived("of `like`"), "3e-8", "Rayleigh damping: stiffness-proportional.";
        THERMAL_EXPANSION = "thermal_expansion", number("1/K", 0.0, 1e-2), Default::Derived("of `like`"), "1.2e-5" beside "name = \"roof steel\"\nlike = \"steel\"\n",
            "Linear thermal expansion. With the next two keys it damps thin walls that bend: heat flows across them.";
        SPECIFIC_HEAT = "specific_heat", number("J/(kg K)", 1.0, 1e5), Default::Derived("of `like`"), "480" beside "name = \"roof steel\"\nlike = \"steel\"\n", "Specific heat.";
        THERMAL_CONDUCTIVITY = "thermal_conductivity", number("W/(m K)", 1e-4, 1e5), Default::Derived("of `like`"), "50" beside "name = \"roof steel\"\nlike = \"steel\"\n", "Thermal conductivity.";
    }

    strike: "[[strike]]", "A scripted strike.", "object = \"bar 1\"\n" {
        OBJECT = "object", Kind::Text, Default::Required, "\"bar 1\"" beside "#", "Name of the struck object.";
        AT_S = "at_s", Kind::Number(TIME), Default::Number(0.0), "0.5", "Time.";
        WITH = "with", Kind::OneOf(&[Kind::Text, Kind::Table(&striker::TABLE)]), Default::Word("wooden mallet"), "\"steel ball\"",
            "A striker by name, or a table.";
        SPEED_M_S = "speed_m_s", number("m/s", 0.0, 1e3), Default::Number(1.0), "0.5", "Speed of the striker.";
        PLACE = "place", Kind::OneOf(&[Kind::Numbers(3, POSITION), Kind::Integer([0, 1 << 28])]),
            Default::Derived("37 % of the way from the middle to a corner"), "[0.1, 0, 0]",
            "A point in the object's coordinates, or the number of a surface point of its model.";
        DIRECTION_OF = "direction", Kind::Numbers(3, DIRECTION), Default::Derived("along the surface normal"), "[0, 0, -1]", "Direction of the strike.";
    }

    scrape: "[[scrape]]", "A scripted scrape along a path on an object.", "object = \"bar 1\"\nalong = [[-0.1, 0, 0], [0.1, 0, 0]]\n" {
        OBJECT = "object", Kind::Text, Default::Required, "\"bar 1\"" beside "along = [[-0.1, 0, 0], [0.1, 0, 0]]\n", "Name of the scraped object.";
        AT_S = "at_s", Kind::Number(TIME), Default::Number(0.0), "0.5", "Start time.";
        SECONDS = "seconds", Kind::Number(TIME), Default::Derived("to the end of the path"), "2", "Largest duration.";
        WITH = "with", Kind::OneOf(&[Kind::Text, Kind::Table(&striker::TABLE)]), Default::Word("fingernail"), "\"steel ball\"",
            "As for a strike: the softer and blunter the tip, the duller the sound.";
        ALONG = "along", Kind::Points(POSITION), Default::Required, "[[-0.1, 0, 0], [0.1, 0, 0]]" beside "object = \"bar 1\"\n", "Path: points in the object's coordinates.";
        SPEED_M_S = "speed_m_s", Kind::Curve(Quantity::new("m/s", 0.0, 100.0)), Default::Number(0.1), "[[0, 0.1], [1, 0.4]]", "Speed, also as a function of time.";
        FORCE_N = "force_n", Kind::Curve(Quantity::new("N", 0.0, 1e4)), Default::Number(1.0), "2", "Normal force, likewise.";
        BACK_AND_FORTH = "back_and_forth", Kind::Boolean, Default::Boolean(false), "true"
            beside "object = \"bar 1\"\nalong = [[-0.1, 0, 0], [0.1, 0, 0]]\nseconds = 3\n", "Whether it turns round at the ends until `seconds` have passed.";
    }

    striker: "with = { … }", "A striker: a body with a spherical tip.", "" {
        LIKE = "like", Kind::Text, Default::Derived("the striker of the table's default"), "\"steel ball\"", "Named striker that gives the other values.";
        MASS_KG = "mass_kg", number("kg", 1e-9, 1e6), Default::Derived("of `like`"), "0.05", "Mass.";
        RADIUS_M = "radius_m", number("m", 1e-6, 1e3), Default::Derived("of `like`"), "0.01", "Radius of the tip.";
        YOUNG_PA = "young_pa", number("Pa", 1.0, 1e15), Default::Derived("of `like`"), "2e11", "Young's modulus.";
        POISSON = "poisson", number("", -0.99, 0.5), Default::Derived("of `like`"), "0.3", "Poisson's ratio.";
    }

    listener: "[listener]", "The listener.", "" {
        POSITION_M = "position", Kind::Numbers(3, POSITION), Default::Numbers(&[0.0, -2.0, 1.0]), "[0, -1, 1.2]", "Position of the head's centre.";
        FORWARD = "forward", Kind::Numbers(3, DIRECTION), Default::Numbers(&[0.0, 1.0, 0.0]), "[1, 1, 0]", "Viewing direction.";
        LOOK_AT = "look_at", Kind::Numbers(3, POSITION), Default::None, "[0, 0, 0.5]", "Or a point to look at.";
        UP = "up", Kind::Numbers(3, DIRECTION), Default::Numbers(&[0.0, 0.0, 1.0]), "[0, 0, 1]", "Direction of the top of the head.";
        PATH = "path", Kind::Tables(&listener_keyframe::TABLE), Default::None, "[{ at_s = 0 }, { at_s = 2, position = [1, 0, 1] }]", "Keyframes of a moving listener.";
    }

    listener_keyframe: "path = [{ … }]", "A keyframe of the listener's path.", "at_s = 0\n" {
        AT_S = "at_s", Kind::Number(TIME), Default::Required, "2" beside "#", "Time; later than that of the keyframe before.";
        POSITION_M = "position", Kind::Numbers(3, POSITION), Default::Derived("as before"), "[1, 0, 1]", "Position.";
        FORWARD = "forward", Kind::Numbers(3, DIRECTION), Default::Derived("as before"), "[1, 1, 0]", "Viewing direction.";
        LOOK_AT = "look_at", Kind::Numbers(3, POSITION), Default::None, "[0, 0, 0.5]", "Or a point to look at.";
    }

    air: "[air]", "The air between the objects and the listener.", "" {
        TEMPERATURE_C = "temperature_c", number("°C", -50.0, 60.0), Default::Number(20.0), "5", "Temperature.";
        HUMIDITY_PERCENT = "humidity_percent", number("%", 0.0, 100.0), Default::Number(50.0), "80", "Relative humidity.";
        PRESSURE_KPA = "pressure_kpa", number("kPa", 10.0, 200.0), Default::Number(101.325), "90", "Static pressure.";
    }

    hail: "[hail]", "Hail. Stones strike fixed objects that have a collider; silent ones shield what is below. They pass through moving objects. With a trace, no stones fall.", "" {
        PER_SECOND = "per_second", number("1/s", 0.0, 1e6), Default::Number(100.0), "2000", "Stones that leave the cloud per second: 0, or at least 1.";
        CLOUD = "cloud", Kind::Table(&cloud::TABLE), Default::Derived("a disc of 5 m radius, 20 m high"), "{ radius = 3 }", "Region the stones come from.";
        FALL = "fall", Kind::Choice(&words(FALLS)), Default::Word("straight"), "\"accelerated\"",
            "`straight`: at each stone's terminal speed. `accelerated`: from rest, without drag.";
        WIND = "wind", Kind::Numbers(2, Quantity::new("m/s, or m/s² with an accelerated fall", -100.0, 100.0)), Default::Numbers(&[0.0; 2]), "[1, 0]", "Wind along x and y.";
        FROM_S = "from_s", number("s", -3600.0, 86_400.0), Default::Derived("so early that the first stones land at 0 s"), "-1", "Time of the first stones.";
        LARGEST_M = "largest_m", number("m", 1e-3, 0.1), Default::Number(foley_hail::LARGEST_RADIUS_M), "0.008",
            "Radius of the largest stones. Energies are distributed as 1/E down to those of the smallest.";
        SMALLEST_M = "smallest_m", number("m", 1e-4, 0.1), Default::Derived("a hundredth of the energy of the largest"), "0.001", "Radius of the smallest stones.";
        RESTITUTION = "restitution", number("", 0.0, 1.0), Default::Number(0.3), "0.2", "Coefficient of restitution of a stone.";
    }

    cloud: "cloud = { … }", "The region that hailstones come from.", "" {
        POSITION_M = "position", Kind::Numbers(3, POSITION), Default::Numbers(&[0.0, 0.0, 20.0]), "[0, 2, 12]", "Centre when the first stones leave.";
        RADIUS = "radius", number("m", 1e-3, 1e5), Default::Number(5.0), "3", "Radius of a disc.";
        SIZE = "size", Kind::Numbers(2, Quantity::new("m", 1e-3, 1e5)), Default::None, "[4, 3]", "Or sides of a rectangle along x and y.";
        DRIFT = "drift", Kind::Numbers(2, Quantity::new("m/s", -100.0, 100.0)), Default::Numbers(&[0.0; 2]), "[0.5, 0]", "Velocity along x and y.";
    }
}
