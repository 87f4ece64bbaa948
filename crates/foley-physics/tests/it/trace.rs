//! Contact traces round-trip exactly.

use crate::common;

use common::{crate_at, floor, impacts, run};
use foley_geometry::Collider;
use foley_physics::trace::{Reader, TraceError, Writer, read_impacts_csv, write_impacts_csv};
use foley_physics::{Body, Event, Impact, Mass, PoseEvent, SustainedContact, World};
use proptest::prelude::*;

fn written(names: &[&str], events: &[Event]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), names.iter().copied()).unwrap();
    events.iter().for_each(|event| writer.write(event).unwrap());
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<Event>, TraceError> {
    Reader::new(bytes)?.collect()
}

/// Bits of all numbers, so that −0 and 0 differ.
fn bits(events: &[Event]) -> Vec<u64> {
    let mut bits = Vec::new();
    for event in events {
        let numbers: Vec<f64> = match event {
            Event::Impact(e) => [&[e.at_s, e.impulse_ns, e.speed_m_s], &e.normal[..]]
                .concat()
                .into_iter()
                .chain(e.places.concat())
                .collect(),
            Event::SustainedContact(e) => {
                [&[e.at_s, e.force_n, e.slip_m_s, e.roll_m_s], &e.normal[..]]
                    .concat()
                    .into_iter()
                    .chain(e.places.concat())
                    .collect()
            }
            Event::Pose(e) => {
                [&[e.at_s], &e.position[..], &e.rotation[..], &e.velocity[..]].concat()
            }
            Event::HailImpact(e) => {
                let own = [e.at_s, e.speed_m_s, e.mass_kg, e.radius_m, e.restitution];
                [&own, &e.place[..], &e.normal[..]].concat()
            }
        };
        bits.extend(numbers.into_iter().map(f64::to_bits));
    }
    bits
}

fn lively() -> World {
    let mut world = floor(120.0, 0.4, 0.5);
    for k in 0..8 {
        let place = [0.12 * f64::from(k % 3), 0.4 + 0.15 * f64::from(k), 0.05 * f64::from(k % 2)];
        world
            .add(&crate_at(place, 0.1).with_rotation([0.1, 0.3, 0.2 * f64::from(k), 1.0]))
            .unwrap();
    }
    world
        .add(&Body::dynamic("ball", Collider::ball(0.04), Mass::Kilograms(0.2)).at([0.0, 2.0, 0.0]))
        .unwrap();
    world
}

#[test]
fn a_trace_read_back_equals_the_live_run_bit_for_bit() {
    let mut world = lively();
    let live = run(&mut world, 2.0);
    let names: Vec<&str> = world.names().collect();
    let bytes = written(&names, &live);
    let mut reader = Reader::new(bytes.as_slice()).unwrap();
    assert_eq!(reader.bodies(), names);
    let back: Vec<Event> = reader.by_ref().collect::<Result<_, _>>().unwrap();
    assert!(live.len() > 1000 && !impacts(&live).is_empty());
    assert_eq!(back, live);
    assert_eq!(bits(&back), bits(&live));
}

#[test]
fn impacts_as_a_table_come_back_bit_for_bit() {
    let hits = impacts(&run(&mut lively(), 2.0));
    let mut table = Vec::new();
    write_impacts_csv(&mut table, &hits).unwrap();
    let back: Vec<Impact> = read_impacts_csv(table.as_slice()).collect::<Result<_, _>>().unwrap();
    assert_eq!(back, hits);
    // The last column may be missing or empty.
    let table = String::from_utf8(table).unwrap();
    let short: Vec<&str> = table.lines().filter_map(|row| Some(row.rsplit_once(',')?.0)).collect();
    for text in [short.join("\n"), format!("{}\n{},", table.lines().next().unwrap(), short[1])] {
        let back: Result<Vec<Impact>, _> = read_impacts_csv(text.as_bytes()).collect();
        assert!(back.unwrap().iter().all(|hit| hit.lost_j.is_none()));
    }
}

const HEADER: &str = r#"{"foley_trace":1,"bodies":["a","b"],"made_by":"me"}"#;
const HIT: &str = r#"{"impact":{"at_s":1,"bodies":[0,1],"places":[[0,0,0],[1,2,3]],"normal":[0,1,0],"impulse_ns":2,"speed_m_s":3}}"#;

#[test]
fn unknown_keys_and_kinds_are_skipped() {
    let text = format!(
        "{HEADER}\r\n\n{{\"note\":\"hello\"}}\n{}\n",
        HIT.replace("\"at_s\"", "\"colour\":[1],\"at_s\"")
    );
    let events = read(text.as_bytes()).unwrap();
    let [Event::Impact(hit)] = events[..] else { panic!("{events:?}") };
    assert_eq!((hit.bodies, hit.places[1], hit.speed_m_s), ([0, 1], [1.0, 2.0, 3.0], 3.0));
    assert_eq!(hit.lost_j, None);
}

