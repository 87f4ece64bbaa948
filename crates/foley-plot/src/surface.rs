//! The surface of an object: its motion in one mode, and the brightness of its sound.
//!
//! Data flows from `drawn_surface` (the surface) and `modal_motion` or `brightness` (what colours it)
//! through `view` (parallel projection) into `rasterizer`, which renders pixels with a depth buffer.
//! `page` lays out the views; `mode_shape` and `sound_map` add titles and scales.

pub(crate) mod drawn_surface;
mod modal_motion;
mod brightness;
pub(crate) mod view;
mod outline;
pub(crate) mod shading;
pub(crate) mod rasterizer;
mod page;
mod mode_shape;
mod sound_map;
#[cfg(test)]
mod tests;

pub use mode_shape::mode_shape_picture;
pub use sound_map::sound_map_picture;
