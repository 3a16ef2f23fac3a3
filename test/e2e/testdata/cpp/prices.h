#pragma once

/// A size.
using Größe = int;

/// Adds up prices.
int total(const int *prices, int n);

/// Adds up two prices.
int total(int a, int b);

void unused();
