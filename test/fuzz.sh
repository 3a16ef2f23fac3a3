#!/bin/sh
# Runs each fuzz target for the time given, ten seconds unless said otherwise.
#
# Go before 1.27 may report its own deadline as a failure ("context deadline
# exceeded", golang/go#75804) at the end of the time. That is no finding: a
# finding names the input that it has written.
set -eu
time=${1:-10s}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
grep -rl --include='*_test.go' '^func Fuzz' internal | sort | while read -r file; do
	sed -n 's/^func \(Fuzz[A-Za-z0-9]*\).*/\1/p' "$file" | while read -r target; do
		echo "$target ($time) in $(dirname "$file")"
		if go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "./$(dirname "$file")" >"$out" 2>&1; then
			continue
		fi
		if grep -q 'Failing input' "$out" || ! grep -q 'context deadline exceeded' "$out"; then
			cat "$out"
			exit 1
		fi
	done
done
