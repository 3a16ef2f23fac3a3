package launch

import (
	"slices"

	"mcpls/internal/config"
)

// Choose puts in the place of each declaration that has others the one whose
// program is found, the preferred one first: one that PATH finds in the
// workspace only stands back, as its plan is the repository's. A declaration of
// which nothing is found stays.
func Choose(declared []config.Declaration, workspace Workspace, facts Facts) []config.Declaration {
	chosen := slices.Clone(declared)
	for i, d := range declared {
		chosen[i] = choose(d, workspace, facts)
	}
	return chosen
}

func choose(d config.Declaration, workspace Workspace, facts Facts) config.Declaration {
	if len(d.Others) == 0 {
		return orNative(d, workspace, facts)
	}
	fallback := d
	inside := false
	for _, candidate := range append([]config.Declaration{d}, d.Others...) {
		plan, err := Make(Input{Declaration: candidate, Workspace: workspace}, facts)
		if err != nil {
			continue
		}
		candidate, ok := nativeOnly(candidate, workspace, facts)
		switch {
		case !ok:
		case !plan.PathIntoWorkspace:
			return orNative(candidate, workspace, facts)
		case !inside:
			fallback, inside = candidate, true
		}
	}
	return fallback
}