const STONE: &str = r#"{"stone":{"at_s":1,"body":1,"place":[0.1,0.2,0.3],"normal":[0,0,1],"speed_m_s":12.7,"mass_kg":0.0005,"radius_m":0.005,"restitution":0.3}}"#;

#[test]
fn stones_of_hail_come_back_bit_for_bit_and_are_checked() {
    let events = read(format!("{HEADER}\n{STONE}\n").as_bytes()).unwrap();
    let [Event::HailImpact(stone)] = events[..] else { panic!("{events:?}") };
    assert_eq!((stone.body, stone.place, stone.mass_kg), (1, [0.1, 0.2, 0.3], 0.0005));
    assert_eq!(bits(&read(&written(&["a", "b"], &events)).unwrap()), bits(&events));
    for (from, to, expected) in [
        ("\"mass_kg\":0.0005", "\"mass_kg\":0", "`stone.mass_kg` is 0; it must be more than 0"),
        ("\"restitution\":0.3", "\"restitution\":1.5", "`stone.restitution` is 1.5"),
        ("\"speed_m_s\":12.7,", "", "`stone.speed_m_s` is missing"),
        ("\"body\":1", "\"body\":2", "`stone.body` is 2, but the header names 2"),
        ("[0,0,1]", "[0,0,2]", "`stone.normal` has the length 2"),
    ] {
        let text = format!("{HEADER}\n{}\n", STONE.replace(from, to));
        let complaint = read(text.as_bytes()).unwrap_err().to_string();
        assert!(complaint.contains(expected), "{complaint}");
    }
}

#[test]
fn wrong_values_are_named_with_line_and_key() {
    let complaint = |line: String| {
        let text = format!("{HEADER}\n{HIT}\n{line}\n");
        read(text.as_bytes()).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("\"speed_m_s\":3", "\"speed_m_s\":\"fast\"", "line 3: `impact.speed_m_s` is \"fast\""),
        ("\"speed_m_s\":3", "\"speed\":3", "line 3: `impact.speed_m_s` is missing"),
        ("\"impulse_ns\":2", "\"impulse_ns\":-2", "line 3: `impact.impulse_ns` is -2"),
        ("[1,2,3]", "[1,null,3]", "line 3: `impact.places[1][1]` is null"),
        ("[1,2,3]", "[1,2]", "line 3: `impact.places[1]` must be a list of 3 numbers"),
        ("[0,1,0]", "[0,2,0]", "line 3: `impact.normal` has the length 2"),
        ("[0,1],", "[0,2],", "line 3: `impact.bodies[1]` is 2, but the header names 2"),
        ("[0,1],", "[0,1.5],", "line 3: `impact.bodies[1]` is 1.5"),
        ("\"at_s\":1", "\"at_s\":0.5", "line 3: `at_s` is 0.5, but the line before is at 1"),
        ("\"at_s\":1", "\"at_s\":1e999", "line 3"),
        ("\"speed_m_s\":3", "\"speed_m_s\":3,\"lost_j\":-1", "line 3: `impact.lost_j` is -1"),
        ("}}", "}", "line 3"),
    ] {
        let message = complaint(HIT.replace(from, to));
        assert!(message.contains(expected), "{message} / {expected}");
    }
    assert!(complaint("{\"impact\":7}".into()).contains("line 3: `impact` must be an object"));
}

#[test]
fn other_files_are_not_traces() {
    for text in ["", "\n\n", "hello", "{}", "[1]", "{\"impact\":{}}", "\u{0}\u{1}"] {
        let error = read(text.as_bytes()).unwrap_err();
        assert!(matches!(error, TraceError::NoHeader { .. }), "{text}: {error}");
    }
    let later = read(b"{\"foley_trace\":2,\"bodies\":[]}").unwrap_err();
    assert!(matches!(later, TraceError::Version { found: 2 }));
    let inches = read(b"{\"foley_trace\":1,\"units\":\"inches\",\"bodies\":[]}").unwrap_err();
    assert!(inches.to_string().contains("SI"));
}

#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    // Four gigabytes of zeros after the header, if all were read.
    let endless = std::io::Read::chain(
        HEADER.as_bytes(),
        std::io::Read::chain(&b"\n"[..], std::io::Read::take(std::io::repeat(b'0'), 1 << 32)),
    );
    let mut reader = Reader::new(std::io::BufReader::new(endless)).unwrap();
    assert!(matches!(reader.next(), Some(Err(TraceError::TooLong { line: 2, .. }))));
    assert!(reader.next().is_none(), "after an error it ends");
}

#[test]
fn numbers_that_json_cannot_hold_are_refused() {
    let mut writer = Writer::new(Vec::new(), ["a"]).unwrap();
    let rotation = [0.0, 0.0, 0.0, 1.0];
    let pose = PoseEvent {
        at_s: 0.0,
        body: 0,
        position: [f64::NAN, 0.0, 0.0],
        rotation,
        velocity: [0.0; 3],
    };
    assert!(writer.write(&Event::Pose(pose)).is_err());
}

