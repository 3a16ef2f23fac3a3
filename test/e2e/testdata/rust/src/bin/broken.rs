use shop::prices::total;

fn main() {
    let _count: &str = total(1, 2);
}
