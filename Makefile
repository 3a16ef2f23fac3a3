# Everything is built and installed inside the checkout: bin/ has mcpls,
# .servers/ the language servers of the tests, .tools/ the linters.

GO ?= go
FUZZTIME ?= 10s
SERVERS := $(CURDIR)/.servers/bin
TOOLS := $(CURDIR)/.tools
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: build demo servers test bench lint cross fuzz generate clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/mcpls ./cmd/mcpls

demo: build servers
	$(GO) run ./test/demo

# The language servers that the tests use, at the versions of tools/go.mod.
servers: $(SERVERS)/gopls

$(SERVERS)/gopls: tools/go.mod tools/go.sum
	cd tools && GOBIN=$(SERVERS) $(GO) install golang.org/x/tools/gopls

# Installs what it can and runs everything. Name servers in MCPLS_REQUIRE,
# separated by commas, to fail without them.
test:
	-$(MAKE) servers
	$(GO) test -race -shuffle=on ./...
	@for s in gopls; do test -x $(SERVERS)/$$s || echo "not installed: $$s; its tests did not run"; done

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
generate:
	$(GO) test ./internal/mcpserver -run '^TestToolsDoc$$' -update
	$(GO) test ./internal/cli -run '^TestCommandsDoc$$' -update
	$(GO) test ./internal/config -run '^(TestConfigurationDoc|TestSchemaFile)$$' -update

clean:
	rm -rf bin .servers .tools
