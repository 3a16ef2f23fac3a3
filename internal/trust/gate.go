// Package trust is the launch gate: whether what a plan would run may run.
//
// Permission is a value. Gate.Check is the only maker of a [Grant], and a
// process is started from a Grant only, so a path around the gate does not
// compile.
package trust

import (
	"context"
	"fmt"
	"strings"

	"mcpls/internal/launch"
	"mcpls/internal/launch/reason"
)

// Grant is the permission to run exactly one plan. The zero Grant permits
// nothing.
type Grant struct {
	granted bool
	allowed launch.Plan
}

// Valid reports whether the grant permits anything.
func (g Grant) Valid() bool { return g.granted }

// Plan gives the plan that may run. The caller owns what it gets: changing it
// changes nothing of the grant.
func (g Grant) Plan() launch.Plan { return g.allowed.Clone() }

// Gate decides about plans.
type Gate struct {
	// TrustProject lets the plans of project files pass, for this process:
	// the user said so on the command line (--trust-project-config).
	TrustProject bool
}

// Check decides whether a plan may run. What the user wrote, what they named
// and what mcpls brings along may; what the repository names may not, until a
// person has seen it. An origin that is not known may not. The error is a
// *reason.Refusal.
func (g *Gate) Check(ctx context.Context, plan launch.Plan) (Grant, error) {
	if err := ctx.Err(); err != nil {
		return Grant{}, err
	}
	switch plan.Origin {
	case launch.Builtin, launch.User, launch.Named:
	case launch.Project:
		if !g.TrustProject {
			return Grant{}, refuseProject(plan)
		}
	default:
		return Grant{}, &reason.Refusal{Code: reason.NoSurface, Message: fmt.Sprintf("its origin %q is not known", plan.Origin)}
	}
	return Grant{granted: true, allowed: plan.Clone()}, nil
}

func refuseProject(plan launch.Plan) *reason.Refusal {
	r := &reason.Refusal{
		Code: reason.NoSurface,
		Message: fmt.Sprintf("%q declares it in its entry %q, and mcpls does not start what a repository names until a person has said yes",
			plan.DeclaredIn, strings.TrimSuffix(plan.ID, launch.ProjectSuffix)),
		Hint: "read the entry; then either copy it into your own configuration file (mcpls config path says where that is), " +
			"or start mcpls with --trust-project-config, which starts every server that a project file declares",
	}
	if plan.PathIntoWorkspace {
		r.Message = fmt.Sprintf("PATH leads to %q inside the workspace and to no such program elsewhere, "+
			"and mcpls does not start a program of a repository until a person has said yes", plan.Argv[0])
		r.Hint = "either install the program outside the workspace, or give the absolute path of this one as command in your own configuration file"
	}
	return r
}
