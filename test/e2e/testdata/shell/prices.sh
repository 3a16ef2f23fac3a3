#!/bin/bash
# Adds up prices.
total() {
  local sum=0
  for price in "$@"; do
    sum=$((sum + price))
  done
  echo "$sum"
}

größe() {
  echo 3
}

unused() {
  :
}
