package launch

import (
	"slices"

	"mcpls/internal/config"
)

// Choose puts in the place of each declaration that has others the one whose
// program is found, the preferred one first: one that PATH finds in the
// workspace only stands back, as its plan is the repository's. A declaration of
// which nothing is found stays.
func Choose(declared []config.Declaration, dir string, boundary []string, facts Facts) []config.Declaration {
	chosen := slices.Clone(declared)
	for i, d := range declared {
		chosen[i] = choose(d, dir, boundary, facts)
	}
	return chosen
}

func choose(d config.Declaration, dir string, boundary []string, facts Facts) config.Declaration {
	if len(d.Others) == 0 {
		return d
	}
	fallback := d
	inside := false
	for _, candidate := range append([]config.Declaration{d}, d.Others...) {
		switch plan, err := Make(Input{Declaration: candidate, Dir: dir, Boundary: boundary}, facts); {
		case err != nil:
		case !plan.PathIntoWorkspace:
			return candidate
		case !inside:
			fallback, inside = candidate, true
		}
	}
	return fallback
}
