//! Accessors: typed views of buffers, checked once at construction.

use super::document::Document;
use super::wrong;
use crate::mesh::MeshError;
use std::borrow::Cow;

/// A checked view of an accessor's items.
pub(super) struct AccessorView<'a> {
    bytes: &'a [u8],
    stride: usize,
    component: Component,
    /// Numbers in each item.
    numbers: usize,
    normalized: bool,
    pub(super) count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }
}

impl<'a> AccessorView<'a> {
    /// Returns a view of an accessor, which must have the given type.
    pub(super) fn new(
        document: &Document,
        buffers: &'a [Cow<'_, [u8]>],
        number: usize,
        shape: &str,
    ) -> Result<Self, MeshError> {
        let fail = |problem: &str| wrong(format!("accessor {number}"), problem);
        let accessor = document.accessors.get(number).ok_or_else(|| fail("it does not exist"))?;
        if accessor.sparse.is_some() {
            return Err(fail("it is sparse, which is not read: export without sparse accessors"));
        }
        if accessor.shape != shape {
            return Err(fail(&format!("it should be a {shape}")));
        }
        let component = Component::from_code(accessor.component_type)
            .ok_or_else(|| fail("its component type is not known"))?;
        let view = accessor.buffer_view.ok_or_else(|| fail("it has no buffer view"))?;
        let view =
            document.buffer_views.get(view).ok_or_else(|| fail("its buffer view is missing"))?;
        let buffer = buffers.get(view.buffer).ok_or_else(|| fail("its buffer is missing"))?;
        let outside = || fail("it reaches beyond its buffer: the file is damaged");
        let view_bytes = slice(buffer, view.byte_offset, view.byte_length).ok_or_else(outside)?;
        let numbers = match shape {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => return Err(fail("its shape is not read")),
        };
        let size = component.bytes() * numbers;
        let stride = view.byte_stride.unwrap_or(0);
        let stride = if stride == 0 { size as u64 } else { stride };
        let count = accessor.count;
        let length = match count {
            0 => Some(0),
            _ => (count - 1).checked_mul(stride).and_then(|n| n.checked_add(size as u64)),
        };
        let bytes = length
            .and_then(|length| slice(view_bytes, accessor.byte_offset, length))
            .ok_or_else(outside)?;
        // A stride shorter than an item lets a short buffer hold many of them.
        if stride < size as u64 {
            return Err(fail("its stride is shorter than its items"));
        }
        let (stride, count) = (stride as usize, count as usize);
        Ok(Self { bytes, stride, component, numbers, normalized: accessor.normalized, count })
    }

    /// Returns one component of an existing item.
    fn number(&self, item: usize, axis: usize) -> f64 {
        let b = &self.bytes[item * self.stride + axis * self.component.bytes()..];
        let (value, full) = match self.component {
            Component::I8 => (f64::from(b[0] as i8), 127.0),
            Component::U8 => (f64::from(b[0]), 255.0),
            Component::I16 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
            Component::U16 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
            Component::U32 => (f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
            Component::F32 => (f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
        };
        if self.normalized { (value / full).max(-1.0) } else { value }
    }

    /// Returns the first components of an item; `None` beyond the end or when it has fewer.
    pub(super) fn item<const N: usize>(&self, item: usize) -> Option<[f64; N]> {
        let fits = item < self.count && N <= self.numbers;
        fits.then(|| std::array::from_fn(|axis| self.number(item, axis)))
    }

    /// Returns an index; `None` beyond the end or when it is no integer.
    pub(super) fn index(&self, item: usize) -> Option<u32> {
        let integer = matches!(self.component, Component::U8 | Component::U16 | Component::U32);
        (item < self.count && integer).then(|| self.number(item, 0) as u32)
    }
}

fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = offset.checked_add(length)?;
    bytes.get(usize::try_from(offset).ok()?..usize::try_from(end).ok()?)
}
