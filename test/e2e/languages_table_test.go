package e2e_test

import (
	"path/filepath"
	"slices"
	"testing"
)

var languages = []language{
	{
		name: "pyright", fresh: freshPython, needs: "pyright-langserver", args: []string{"--stdio"}, id: "python", dir: "python", prepare: link("prices.py", "shop/alias.py"), questions: pythonTypes,
		edit: breaking{"shop/generated.py", "total([1])", "total(1)", "reportArgumentType"},
	},
	{
		name: "basedpyright", fresh: freshPython, needs: "basedpyright-langserver", args: []string{"--stdio"}, id: "python", dir: "python", prepare: link("prices.py", "shop/alias.py"), questions: pythonTypes,
		edit: breaking{"shop/generated.py", "total([1])", "total(1)", "reportArgumentType"},
	},
	{
		name: "ty", fresh: freshPython, needs: "ty", args: []string{"server"}, id: "python", dir: "python", prepare: link("prices.py", "shop/alias.py"), questions: pythonTypes,
		edit: breaking{"shop/generated.py", "total([1])", "total(1)", "invalid-argument-type"},
	},
	{
		name: "pylsp", fresh: freshFile{file: "shop/fresh.py", text: freshPython.text, noSearch: true}, needs: "pylsp", id: "python", dir: "python", prepare: undefinedName, questions: jediQuestions,
		edit: breaking{"shop/generated.py", "total([1])", "nowhere([1])", "undefined name 'nowhere'"},
	},
	{
		name: "typescript-language-server", fresh: freshScript, needs: "typescript-language-server", args: []string{"--stdio"}, id: "typescript", dir: "typescript", prepare: link("prices.ts", "src/alias.ts"), questions: scriptQuestions, patterns: `["**/*.tsx", "**/*.jsx"]`,
		edit: breaking{"src/generated.ts", "total([1])", "total(1)", "2345"},
	},
	{
		name: "typescript7", fresh: freshScript, needs: "tsc", args: []string{"--lsp", "--stdio"}, id: "typescript", dir: "typescript", prepare: link("prices.ts", "src/alias.ts"), questions: scriptQuestions, patterns: `["**/*.tsx", "**/*.jsx"]`,
		edit: breaking{"src/generated.ts", "total([1])", "total(1)", "2345"},
	},
	{
		name: "clangd", fresh: freshFile{file: "fresh.cpp", text: "int NAME() { return 1; }\n"}, needs: "clangd", id: "cpp", dir: "cpp", prepare: cppDatabase, questions: cppQuestions, patterns: `["**/*.h"]`,
		edit: breaking{"generated.cpp", "total(1, 2)", "total(1)", "No matching function"},
	},
	{
		name: "rust-analyzer", fresh: freshFile{file: "src/bin/fresh.rs", text: "fn NAME() {}\n\nfn main() {\n    NAME()\n}\n"}, needs: "rust-analyzer", id: "rust", dir: "rust", prepare: rustTargets, path: toolchain, questions: rustQuestions,
		edit: breaking{"src/generated.rs", "}\n", "}\n\npub struct Thing;\n\npub fn twice(a: Thing) -> (Thing, Thing) {\n    (a, a)\n}\n", "E0382"},
	},
	{name: "bash-language-server", fresh: freshFile{file: "fresh.sh", text: "NAME() {\n  :\n}\n"}, needs: "bash-language-server", args: []string{"start"}, id: "shellscript", dir: "shell", prepare: link("prices.sh", "alias.sh"), questions: shellQuestions},
}

var (
	freshPython = freshFile{file: "shop/fresh.py", text: "def NAME() -> None:\n    pass\n"}
	freshScript = freshFile{file: "src/fresh.ts", text: "export function NAME(): void {}\n"}
)

// rustTargets makes the link, and a program that cargo finds by itself.
func rustTargets(t testing.TB, dir string) {
	t.Helper()
	link("prices.rs", "src/alias.rs")(t, dir)
	write(t, filepath.Join(dir, "src", "bin", "fresh.rs"), "fn main() {}\n")
}

// undefinedName adds the link, and an error that pylsp can find.
func undefinedName(t testing.TB, dir string) {
	t.Helper()
	link("prices.py", "shop/alias.py")(t, dir)
	write(t, filepath.Join(dir, "shop", "undefined.py"), "nowhere()\n")
}

func at(file string, line int, text string) args {
	return args{"file_path": file, "line": line, "text": text}
}

