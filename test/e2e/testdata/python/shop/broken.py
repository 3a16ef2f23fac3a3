from shop.prices import total

count: str = total([1])
