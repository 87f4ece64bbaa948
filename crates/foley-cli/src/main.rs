#![allow(dead_code)]
//! Trial.
mod plot;
fn main() {}