// all asks for the declaration too: servers differ in what is a reference, but
// not in where a name stands.
func all(a args) args {
	a["include_declaration"] = true
	return a
}

func renamed(a args, name string) args {
	a["new_name"] = name
	return a
}

var pythonQuestions = []asked{
	{tool: "get_hover", args: at("shop/cart.py", 9, "total"), has: []string{"total (shop/cart.py:9:16)\n", "total(prices: list[int]) -> int", "Adds up prices."}},
	{tool: "get_definition", args: at("shop/cart.py", 12, "total"), want: "total (shop/cart.py:12:24): 1 definition\nshop/prices.py:10:5: def total(prices: list[int]) -> int:"},
	{tool: "get_references", args: all(at("shop/prices.py", 10, "total")), want: `total (shop/prices.py:10:5): 10 references in 4 files
shop/broken.py:1:25: from shop.prices import total
shop/broken.py:3:14: count: str = total([1])
shop/cart.py:1:39: from shop.prices import Größe, parse, total
shop/cart.py:9:16: return total(self.prices)
shop/cart.py:12:24: return "🛒🛒", total(self.prices) + total([])
shop/cart.py:12:45: return "🛒🛒", total(self.prices) + total([])
shop/generated.py:2:25: from shop.prices import total
shop/generated.py:4:10: TABLE = [total([1]), total([1, 2])]
shop/generated.py:4:22: TABLE = [total([1]), total([1, 2])]
shop/prices.py:10:5: def total(prices: list[int]) -> int:`},
	{tool: "get_references", args: all(at("shop/cart.py", 15, "Größe")), want: `Größe (shop/cart.py:15:16): 4 references in 2 files
shop/cart.py:1:25: from shop.prices import Größe, parse, total
shop/cart.py:14:23: def size(self) -> Größe:
shop/cart.py:15:16: return Größe(len(self.prices))
shop/prices.py:6:7: class Größe(int):`},
	{tool: "get_references", args: at("shop/alias.py", 23, "unused"), want: "unused (shop/prices.py:23:5): no references"},
	{tool: "get_document_symbols", args: args{"file_path": "shop/prices.py"}, has: []string{"\nclass Größe  6-", "\nfunction total  10-1", "\nfunction unused  23-2"}},
	{tool: "get_diagnostics", args: args{"file_path": "shop/cart.py"}, want: "shop/cart.py: no errors or warnings"},
	{tool: "rename_symbol", args: renamed(at("shop/prices.py", 6, "Größe"), "Maß"), has: []string{
		"rename Größe (shop/prices.py:6:7) to Maß: 4 edits in 2 files;",
		"\nshop/cart.py:1:25-30:", "\nshop/cart.py:14:23-28:", "\nshop/cart.py:15:16-21:", "\nshop/prices.py:6:7-12:",
	}},
}

// pythonTypes are what a type checker is asked.
var pythonTypes = slices.Concat(pythonQuestions, []asked{
	{tool: "get_hover", args: args{"symbol_name": "unused"}, has: []string{"unused (shop/prices.py:23:5)\n"}},
	{tool: "get_hover", args: at("shop/cart.py", 6, "parse"), has: []string{"parse (shop/cart.py:6:35)\n", "parse(text: str) -> int"}},
	{tool: "workspace_symbol_search", args: args{"query": "Größe"}, has: []string{"1 symbol for \"Größe\"\nclass Größe  shop/prices.py:6:", ": class Größe(int):"}},
	{tool: "get_diagnostics", args: args{"file_path": "shop/broken.py"}, has: []string{"shop/broken.py: 1 error\nshop/broken.py:3:14: error: ", "count: str = total([1])"}},
})

// jediQuestions are what is different of pylsp: it has no workspace symbols,
// renames by whole files, and finds names that are not there but no types.
var jediQuestions = append(
	slices.Clone(pythonQuestions[:len(pythonQuestions)-1]),
	asked{tool: "workspace_symbol_search", args: args{"query": "Größe"}, has: []string{"does not offer workspace/symbol"}},
	asked{tool: "get_diagnostics", args: args{"file_path": "shop/undefined.py"}, has: []string{"shop/undefined.py: 1 error\nshop/undefined.py:1:1: error: undefined name 'nowhere'"}},
)

