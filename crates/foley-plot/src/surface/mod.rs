//! An object's surface: how it moves in one mode, and where it sounds bright.
//!
//! Data flows from `body` (the surface that is drawn) and `motion` or `brightness` (what is
//! painted on it) through `view` (from where it is seen) into `render`, which paints pixels
//! with a depth buffer. `stage` puts the views on a page; `mode_shape` and `sound_map` say
//! what they mean.

mod body;
mod brightness;
mod mode_shape;
mod motion;
mod outline;
mod render;
mod shade;
pub mod show;
mod sound_map;
mod stage;
#[cfg(test)]
mod tests;
mod vector;
mod view;

pub(crate) use mode_shape::picture as mode_shape;
pub(crate) use sound_map::picture as sound_map;
