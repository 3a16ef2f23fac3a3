from shop.prices import unused
unused()