var scriptQuestions = []asked{
	{tool: "get_hover", args: at("src/cart.ts", 7, "total"), has: []string{"total (src/cart.ts:7:12)\n", "total(prices: number[]): number", "Adds up prices."}},
	{tool: "get_hover", args: at("src/cart.ts", 4, "parse"), has: []string{"parse(text: string): number"}},
	{tool: "get_hover", args: args{"symbol_name": "unused"}, has: []string{"unused (src/prices.ts:15:", "unused(): void"}},
	{tool: "get_definition", args: at("src/cart.ts", 11, "total"), want: "total (src/cart.ts:11:21): 1 definition\nsrc/prices.ts:5:17: export function total(prices: number[]): number {"},
	{tool: "get_definition", args: at("src/old.jsx", 3, "Sum"), want: "Sum (src/old.jsx:3:21): 1 definition\nsrc/view.tsx:4:17: export function Sum(props: { cart: Cart }) {"},
	{tool: "get_references", args: all(at("src/prices.ts", 5, "total")), want: `total (src/prices.ts:5:17): 12 references in 5 files
src/broken.ts:1:10: import { total } from "./prices";
src/broken.ts:3:30: export const count: string = total([1]);
src/cart.ts:1:24: import { Größe, parse, total } from "./prices";
src/cart.ts:7:12: return total(this.prices);
src/cart.ts:11:21: return ["🛒🛒", total(this.prices) + total([])];
src/cart.ts:11:42: return ["🛒🛒", total(this.prices) + total([])];
src/generated.ts:2:10: import { total } from "./prices";
src/generated.ts:4:23: export const table = [total([1]), total([1, 2])];
src/generated.ts:4:35: export const table = [total([1]), total([1, 2])];
src/prices.ts:5:17: export function total(prices: number[]): number {
src/view.tsx:2:10: import { total } from "./prices";
src/view.tsx:5:25: return <b title="🛒">{total(props.cart.prices)}</b>;`},
	{tool: "get_references", args: all(at("src/cart.ts", 14, "Größe")), want: `Größe (src/cart.ts:14:11): 3 references in 2 files
src/cart.ts:1:10: import { Größe, parse, total } from "./prices";
src/cart.ts:14:11: size(): Größe {
src/prices.ts:2:13: export type Größe = number;`},
	{tool: "get_references", args: at("src/alias.ts", 15, "unused"), want: "unused (src/prices.ts:15:17): no references"},
	{tool: "get_document_symbols", args: args{"file_path": "src/cart.ts"}, has: []string{"\nclass Cart  3-17", "\n  property prices  4", "\n  method sum  6-8", "\n  method label  10-12", "\n  method size  14-16"}},
	{tool: "workspace_symbol_search", args: args{"query": "Größe"}, has: []string{"1 symbol for \"Größe\"\n", "Größe  src/prices.ts:2:", ": export type Größe = number;"}},
	{tool: "get_diagnostics", args: args{"file_path": "src/cart.ts"}, want: "src/cart.ts: no errors or warnings"},
	{tool: "get_diagnostics", args: args{"file_path": "src/view.tsx"}, want: "src/view.tsx: no errors or warnings"},
	{tool: "get_diagnostics", args: args{"file_path": "src/broken.ts"}, has: []string{"src/broken.ts: 1 error\nsrc/broken.ts:3:14: error: Type 'number' is not assignable to type 'string'."}},
	{tool: "rename_symbol", args: renamed(at("src/prices.ts", 2, "Größe"), "Maß"), has: []string{
		"rename Größe (src/prices.ts:2:13) to Maß: 3 edits in 2 files;",
		"\nsrc/cart.ts:1:10-15:", "\nsrc/cart.ts:14:11-16:", "\nsrc/prices.ts:2:13-18:",
	}},
}

