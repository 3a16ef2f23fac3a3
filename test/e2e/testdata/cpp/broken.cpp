#include "prices.h"

const char *count = total(1, 2);
