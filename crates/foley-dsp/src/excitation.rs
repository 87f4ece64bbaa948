//! Contact forces: impacts (`contact`) and sustained scraping and rolling (`force`).

mod contact;
mod force;

pub use contact::*;
pub use force::*;