var cppQuestions = []asked{
	{tool: "get_hover", args: at("cart.cpp", 3, "total"), has: []string{"total (cart.cpp:3:32)\n", "int total(const int *prices, int n)", "Adds up prices."}},
	{tool: "get_hover", args: args{"symbol_name": "unused"}, has: []string{"void unused()"}},
	{tool: "get_definition", args: at("cart.cpp", 3, "total"), want: "total (cart.cpp:3:32): 1 definition\nprices.cpp:3:5: int total(const int *prices, int n) {"},
	// The second total of the line is the other one of the two.
	{tool: "get_definition", args: args{"file_path": "cart.cpp", "line": 11, "text": "total", "occurrence": 2}, want: "total (cart.cpp:11:43): 1 definition\nprices.cpp:10:5: int total(int a, int b) { return a + b; }"},
	{tool: "get_references", args: all(at("prices.h", 7, "total")), want: `total (prices.h:7:5): 4 references in 3 files
cart.cpp:3:32: int Cart::sum() const { return total(prices, size()); }
cart.cpp:11:19: return {"🛒🛒", total(cart.prices, 3) + total(1, 2)};
prices.cpp:3:5: int total(const int *prices, int n) {
prices.h:7:5: int total(const int *prices, int n);`},
	{tool: "get_references", args: all(at("prices.h", 10, "total")), want: `total (prices.h:10:5): 7 references in 5 files
broken.cpp:3:21: const char *count = total(1, 2);
cart.cpp:11:43: return {"🛒🛒", total(cart.prices, 3) + total(1, 2)};
generated.cpp:4:16: int table[] = {total(1, 2), total(3, 4)};
generated.cpp:4:29: int table[] = {total(1, 2), total(3, 4)};
prices.cpp:6:11: sum = total(sum, prices[i]);
prices.cpp:10:5: int total(int a, int b) { return a + b; }
prices.h:10:5: int total(int a, int b);`},
	{tool: "get_references", args: at("prices.h", 4, "Größe"), want: "Größe (prices.h:4:7): 1 reference\ncart.h:9:3: Größe size() const { return 3; }"},
	{tool: "get_references", args: at("alias.h", 12, "unused"), want: "unused (prices.h:12:6): no references"},
	{tool: "get_document_symbols", args: args{"file_path": "cart.cpp"}, has: []string{"\nmethod Cart::sum int () const  3", "\nstruct Label struct  5-8", "\n  field icon const char *  6", "\n  field sum int  7", "\nfunction label Label (const Cart &)  10-12"}},
	{tool: "workspace_symbol_search", args: args{"query": "Größe"}, want: "1 symbol for \"Größe\"\nclass Größe  prices.h:4:7: using Größe = int;"},
	{tool: "get_diagnostics", args: args{"file_path": "cart.cpp"}, want: "cart.cpp: no errors or warnings"},
	{tool: "get_diagnostics", args: args{"file_path": "broken.cpp"}, has: []string{"broken.cpp: 1 error\nbroken.cpp:3:13: error: Cannot initialize a variable"}},
	{tool: "rename_symbol", args: renamed(at("prices.h", 7, "total"), "summe"), has: []string{
		"rename total (prices.h:7:5) to summe: 4 edits in 3 files;",
		"\ncart.cpp:3:32-37:", "\ncart.cpp:11:19-24:", "\nprices.cpp:3:5-10:", "\nprices.h:7:5-10:",
	}},
}

var rustQuestions = []asked{
	{tool: "get_hover", args: at("src/cart.rs", 9, "total"), has: []string{"total (src/cart.rs:9:9)\n", "pub fn total(first: i32, second: i32) -> i32", "Adds up prices."}},
	{tool: "get_hover", args: args{"symbol_name": "unused"}, has: []string{"unused (src/prices.rs:28:8)\n", "pub fn unused()"}},
	{tool: "get_definition", args: at("src/cart.rs", 9, "total"), want: "total (src/cart.rs:9:9): 1 definition\nsrc/prices.rs:5:8: pub fn total(first: i32, second: i32) -> i32 {"},
	// Of the two that are named weigh, that of char.
	{tool: "get_definition", args: at("src/cart.rs", 21, "weigh"), want: "weigh (src/cart.rs:21:14): 1 definition\nsrc/prices.rs:23:8: fn weigh(&self) -> i32 {"},
	{tool: "get_references", args: all(at("src/prices.rs", 5, "total")), want: `total (src/prices.rs:5:8): 10 references in 4 files
src/bin/broken.rs:1:19: use shop::prices::total;
src/bin/broken.rs:4:24: let _count: &str = total(1, 2);
src/cart.rs:1:21: use crate::prices::{total, Größe, Weigh};
src/cart.rs:9:9: total(self.price, 1)
src/cart.rs:13:18: ("🛒🛒", total(self.price, 2), total(3, 4))
src/cart.rs:13:40: ("🛒🛒", total(self.price, 2), total(3, 4))
src/generated.rs:2:20: use crate::prices::total;
src/generated.rs:5:6: (total(1, 2), total(3, 4))
src/generated.rs:5:19: (total(1, 2), total(3, 4))
src/prices.rs:5:8: pub fn total(first: i32, second: i32) -> i32 {`},
	{tool: "get_references", args: all(at("src/cart.rs", 16, "Größe")), want: `Größe (src/cart.rs:16:27): 3 references in 2 files
src/cart.rs:1:28: use crate::prices::{total, Größe, Weigh};
src/cart.rs:16:27: pub fn size(&self) -> Größe {
src/prices.rs:2:10: pub type Größe = u8;`},
	{tool: "get_references", args: at("src/alias.rs", 28, "unused"), want: "unused (src/prices.rs:28:8): no references"},
	{tool: "get_document_symbols", args: args{"file_path": "src/cart.rs"}, has: []string{"\nstruct Cart  3-5", "\n  field price i32  4", "\n  method sum fn(&self) -> i32  8-10", "\n  method size fn(&self) -> Größe  16-18"}},
	{tool: "workspace_symbol_search", args: args{"query": "Größe"}, has: []string{"1 symbol for \"Größe\"\n", "Größe  src/prices.rs:2:10: pub type Größe = u8;"}},
	// By default rust-analyzer finds types only.
	{tool: "workspace_symbol_search", args: args{"query": "weight"}, has: []string{"1 symbol for \"weight\"\n", "src/cart.rs:20:12: pub fn weight(&self) -> i32 {"}},
	{tool: "get_diagnostics", args: args{"file_path": "src/cart.rs", "wait_seconds": 30}, want: "src/cart.rs: no errors or warnings"},
	{tool: "get_diagnostics", args: args{"file_path": "src/bin/broken.rs", "wait_seconds": 30}, has: []string{"src/bin/broken.rs:4:24: error: ", "E0308"}},
	{tool: "rename_symbol", args: renamed(at("src/prices.rs", 2, "Größe"), "Mass"), has: []string{
		"rename Größe (src/prices.rs:2:10) to Mass: 3 edits in 2 files;",
		"\nsrc/cart.rs:1:28-33:", "\nsrc/cart.rs:16:27-32:", "\nsrc/prices.rs:2:10-15:",
	}},
}

