from shop.prices import Größe, parse, total


class Cart:
    def __init__(self) -> None:
        self.prices: list[int] = [parse("7")]

    def sum(self) -> int:
        return total(self.prices)

    def label(self) -> tuple[str, int]:
        return "🛒🛒", total(self.prices) + total([])

    def size(self) -> Größe:
        return Größe(len(self.prices))
