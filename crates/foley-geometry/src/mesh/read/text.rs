//! Tokens and numbers of text formats.

use crate::mesh::MeshError;

/// Returns a text without the byte-order mark that some programs write before it.
pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Returns the words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Returns the lines of a text, numbered from 1. A line ends with `\n`, `\r\n` or `\r`.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let (line, next) = match end {
            Some(end) => {
                let both = text[end..].starts_with(b"\r\n");
                (&text[..end], Some(&text[end + if both { 2 } else { 1 }..]))
            }
            None => (text, None),
        };
        rest = next;
        number += 1;
        Some((number, line))
    })
}

/// Parses a number.
pub(super) fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Returns a name of at most 200 characters.
pub(super) fn name(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(800)]).trim().chars().take(200).collect()
}

/// Returns a word shortened for an error message.
pub(super) fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(160)]).chars().take(40).collect()
}

/// Parses three coordinates.
pub(super) fn point<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Option<[f64; 3]> {
    let mut next = || words.next().and_then(number);
    Some([next()?, next()?, next()?])
}

/// Returns an error at a line.
pub(super) fn at_line(format: &'static str, line: usize, problem: impl Into<String>) -> MeshError {
    MeshError::Syntax { format, place: format!("line {line}"), problem: problem.into() }
}