// noShellCheck is what is said where the program that finds errors is missing:
// nothing is known of them.
const noShellCheck = "cannot tell errors: ShellCheck: disabling linting as no executable was found"

var shellQuestions = []asked{
	{tool: "get_hover", args: at("cart.sh", 5, "total"), has: []string{"total (cart.sh:5:16)\nFunction: **total** - *defined in prices.sh*", "Adds up prices."}},
	// It has no comment, and is where the question is about.
	{tool: "get_hover", args: args{"symbol_name": "unused"}, want: "unused (prices.sh:15:1): nothing is known of it"},
	{tool: "get_definition", args: args{"file_path": "cart.sh", "line": 5, "text": "total", "occurrence": 2}, want: "total (cart.sh:5:29): 1 definition\nprices.sh:3:1: total() {"},
	{tool: "get_references", args: all(at("prices.sh", 3, "total")), want: `total (prices.sh:3:1): 6 references in 5 files
broken.sh:3:4: if total 1; then
cart.sh:5:16: echo "🛒🛒 $(total 1 2) $(total "$(größe)")"
cart.sh:5:29: echo "🛒🛒 $(total 1 2) $(total "$(größe)")"
crlf.sh:2:1: total 5
generated.sh:4:1: total 1
prices.sh:3:1: total() {`},
	{tool: "get_references", args: all(at("cart.sh", 5, "größe")), want: `größe (cart.sh:5:38): 2 references in 2 files
cart.sh:5:38: echo "🛒🛒 $(total 1 2) $(total "$(größe)")"
prices.sh:11:1: größe() {`},
	{tool: "get_references", args: all(at("alias.sh", 15, "unused")), want: "unused (prices.sh:15:1): 1 reference\nprices.sh:15:1: unused() {"},
	{tool: "get_document_symbols", args: args{"file_path": "prices.sh"}, has: []string{"\nfunction total  3-9", "\nfunction größe  11-13", "\nfunction unused  15-17"}},
	{tool: "workspace_symbol_search", args: args{"query": "label"}, want: "1 symbol for \"label\"\nfunction label  cart.sh:4:1: label() {"},
	{tool: "get_diagnostics", args: args{"file_path": "cart.sh"}, has: []string{noShellCheck}},
	{tool: "get_diagnostics", args: args{"file_path": "broken.sh"}, has: []string{noShellCheck}},
	{tool: "rename_symbol", args: renamed(at("prices.sh", 11, "größe"), "masse"), has: []string{
		"rename größe (prices.sh:11:1) to masse: 2 edits in 2 files;", "\ncart.sh:5:38-43:", "\nprices.sh:11:1-6:",
	}},
}
