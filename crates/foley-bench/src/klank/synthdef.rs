//! SuperCollider's synth definition file, format version 2, as its reference
//! "Synth Definition File Format" describes it; all numbers are big-endian.

/// Input of a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Input {
    /// A constant.
    Constant(f32),
    /// The first output of an earlier unit.
    Unit(usize),
}

/// A unit generator that runs at audio rate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unit {
    /// Class, e.g. `WhiteNoise`.
    pub class: &'static str,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// Number of outputs.
    pub outputs: usize,
}

const AUDIO_RATE: u8 = 2;

/// Returns the bytes of a file with one definition.
pub(crate) fn file(name: &str, units: &[Unit]) -> Vec<u8> {
    let constants: Vec<f32> = units
        .iter()
        .flat_map(|unit| &unit.inputs)
        .filter_map(|input| match input {
            Input::Constant(value) => Some(*value),
            Input::Unit(_) => None,
        })
        .collect();
    let mut out = b"SCgf".to_vec();
    put_i32(&mut out, 2);
    put_i16(&mut out, 1);
    put_name(&mut out, name);
    put_i32(&mut out, constants.len());
    for value in constants {
        out.extend(value.to_be_bytes());
    }
    // No parameters, no parameter names.
    put_i32(&mut out, 0);
    put_i32(&mut out, 0);
    put_i32(&mut out, units.len());
    let mut constant = 0;
    for unit in units {
        put_unit(&mut out, unit, &mut constant);
    }
    // No variants.
    put_i16(&mut out, 0);
    out
}

fn put_unit(out: &mut Vec<u8>, unit: &Unit, constant: &mut usize) {
    put_name(out, unit.class);
    out.push(AUDIO_RATE);
    put_i32(out, unit.inputs.len());
    put_i32(out, unit.outputs);
    // The special index: used by operators only.
    put_i16(out, 0);
    for input in &unit.inputs {
        match input {
            Input::Constant(_) => {
                out.extend((-1i32).to_be_bytes());
                put_i32(out, *constant);
                *constant += 1;
            }
            Input::Unit(index) => {
                put_i32(out, *index);
                put_i32(out, 0);
            }
        }
    }
    out.extend(std::iter::repeat_n(AUDIO_RATE, unit.outputs));
}

fn put_i32(out: &mut Vec<u8>, value: usize) {
    out.extend((value as i32).to_be_bytes());
}

fn put_i16(out: &mut Vec<u8>, value: i16) {
    out.extend(value.to_be_bytes());
}

/// Appends a string after its length in one byte.
fn put_name(out: &mut Vec<u8>, name: &str) {
    let bytes = &name.as_bytes()[..name.len().min(255)];
    out.push(bytes.len() as u8);
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_byte_by_byte() {
        let units = [
            Unit { class: "WhiteNoise", inputs: vec![], outputs: 1 },
            Unit { class: "Out", inputs: vec![Input::Constant(0.0), Input::Unit(0)], outputs: 0 },
        ];
        let mut wanted = b"SCgf\0\0\0\x02\0\x01\x01n".to_vec();
        wanted.extend(b"\0\0\0\x01\0\0\0\0");
        wanted.extend(b"\0\0\0\0\0\0\0\0\0\0\0\x02");
        wanted.extend(b"\x0aWhiteNoise\x02\0\0\0\0\0\0\0\x01\0\0\x02");
        wanted.extend(b"\x03Out\x02\0\0\0\x02\0\0\0\0\0\0");
        wanted.extend(b"\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0");
        wanted.extend(b"\0\0");
        assert_eq!(file("n", &units), wanted);
    }
}
