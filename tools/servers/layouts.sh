#!/usr/bin/env bash
# Installs typescript-language-server in every way in which it can be installed on
# one machine, below the directory that is given: the tests find the tsserver of
# each. It needs node 20 and npm.
set -euo pipefail
mkdir -p "$1"
dir=$(cd "$1" && pwd)
server=typescript-language-server@5.3.0 typescript=typescript@5.9.3
npm=(npm --no-audit --no-fund --silent)
tools=$dir/.tools

rm -rf "$dir"/npm "$dir"/npm7 "$dir"/npm-shims "$dir"/pnpm* "$dir"/workspace* "$dir"/shims "$dir"/volta "$tools"

"${npm[@]}" install -g --ignore-scripts --prefix "$dir/npm" $server $typescript
"${npm[@]}" install -g --ignore-scripts --prefix "$dir/npm7" $server typescript@7.0.2

# The shims that npm makes on Windows, which run nothing here.
mkdir -p "$dir/npm-shims"
cp -r "$dir/npm/lib/node_modules" "$dir/npm-shims/node_modules"
"${npm[@]}" install --ignore-scripts --prefix "$tools/shim" cmd-shim@6
(cd "$tools/shim" && node -e "require('cmd-shim')('$dir/npm-shims/node_modules/typescript-language-server/lib/cli.mjs', '$dir/npm-shims/typescript-language-server')")

# pnpm lays out a global install in three ways, by its version. Version 11 needs a
# newer node, and 12 puts its own program in place when it is installed.
pnpm() { # version, directory of the shims, arguments
	local version=$1 home=$2
	shift 2
	mkdir -p "$home/bin"
	"${npm[@]}" install -g --ignore-scripts=false --prefix "$tools/pnpm$version" "pnpm@$version"
	PNPM_HOME=$home PATH=$home:$home/bin:$PATH "$tools/pnpm$version/bin/pnpm" add -g --store-dir "$tools/store" "$@" >/dev/null
}
"${npm[@]}" install --ignore-scripts=false --prefix "$tools/node22" node@22
pnpm 10.34.9 "$dir/pnpm10" $server $typescript
PATH=$tools/node22/node_modules/.bin:$PATH pnpm 11.28.11 "$dir/pnpm11" $server $typescript
pnpm 12.21.0 "$dir/pnpm12" $server $typescript
pnpm 12.21.0 "$dir/pnpm12-joined" "$server,$typescript"

for local in workspace workspace-pnpm; do
	mkdir -p "$dir/$local"
	echo '{}' >"$dir/$local/package.json"
done
(cd "$dir/workspace" && "${npm[@]}" install --ignore-scripts $server $typescript)
(cd "$dir/workspace-pnpm" && "$tools/pnpm10.34.9/bin/pnpm" add --store-dir "$tools/store" $server $typescript >/dev/null)

# What version managers put into PATH: a script that asks them, and a link to them.
mkdir -p "$dir/shims" "$dir/volta/.volta/bin"
printf '#!/bin/sh\nexec asdf exec typescript-language-server "$@"\n' >"$dir/shims/typescript-language-server"
printf '#!/bin/sh\nexit 1\n' >"$dir/volta/.volta/bin/volta-shim"
chmod +x "$dir/shims/typescript-language-server" "$dir/volta/.volta/bin/volta-shim"
ln -s volta-shim "$dir/volta/.volta/bin/typescript-language-server"
touch "$dir/installed"
