package house_test

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// kind says what a ban is about.
type kind int

const (
	mention  kind = iota // any mention of a name
	write                // any mention but a call whose first argument is &x
	literal              // a composite literal of a type, with elements or without
	imported             // the import itself; no names are needed
)

// ban forbids something of another package outside some places.
type ban struct {
	pkg     string   // import path
	names   []string // patterns of path.Match
	kind    kind
	allowed []string // packages and files, from the module root
	reason  string   // why the places may, or why none may
	instead string   // what to do elsewhere
}

const (
	mcpSDK = "github.com/modelcontextprotocol/go-sdk"

	printInstead = "print with a quote.Printer"
	logInstead   = "log with the *slog.Logger that was passed in"
)

// bans is the table of rule 3.
var bans = []ban{
	{
		pkg: "os", names: []string{"Stdin", "Stdout", "Stderr"},
		allowed: []string{"cmd/mcpls"},
		reason:  "the process has one owner of its streams",
		instead: "take an io.Reader or a quote.Printer as an argument",
	}, {
		pkg: "fmt", names: []string{"Print", "Printf", "Println"},
		reason:  "standard output belongs to the MCP protocol",
		instead: printInstead,
	}, {
		pkg: "fmt", names: []string{"Fprint", "Fprintf", "Fprintln"}, kind: write,
		allowed: []string{"internal/quote"},
		reason:  "Printer is written with them",
		instead: printInstead + ", or write to &b, a strings.Builder",
	}, {
		pkg: "io", names: []string{"WriteString"},
		allowed: []string{"internal/quote", "internal/jsonrpc2", "internal/process"},
		reason:  "Printer is written with it; the other two write to a program, not to a person",
		instead: printInstead,
	}, {
		pkg: "log", kind: imported,
		reason:  "it writes to standard error as it likes",
		instead: logInstead,
	}, {
		pkg: "log/slog", names: []string{"NewTextHandler", "NewJSONHandler"},
		allowed: []string{"internal/quote"},
		reason:  "quote.Handler is the only handler",
		instead: "use quote.Handler",
	}, {
		pkg: "log/slog", names: []string{"New"},
		allowed: []string{"internal/cli"},
		reason:  "the one place that knows where the log goes",
		instead: logInstead,
	}, {
		pkg: "log/slog",
		names: []string{
			"Default", "SetDefault", "SetLogLoggerLevel", "With", "Log", "LogAttrs",
			"Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext", "Error", "ErrorContext",
		},
		reason:  "the default logger does not pass quote.Handler",
		instead: logInstead,
	}, {
		pkg: "log/slog", names: []string{"NewLogLogger"},
		allowed: []string{"internal/trust/web"},
		reason:  "the page gives net/http a log that drops everything",
		instead: logInstead,
	}, {
		pkg: mcpSDK + "/jsonrpc", names: []string{"Error"}, kind: literal,
		allowed: []string{"internal/mcpserver/errors.go"},
		reason:  "one file decides what a client learns of an error",
		instead: "use the functions of internal/mcpserver/errors.go",
	}, {
		pkg: mcpSDK + "/mcp", names: []string{"TextContent"}, kind: literal,
		allowed: []string{"internal/mcpserver/result.go"},
		reason:  "one file escapes the text of results",
		instead: "use the functions of internal/mcpserver/result.go",
	},
}

// checkRaw returns the places that break a ban or use the builtins print and
// println.
//
// It cannot see a Write method called on a stream that was passed in, a stream
// opened by number (os.NewFile), the printing methods of another module (those
// of cobra.Command), or a banned type that is filled in without a literal or
// under another name. For write bans &x is taken for the address of a local
// strings.Builder or bytes.Buffer, because types are not known here.
func checkRaw(files []*file, bans []ban) []finding {
	var found []finding
	for _, f := range files {
		for _, b := range bans {
			if slices.Contains(b.allowed, f.pkg) || slices.Contains(b.allowed, f.name) {
				continue
			}
			for _, u := range b.breaches(f) {
				found = append(found, f.finding(u.node.Pos(), "%s: %s", u, b.instead))
			}
		}
		found = append(found, builtins(f)...)
	}
	return found
}

// breaches returns what b forbids in f.
func (b ban) breaches(f *file) []use {
	switch b.kind {
	case imported:
		return b.imports(f)
	case literal:
		return b.literals(f)
	}
	toBuilder := map[ast.Node]bool{}
	if b.kind == write {
		toBuilder = builderCalls(f)
	}
	return slices.DeleteFunc(b.mentions(f), func(u use) bool { return toBuilder[u.node] })
}

// mentions returns the mentions of the names of b in f.
func (b ban) mentions(f *file) []use {
	return slices.DeleteFunc(f.uses(), func(u use) bool { return u.pkg != b.pkg || !matchesAny(b.names, u.name) })
}

// imports returns the imports of the package of b in f.
func (b ban) imports(f *file) []use {
	var found []use
	for _, spec := range f.ast.Imports {
		if importPath(spec) == b.pkg {
			found = append(found, use{pkg: b.pkg, node: spec})
		}
	}
	return found
}

// literals returns the composite literals in f of a type that b names.
func (b ban) literals(f *file) []use {
	var found []use
	mentions := b.mentions(f)
	literals(f.ast, func(lit *ast.CompositeLit, typ ast.Expr) {
		for _, u := range mentions {
			if u.node == bare(typ) {
				found = append(found, use{u.pkg, u.name, lit})
			}
		}
	})
	return found
}

