#!/bin/bash
source ./prices.sh
if total 1; then
