package policy

// nodeOptions are those of node. Its engine has many more; all of them take
// their value after =, and so are read right without a row unless they take none.
var nodeOptions = options{
	inline: "-e -p --eval --print",
	tasks:  "--run",
	load:   "-r --require --import --loader --experimental-loader",
	flag: "-c -i -h -v --check --interactive --help --version --abort-on-uncaught-exception --allow-addons " +
		"--allow-child-process --allow-wasi --allow-worker --enable-source-maps --expose-gc --force-fips " +
		"--enable-fips --entry-url --insecure-http-parser --jitless --no-addons --no-deprecation --no-warnings " +
		"--no-experimental-* --no-global-search-paths --node-memory-debug --pending-deprecation --permission " +
		"--preserve-symlinks --preserve-symlinks-main --prof --cpu-prof --heap-prof --throw-deprecation " +
		"--trace-* --track-heap-objects --use-bundled-ca --use-openssl-ca --use-system-ca --verify-base-objects " +
		"--zero-fill-buffers --experimental-strip-types --experimental-transform-types " +
		"--experimental-vm-modules --experimental-wasm-modules --experimental-require-module " +
		"--experimental-import-meta-resolve --experimental-network-inspection --experimental-sqlite " +
		"--experimental-websocket --experimental-eventsource --experimental-worker",
	optional: "--inspect --inspect-brk --inspect-wait --report-on-fatalerror --report-on-signal",
	value: "-C --conditions --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --diagnostic-dir " +
		"--disable-warning --dns-result-order --env-file --env-file-if-exists --heap-prof-dir --heap-prof-interval " +
		"--heap-prof-name --heapsnapshot-signal --icu-data-dir --input-type --experimental-default-type " +
		"--inspect-port --debug-port --max-http-header-size --openssl-config --redirect-warnings --report-dir " +
		"--report-directory --report-filename --secure-heap --secure-heap-min --stack-trace-limit --title " +
		"--tls-cipher-list --tls-keylog --unhandled-rejections --v8-pool-size --allow-fs-read --allow-fs-write " +
		"--localstorage-file",
}

// interpreters are the interpreters. Source: security policy, "The same is
// refused for these interpreters given an inline program". For each: its inline
// options, the closed lists of options without and with a value, and the options
// that give the script or the program themselves.
var interpreters = []language{
	{
		names:       "node nodejs",
		options:     nodeOptions,
		repls:       "inspect debug", // a debugger, which reads standard input
		underscores: true,
		urls:        true,
	},
	{
		names: "bun",
		options: options{
			inline: "-e -p --eval --print",
			load:   "-r --preload --require --import --loader --experimental-loader",
			dir:    "--cwd",
			tasks:  "-F --filter",
			flag: "-b -h -i -v --bun --help --version --revision --watch --hot --smol --silent --no-install " +
				"--no-clear-screen --prefer-offline --prefer-latest --no-deprecation --throw-deprecation " +
				"--expose-gc --zero-fill-buffers --no-addons --if-present --no-macros --no-env-file --use-system-ca",
			optional: "--inspect --inspect-brk --inspect-wait --config",
			value: "-c -d -l --conditions --define --drop --env-file --extension-order --external --install " +
				"--jsx-factory --jsx-fragment --jsx-import-source --jsx-runtime --main-fields --port " +
				"--tsconfig-override --title --max-http-header-size --dns-result-order --shell --unhandled-rejections",
		},
		repls: "repl",
		urls:  true,
	},
	{
		// Not on the list of interpreters, but refused without a subcommand.
		names: "deno",
		options: options{
			flag: "-q -A -h -V --quiet --allow-all --no-config --no-lock --no-npm --no-remote --cached-only " +
				"--help --version --no-prompt --unstable*",
			optional: "--allow-* --deny-* --inspect --inspect-brk --inspect-wait --node-modules-dir --check",
			value:    "-c -L --config --log-level --import-map --lock --cert --seed --ext --env-file",
			load:     "--preload --import --require",
		},
		commands: "lsp",
		urls:     true,
	},
	{
		names: "python py pypy",
		options: options{
			inline: "-c",
			module: "-m",
			flag:   "-b -B -d -E -h -i -I -J -O -P -q -R -s -S -u -v -x -? --help --version",
			value:  "-Q -W -X --check-hash-based-pycs",
			digits: "-V", // -V:3.12 of the launcher py
		},
		versions: true,
	},
	{
		names: "perl",
		options: options{
			inline:   "-e -E -F", // the pattern of -F is code
			imports:  "-M -m",
			debugger: "-d",
			digits:   "-0 -l",
			rest:     "-C -D -i -V",
			dirRest:  "-x",
			value:    "-I",
			flag:     "-a -c -f -g -h -n -p -s -S -t -T -u -U -v -w -W -X",
		},
	},
	{
		names: "ruby",
		options: options{
			inline:  "-e",
			dir:     "-C -X",
			dirRest: "-x",
			load:    "-r",
			digits:  "-0 -T -W",
			rest:    "-F -i -K",
			value: "-E -I --encoding --external-encoding --internal-encoding --dump --disable --enable " +
				"--backtrace-limit --parser --crash-report",
			flag: "-a -c -d -h -l -n -p -s -S -U -v -w -y --copyright --debug --debug-frozen-string-literal " +
				"--disable-* --enable-* --help --jit --rjit --verbose --version --yjit --yydebug",
			optional: "--yjit-* --rjit-* --jit-*",
		},
	},
	{
		names: "php",
		options: options{
			inline: "-B -E -F -r -R --run --process-*",
			stdin:  "-a --interactive",
			script: "-f --file",
			load:   "-z --zend-extension",
			value:  "-c -d -S -t --define --docroot --php-ini --server",
			flag: "-C -e -h -H -i -l -m -n -q -s -v -w --help --hide-args --info --ini --modules --no-header " +
				"--no-php-ini --profile-info --strip --syntax-highlight --syntax-check --version",
		},
		dashes: noneFollows,
	},
	{
		names: "lua",
		options: options{
			inline: "-e",
			load:   "-l",
			flag:   "-E -i -v -W",
		},
	},
	{
		names: "rscript",
		options: options{
			inline: "-e",
			flag: "--help --no-echo --no-environ --no-init-file --no-restore --no-save --no-site-file --restore " +
				"--save --slave --vanilla --verbose --version",
			value: "--default-packages --encoding",
		},
	},
	{
		names: "julia",
		options: options{
			inline: "-e -E --eval --print",
			load:   "-L --load --bug-report",
			module: "-m --module",
			flag:   "-h -i -q -v --banner --help --help-hidden --lisp --quiet --version",
			rest:   "-g -O",
			optional: "--project --banner=* --code-coverage --track-allocation --inline --check-bounds --color " +
				"--compiled-modules --depwarn --history-file --optimize --pkgimages --startup-file --warn-overwrite " +
				"--warn-scope --math-mode --min-optlevel --handle-signals --experimental --polly --strip-ir",
			value: "-C -H -J -p -t --cpu-target --gcthreads --heap-size-hint --home --machine-file --procs " +
				"--sysimage --threads",
		},
	},
	{
		names: "osascript",
		options: options{
			inline: "-e",
			stdin:  "-i",
			flag:   "-h",
			value:  "-l -s",
		},
	},
}

// stdinModules are the modules of python -m that read a program from standard
// input or take it from an argument. Beyond the policy.
const stdinModules = "code asyncio pdb timeit profile cProfile trace runpy idlelib IPython ptpython bpython xonsh"
