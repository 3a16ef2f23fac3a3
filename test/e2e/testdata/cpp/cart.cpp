#include "cart.h"

int Cart::sum() const { return total(prices, size()); }

struct Label {
  const char *icon;
  int sum;
};

Label label(const Cart &cart) {
  return {"🛒🛒", total(cart.prices, 3) + total(1, 2)};
}
