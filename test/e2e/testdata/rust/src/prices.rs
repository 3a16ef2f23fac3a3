/// A size.
pub type Größe = u8;

/// Adds up prices.
pub fn total(first: i32, second: i32) -> i32 {
    match first {
        0 => second,
        _ => first,
    }
}

pub trait Weigh {
    fn weigh(&self) -> i32;
}

impl Weigh for bool {
    fn weigh(&self) -> i32 {
        1
    }
}

impl Weigh for char {
    fn weigh(&self) -> i32 {
        2
    }
}

pub fn unused() {}
