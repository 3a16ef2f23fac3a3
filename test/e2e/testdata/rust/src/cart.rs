use crate::prices::{total, Größe, Weigh};

pub struct Cart {
    pub price: i32,
}

impl Cart {
    pub fn sum(&self) -> i32 {
        total(self.price, 1)
    }

    pub fn label(&self) -> (&'static str, i32, i32) {
        ("🛒🛒", total(self.price, 2), total(3, 4))
    }

    pub fn size(&self) -> Größe {
        3
    }

    pub fn weight(&self) -> i32 {
        '🛒'.weigh()
    }
}
