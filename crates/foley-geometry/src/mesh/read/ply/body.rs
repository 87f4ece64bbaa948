//! Values of a PLY file in sequence. Every read consumes at least one byte, so every loop ends.

use super::super::text;
use super::header::{Encoding, Kind, Property};
use super::wrong;
use crate::mesh::MeshError;

pub(super) struct Body<'a> {
    rest: &'a [u8],
    encoding: Encoding,
}

impl<'a> Body<'a> {
    pub(super) fn new(rest: &'a [u8], encoding: Encoding) -> Self {
        Self { rest, encoding }
    }

    /// Returns the number of bytes left.
    pub(super) fn remaining(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn value(
        &mut self,
        kind: Kind,
        place: impl Fn() -> String,
    ) -> Result<f64, MeshError> {
        let ends = || wrong(place(), "the file ends here: it is cut short");
        if self.encoding == Encoding::Ascii {
            let word = self.word().ok_or_else(ends)?;
            let not = || wrong(place(), format!("`{}` is not a number", text::shown(word)));
            return text::number(word).ok_or_else(not);
        }
        Ok(match kind {
            Kind::I8 => i8::from_le_bytes(self.take().ok_or_else(ends)?).into(),
            Kind::U8 => u8::from_le_bytes(self.take().ok_or_else(ends)?).into(),
            Kind::I16 => i16::from_le_bytes(self.take().ok_or_else(ends)?).into(),
            Kind::U16 => u16::from_le_bytes(self.take().ok_or_else(ends)?).into(),
            Kind::I32 => i32::from_le_bytes(self.take().ok_or_else(ends)?).into(),
            Kind::U32 => u32::from_le_bytes(self.take().ok_or_else(ends)?).into(),
            Kind::F32 => f32::from_le_bytes(self.take().ok_or_else(ends)?).into(),
            Kind::F64 => f64::from_le_bytes(self.take().ok_or_else(ends)?),
        })
    }

    /// Reads the length of a list.
    pub(super) fn length(
        &mut self,
        kind: Kind,
        place: impl Fn() -> String + Copy,
    ) -> Result<u64, MeshError> {
        let length = self.value(kind, place)?;
        if !(length.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&length)) {
            return Err(wrong(place(), format!("{length} is not the length of a list")));
        }
        Ok(length as u64)
    }

    pub(super) fn skip(
        &mut self,
        property: &Property,
        place: impl Fn() -> String + Copy,
    ) -> Result<(), MeshError> {
        let length = match property.list {
            Some(kind) => self.length(kind, place)?,
            None => 1,
        };
        for _ in 0..length {
            self.value(property.kind, place)?;
        }
        Ok(())
    }

    fn word(&mut self) -> Option<&'a [u8]> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Takes the next bytes, in little-endian order.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        let mut bytes = *bytes;
        if self.encoding == Encoding::Big {
            bytes.reverse();
        }
        Some(bytes)
    }
}
