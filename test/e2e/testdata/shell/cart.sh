#!/bin/bash
source ./prices.sh

label() {
  echo "🛒🛒 $(total 1 2) $(total "$(größe)")"
}