/// Any number within the limits of coordinates and speeds.
fn number() -> impl Strategy<Value = f64> {
    any::<f64>()
        .prop_map(|x| if x.abs() <= 1e6 { x } else { 1e6 * x.signum() / x.abs().log2() })
        .prop_filter("finite", |x| x.is_finite())
}

/// The limits are those of rigid bodies, and the same for every format, for reading and writing.
#[test]
fn values_beyond_the_limits_are_refused() {
    let header = "at_s,first,second,x1,y1,z1,x2,y2,z2,nx,ny,nz,impulse_ns,speed_m_s,lost_j";
    let row = |values: &str| {
        let table = format!("{header}\n1,0,1,0,0,0,1,2,3,0,1,0,{values}\n");
        let read: Result<Vec<Impact>, TraceError> = read_impacts_csv(table.as_bytes()).collect();
        read.map_err(|error| error.to_string())
    };
    assert_eq!(row("2,3,0").unwrap().len(), 1);
    for (key, value, must) in [
        ("impulse_ns", "1e30", "must be from 0 to 1e13 N·s"),
        ("impulse_ns", "-2", "must be from 0"),
        ("speed_m_s", "1e30", "must be from 0 to 1e6 m/s"),
        ("speed_m_s", "-3", "must be from 0"),
        ("lost_j", "1e19", "must be from 0 to 1e18 J"),
        ("lost_j", "-1", "must be from 0"),
        ("at_s", "-1", "must be from 0 to 1e9 s"),
        ("at_s", "1e10", "must be from 0 to 1e9 s"),
    ] {
        let line = HIT.replace("}}", ",\"lost_j\":0}}");
        let old = ["impulse_ns\":2", "speed_m_s\":3", "lost_j\":0", "at_s\":1"];
        let old = old.into_iter().find(|old| old.starts_with(key)).unwrap();
        let line = line.replace(old, &format!("{key}\":{value}"));
        let json = read(format!("{HEADER}\n{line}\n").as_bytes()).unwrap_err().to_string();
        assert!(json.contains("line 2") && json.contains(&format!("`impact.{key}`")), "{json}");
        assert!(json.contains(must), "{json}");
        let cells = match key {
            "impulse_ns" => format!("{value},3,0"),
            "speed_m_s" => format!("2,{value},0"),
            "lost_j" => format!("2,3,{value}"),
            _ => continue,
        };
        let csv = row(&cells).unwrap_err();
        assert!(csv.contains("line 2") && csv.contains(key) && csv.contains(must), "{csv}");
    }
    let places = HIT.replace("[1,2,3]", "[1,2e6,3]");
    let message = read(format!("{HEADER}\n{places}\n").as_bytes()).unwrap_err().to_string();
    assert!(message.contains("`impact.places[1][1]` is 2e6"), "{message}");
    let table = |row: &str| -> String {
        let text = format!("{header}\n1,0,1,{row},2,3,0\n");
        read_impacts_csv(text.as_bytes()).collect::<Result<Vec<_>, _>>().unwrap_err().to_string()
    };
    let message = table("0,0,0,1,2e6,3,0,0,1");
    assert!(message.contains("`y2` is 2e6"), "{message}");
    let message = table("0,0,0,1,2,3,0,0,2");
    assert!(message.contains("`nx, ny, nz` has the length 2"), "{message}");
    // What cannot be read is not written.
    let [Event::Impact(hit)] = read(format!("{HEADER}\n{HIT}\n").as_bytes()).unwrap()[..] else {
        panic!("no impact")
    };
    let beyond = Impact { speed_m_s: 1e7, ..hit };
    let mut writer = Writer::new(Vec::new(), ["a", "b"]).unwrap();
    let message = writer.write(&Event::Impact(beyond)).unwrap_err().to_string();
    assert!(message.contains("line 2: `impact.speed_m_s` is 1e7"), "{message}");
    assert!(write_impacts_csv(Vec::new(), [&beyond]).is_err());
}

proptest! {
    #[test]
    fn any_numbers_survive(
        places in prop::array::uniform2(prop::array::uniform3(number())),
        positive in prop::array::uniform4(number().prop_map(f64::abs)),
        contact in any::<u64>(),
        over in any::<bool>(),
    ) {
        let [at_s, force_n, slip_m_s, roll_m_s] = positive;
        let (bodies, normal) = ([1, 0], [0.6, -0.0, 0.8]);
        let contact =
            SustainedContact { at_s, contact, bodies, places, normal, force_n, slip_m_s, roll_m_s, over };
        let events = [Event::SustainedContact(contact)];
        let back = read(&written(&["a", "b"], &events)).unwrap();
        prop_assert_eq!(&back[..], &events[..]);
        prop_assert_eq!(bits(&back), bits(&events));
    }

    #[test]
    fn no_bytes_can_panic(garbage in prop::collection::vec(any::<u8>(), 0..300), cut in 0..400_usize) {
        let _ = read(&garbage);
        let mut text = format!("{HEADER}\n{HIT}\n").into_bytes();
        text.truncate(cut);
        text.extend(garbage);
        let _ = read(&text);
        let _ = read_impacts_csv(text.as_slice()).count();
    }
}
