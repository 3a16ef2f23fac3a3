//! A shop. It needs nothing of the standard library, whose sources rust-analyzer
//! may not have.

pub mod cart;
pub mod generated;
pub mod prices;
