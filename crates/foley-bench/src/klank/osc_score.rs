//! Score file of SuperCollider's non-real-time mode: Open Sound Control bundles, each
//! after its length, in order of time.

/// Returns the bytes of a score that defines a synth, plays it from the start and ends after
/// `seconds`.
pub(crate) fn play(definition: &[u8], name: &str, seconds: f64) -> Vec<u8> {
    let define = message("/d_recv", &[Argument::Blob(definition)]);
    // Node 1000, at the head (0) of the root group (0).
    let numbers = [1000, 0, 0].map(Argument::Int);
    let start = message("/s_new", &[&[Argument::Text(name)][..], &numbers].concat());
    // The time of the last bundle is the end; its message has no effect.
    let end = message("/c_set", &[0, 0].map(Argument::Int));
    let mut out = Vec::new();
    for (time, messages) in [(0.0, &[define, start][..]), (seconds, &[end])] {
        put_block(&mut out, &bundle(time, messages));
    }
    out
}

#[derive(Clone, Copy)]
enum Argument<'a> {
    Int(i32),
    Text(&'a str),
    Blob(&'a [u8]),
}

fn message(address: &str, arguments: &[Argument]) -> Vec<u8> {
    let mut out = Vec::new();
    put_text(&mut out, address);
    let tags = arguments.iter().map(|argument| match argument {
        Argument::Int(_) => 'i',
        Argument::Text(_) => 's',
        Argument::Blob(_) => 'b',
    });
    put_text(&mut out, &std::iter::once(',').chain(tags).collect::<String>());
    for argument in arguments {
        match argument {
            Argument::Int(value) => out.extend(value.to_be_bytes()),
            Argument::Text(text) => put_text(&mut out, text),
            Argument::Blob(bytes) => {
                put_block(&mut out, bytes);
                out.resize(out.len().next_multiple_of(4), 0);
            }
        }
    }
    out
}

/// Returns a bundle at a time in seconds since the start, as 32.32 fixed point.
fn bundle(time: f64, messages: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"#bundle\0".to_vec();
    out.extend(((time * 2f64.powi(32)) as u64).to_be_bytes());
    for message in messages {
        put_block(&mut out, message);
    }
    out
}

/// Appends bytes after their length.
fn put_block(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_be_bytes());
    out.extend(bytes);
}

/// Appends text with at least one zero, padded to a multiple of four bytes.
fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend(text.as_bytes());
    out.resize((out.len() + 1).next_multiple_of(4), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_two_bundles_in_multiples_of_four() {
        let score = play(b"12345", "syn", 1.5);
        assert_eq!(score.len() % 4, 0);
        let first = u32::from_be_bytes(score[..4].try_into().unwrap()) as usize;
        assert_eq!(&score[4..20], b"#bundle\0\0\0\0\0\0\0\0\0");
        assert_eq!(&score[20..48], b"\0\0\0\x18/d_recv\0,b\0\0\0\0\0\x0512345\0\0\0");
        assert_eq!(&score[52..72], b"/s_new\0\0,siii\0\0\0syn\0");
        let second = &score[4 + first..];
        assert_eq!(&second[4..20], b"#bundle\0\0\0\0\x01\x80\0\0\0");
        assert_eq!(&second[20..], b"\0\0\0\x14/c_set\0\0,ii\0\0\0\0\0\0\0\0\0");
    }
}