// builderCalls returns the functions that are called with &x first, where x is
// a plain name: such a call writes to a builder.
func builderCalls(f *file) map[ast.Node]bool {
	called := map[ast.Node]bool{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if first, ok := call.Args[0].(*ast.UnaryExpr); ok && first.Op == token.AND {
			_, called[call.Fun] = first.X.(*ast.Ident)
		}
		return true
	})
	return called
}

// builtins returns the calls of print and println in f.
func builtins(f *file) []finding {
	var found []finding
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if fn, ok := call.Fun.(*ast.Ident); ok && (fn.Name == "print" || fn.Name == "println") {
			found = append(found, f.finding(call.Pos(), "%s: %s", fn.Name, printInstead))
		}
		return true
	})
	return found
}

func TestNothingRaw(t *testing.T) { report(t, checkRaw(program(t), bans)) }

func TestEveryBanIsExplained(t *testing.T) {
	for _, b := range bans {
		if b.reason == "" || b.instead == "" {
			t.Errorf("%s %v: no reason, or nothing to do instead", b.pkg, b.names)
		}
	}
}

func TestCheckRaw(t *testing.T) {
	const (
		stream  = ": take an io.Reader or a quote.Printer as an argument"
		print   = ": " + printInstead
		fprint  = print + ", or write to &b, a strings.Builder"
		log     = ": " + logInstead
		handler = ": use quote.Handler"
	)
	expect(
		t, checkRaw(fixture(t, map[string]string{
			"internal/a/a_darwin.go": `package a

import (
	. "fmt"
	format "fmt"
	"io"
	"log"
	"log/slog"
	system "os"
)

func f(b strings.Builder, w io.Writer) {
	w = system.Stdout
	r := system.Stdin
	Println("a")
	print("a")
	format.Fprintf(w, "a")
	format.Fprintf(&s.b, "a")
	call := format.Fprint
	format.Fprintf(&b, "a")
	io.WriteString(&b, "a")
	log.Fatal("a")
	slog.Info("a")
	slog.New(slog.NewJSONHandler(w, nil))
	slog.SetDefault(slog.Default())
	format.Fprint(<-writers, "a")
}
`,
		}), bans),
		"internal/a/a_darwin.go:7: log"+log,
		"internal/a/a_darwin.go:13: os.Stdout"+stream,
		"internal/a/a_darwin.go:14: os.Stdin"+stream,
		"internal/a/a_darwin.go:15: fmt.Println"+print,
		"internal/a/a_darwin.go:16: print"+print,
		"internal/a/a_darwin.go:17: fmt.Fprintf"+fprint,
		"internal/a/a_darwin.go:18: fmt.Fprintf"+fprint,
		"internal/a/a_darwin.go:19: fmt.Fprint"+fprint,
		"internal/a/a_darwin.go:21: io.WriteString"+print,
		"internal/a/a_darwin.go:23: log/slog.Info"+log,
		"internal/a/a_darwin.go:24: log/slog.New"+log,
		"internal/a/a_darwin.go:24: log/slog.NewJSONHandler"+handler,
		"internal/a/a_darwin.go:25: log/slog.SetDefault"+log,
		"internal/a/a_darwin.go:25: log/slog.Default"+log,
		"internal/a/a_darwin.go:26: fmt.Fprint"+fprint,
	)
}

func TestCheckRawLiterals(t *testing.T) {
	const src = `

import (
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var a = &jsonrpc.Error{Code: 1}
var b = []*sdk.TextContent{{Text: "a"}}
var c *jsonrpc.Error
var d = []sdk.Content{b[0]}
`
	const errorInstead = ": use the functions of internal/mcpserver/errors.go"
	const textInstead = ": use the functions of internal/mcpserver/result.go"
	expect(
		t, checkRaw(fixture(t, map[string]string{
			"internal/mcpserver/errors.go": "package mcpserver" + src,
			"internal/mcpserver/result.go": "package mcpserver" + src,
			"internal/app/app.go":          "package app" + src,
		}), bans),
		"internal/mcpserver/errors.go:9: "+mcpSDK+"/mcp.TextContent"+textInstead,
		"internal/mcpserver/result.go:8: "+mcpSDK+"/jsonrpc.Error"+errorInstead,
		"internal/app/app.go:8: "+mcpSDK+"/jsonrpc.Error"+errorInstead,
		"internal/app/app.go:9: "+mcpSDK+"/mcp.TextContent"+textInstead,
	)
}

func TestCheckRawClean(t *testing.T) {
	expect(t, checkRaw(fixture(t, map[string]string{
		"cmd/mcpls/main.go": `package main

import "os"

var out = os.Stdout
`,
		"internal/quote/print.go": `package quote

import (
	"fmt"
	"log/slog"
)

var a, b = fmt.Fprint, slog.NewTextHandler
`,
		"internal/cli/cli.go": `package cli

import "log/slog"

var l = slog.New(nil)
`,
		"internal/process/pipe.go": `package process

import "io"

var w = io.WriteString
`,
		"internal/a/a.go": `package a

import (
	"fmt"
	"log/slog"
	"os"
)

func f(l *slog.Logger) {
	l.Info(fmt.Sprint(os.Args), slog.String("a", "b"))
	p.Println(l.With())
}
`,
	}), bans))
}
