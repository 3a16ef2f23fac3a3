#include "prices.h"

int total(const int *prices, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum = total(sum, prices[i]);
  return sum;
}

int total(int a, int b) { return a + b; }

void unused() {}
