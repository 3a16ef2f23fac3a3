//go:build race

package e2e_test

// raceFlag builds the program under test as the tests are built.
var raceFlag = []string{"-race"}
