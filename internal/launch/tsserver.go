package launch

import (
	"fmt"

	"mcpls/internal/catalog"
	"mcpls/internal/config"
	"mcpls/internal/launch/reason"
	"mcpls/internal/launch/typescript"
)

// typescript has a TypeScript server run the tsserver that was installed with it,
// and not the workspace's.
func (p *planner) typescript() *reason.Refusal {
	pin := typescript.Find(p.plan.Argv[p.inner:], p.Declaration.InitializationOptions, p.machine())
	if p.Untrusted {
		if refusal := pin.Refusal(); refusal != nil {
			return refusal
		}
	}
	if pin.Warning != "" {
		p.note("%s", pin.Warning)
	}
	switch {
	case pin.Path == "" && p.Tsserver != "":
		return &reason.Refusal{
			Code:    reason.TsserverStale,
			Message: fmt.Sprintf("the tsserver %q, which it was started with, is not there any more, and there is no other", p.Tsserver),
			Hint:    "install typescript beside the server again, or restart mcpls",
		}
	case pin.Path == "" || pin.Version == "": // the user's own
		return nil
	}
	p.plan.Tsserver = pin.Path
	p.plan.InitOptions = over(orEmpty(p.plan.InitOptions), map[string]any{"tsserver": map[string]any{"path": pin.Path}})
	if pin.Inside {
		p.note("the tsserver %q is the workspace's own: it is code of the repository", pin.Path)
	}
	return nil
}

// orNative gives TypeScript 7 itself in the place of a server whose entry leaves
// the selection open, where it is installed outside the workspace and the server
// has no tsserver.
func orNative(d config.Declaration, workspace Workspace, facts Facts) config.Declaration {
	if d.Selection != "auto" {
		return d
	}
	p, refusal := planned(Input{Declaration: d, Workspace: workspace}, facts)
	if refusal != nil || p.plan.Tsserver != "" {
		return d
	}
	native, why := typescript.Native(p.plan.Argv[p.inner:], p.machine())
	if why != "" {
		d.Note = "TypeScript 7 was not selected: " + why
		return d
	}
	d.Note = fmt.Sprintf("TypeScript 7 runs in the place of %q, which has no tsserver beside it", d.Command)
	d.Command, d.Args = native[0], native[1:]
	return d
}

// nativeOnly gives the built-in entry of TypeScript 7 with the tsc that is one:
// that of an older TypeScript is no server.
func nativeOnly(d config.Declaration, workspace Workspace, facts Facts) (config.Declaration, bool) {
	known, _ := catalog.ByCommand(d.Command, d.Args)
	if !known.Native {
		return d, true
	}
	p, refusal := planned(Input{Declaration: d, Workspace: workspace}, facts)
	if refusal != nil {
		return d, false
	}
	native, why := typescript.Native(nil, p.machine())
	if why != "" {
		return d, false
	}
	d.Command, d.Args = native[0], native[1:]
	return d, true
}
