#pragma once

#include "prices.h"

struct Cart {
  int prices[3];

  int sum() const;
  Größe size() const { return 3; }
};
