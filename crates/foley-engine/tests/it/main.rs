//! The integration tests of `foley-engine`, in one program: it is linked once.

mod acceleration_noise;
mod audio_thread;
mod collide;
mod common;
mod decay_changes;
mod directivity;
mod emitters;
mod files;
mod force_control;
mod hostile_engine;
mod same_sound;
mod sound_physics;
mod switch_synthesis;
mod telemetry;
