# Development tasks. `make help` lists them.

GO      ?= go
TOOL    := $(GO) tool -modfile=tools.mod
BENCH   ?= .
COUNT   ?= 6
FUZZTIME ?= 20s
PKG     ?= ./...
SHORT   ?= -short

.DEFAULT_GOAL := help
.PHONY: mutate help build check check-long fmt fmt-check vet staticcheck lint platforms test race tidy generate nested consumer release release-check cross clib library wheel clib-asan mcp vuln browser bench soak resilience bench-all fuzz golden score score-suggest score-national clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' Makefile

build: ## build ./bin/postgeo
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/postgeo ./cmd/postgeo

# Modules that are checked like the main one.
NESTED := cmd/postgeo-mcp bench

# lint includes go vet and staticcheck, which also have targets.
CHECKS := fmt-check lint platforms tidy generate nested clib

check: ## formatting, linters, layers, other platforms, go.mod, go generate, nested modules, the C library
	@set -e; for target in $(CHECKS); do \
		echo "== $$target"; start=$$(date +%s); \
		$(MAKE) --no-print-directory $$target; \
		echo "== $$target passed in $$(($$(date +%s) - start)) s"; \
	done

check-long: race fuzz ## short tests with -race, every fuzz target for FUZZTIME; before a release and after changes of shared state

fmt: ## rewrite the sources with gofumpt
	$(TOOL) gofumpt -w .

fmt-check: ## list files that gofumpt would change; fails if there are any
	@out="$$($(TOOL) gofumpt -l .)"; if [ -n "$$out" ]; then echo "gofumpt would change:"; echo "$$out"; echo "run 'make fmt'"; exit 1; fi

vet: ## go vet
	$(GO) vet ./...

staticcheck: ## staticcheck with all its checks but naming ones
	$(TOOL) staticcheck ./...

lint: ## golangci-lint: go vet, staticcheck and more, the import rules included
	$(TOOL) golangci-lint run --allow-parallel-runners ./...

platforms: ## check the types of all packages and tests for the other platforms of a release
	@scripts/check-platforms.sh

test: ## tests, as the README runs them
	$(GO) test ./...

race: ## tests under the race detector, in their short forms (needs a C compiler); SHORT= runs them all, for an hour
	CGO_ENABLED=1 $(GO) test -race $(SHORT) -timeout 60m $(PKG)
	set -e; for dir in $(NESTED); do CGO_ENABLED=1 $(GO) -C $$dir test -race $(SHORT) -timeout 25m ./...; done

tidy: ## go.mod and go.sum are tidy
	$(GO) mod tidy -diff

generate: ## go generate leaves every file as it is
	@scripts/check-generate.sh

nested: ## linters, tests and go.mod of the nested modules
	@set -e; linter="$$($(GO) tool -n -modfile=tools.mod golangci-lint)"; for dir in $(NESTED); do \
		echo "-- $$dir"; \
		(cd $$dir && "$$linter" run --allow-parallel-runners ./... && $(GO) test $(SHORT) ./... && $(GO) mod tidy -diff); \
	done

consumer: ## a temporary module that uses the library, and go install, through a file module proxy of this checkout
	@scripts/check-consumer.sh

# goreleaser and minisign are compiled when they are first used, for minutes.
export GORELEASER ?= $(GO) run github.com/goreleaser/goreleaser/v2@v2.15.0
export MINISIGN ?= $(GO) run aead.dev/minisign/cmd/minisign@v0.3.0

release: ## archives, bills of materials and signed checksums of the tagged commit, into dist; KEY is a secret key of minisign
	$(GORELEASER) release --clean --skip=publish,announce
	$(if $(KEY),$(MINISIGN) -S -s $(KEY) -t "postgeo $$(git describe --tags)" -m dist/SHA256SUMS)

release-check: ## .goreleaser.yaml, and a release of all platforms twice: the same bytes, programs, package and signature (10 minutes)
	$(GORELEASER) check
	@scripts/check-release.sh

cross: ## vet for macOS and Windows; the library's tests as 32-bit programs, and under QEMU and Wine where they are installed (half an hour)
	@scripts/check-cross.sh

clib: ## libpostgeo: go vet, tests of the library, its header, its C example and the wheel, go.mod (needs gcc; skips without python3)
	cd cmd/libpostgeo && CGO_ENABLED=1 $(GO) vet ./... && CGO_ENABLED=1 $(GO) test ./... && $(GO) mod tidy -diff

library: ## the C library, shared and static, with its header, into bin/lib
	@mkdir -p bin/lib
	CGO_ENABLED=1 $(GO) -C cmd/libpostgeo build -trimpath -buildmode=c-shared -o ../../bin/lib/libpostgeo.so .
	CGO_ENABLED=1 $(GO) -C cmd/libpostgeo build -trimpath -buildmode=c-archive -o ../../bin/lib/libpostgeo.a .
	cp cmd/libpostgeo/postgeo.h bin/lib

wheel: library ## the Python package for this platform, into bin/lib
	python3 bindings/python/build_wheel.py --library bin/lib/libpostgeo.so --output bin/lib

clib-asan: ## the C example under AddressSanitizer, which compiles all packages again
	@mkdir -p bin/asan
	CGO_ENABLED=1 $(GO) -C cmd/libpostgeo build -trimpath -asan -buildmode=c-archive -o ../../bin/asan/libpostgeo.a .
	gcc -g -fsanitize=address -Icmd/libpostgeo -o bin/asan/lookup cmd/libpostgeo/example/lookup.c bin/asan/libpostgeo.a -lpthread -lresolv -lm
	bin/asan/lookup

mcp: ## every MCP tool with the official TypeScript SDK and the Inspector; skips without npm
	@scripts/check-mcp.sh

vuln: ## known vulnerabilities of linked modules (queries vuln.go.dev)
	$(TOOL) govulncheck ./...

browser: ## the pages in headless Chromium: what they show, no request elsewhere; skips without Chromium
	POSTGEO_BROWSER=$${POSTGEO_BROWSER:-chromium} $(GO) test ./server -run '^TestBrowser' -count 1 -v

bench: ## benchmarks; BENCH=regexp COUNT=n PKG=./lookup narrow them
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) $(PKG)

# Known survivors without effect: in envelope, the bounds of len() above 0 before a
# loop or an index (meta.go, request.go) and the precision -1 of FormatFloat; in
# billing, host characters that url.Parse rejects before (allow.go).
mutate: ## mutation tests of PKG, such as ./billing; large packages take hours
	POSTGEO_TEST_ARRIVALS=2000 GOFLAGS=-short $(TOOL) gremlins unleash --workers 2 --timeout-coefficient 10 $(PKG)

soak: ## the long forms of the tests of crashes, cuts, limits, slow callers and attacks (about 30 minutes)
	POSTGEO_TEST_KILLS=300 $(GO) test -count 1 -v -timeout 60m -run 'TestKill|TestPostgresKill' ./billing
	POSTGEO_TEST_ARRIVALS=1000000 $(GO) test -count 1 -v -timeout 60m -run 'Oracle' ./billing
	POSTGEO_TEST_CUTS=1000 POSTGEO_TEST_SLOW=5000 $(GO) test -count 1 -v -timeout 60m -run 'TestCutBatches|TestSlowClients' ./server
	POSTGEO_TEST_ATTACK=long $(GO) test -count 1 -v -timeout 60m ./server/attack

resilience: ## damaged, forged and swapped datasets, killed builds, and full disks in their long forms (about an hour)
	POSTGEO_TEST_MUTATIONS=20000 $(GO) test -count 1 -v -timeout 180m -run TestMutations ./internal/store
	POSTGEO_TEST_SWAPS=1000 $(GO) test -count 1 -v -timeout 30m -run 'DoNotMix' . ./server
	POSTGEO_TEST_KILLS=200 $(GO) test -count 1 -v -timeout 60m -run 'TestKilledBuild|TestFullDisk' ./dataset/builder ./billing

bench-all: ## all tables of bench/results and the documentation with the dataset DATA, on a quiet machine
	sh bench/run-all.sh $(DATA)

fuzz: ## every fuzz target for FUZZTIME each; PKG=./lookup narrows them
	@scripts/fuzz.sh '$(FUZZTIME)' $(PKG)

score: ## addresses against the reference cases and labelled sets, every miss listed, into bench/results; skips without the shared data
	POSTGEO_SCORES=write $(GO) test ./address ./dataset/builder -count=1 -v -run 'TestMatchCases|TestParseSets|TestForms|TestPollingPlaces|TestVermont'

score-suggest: ## suggestions against the relevance set, and texts typed letter by letter, into bench/results; POSTGEO_NATIONAL names a national dataset
	POSTGEO_SCORES=write $(GO) test ./lookup/suggest -count=1 -v -run 'TestRelevance|TestKeystrokes'

score-national: ## areas, counties and points of a national file against the publishers' files, into bench/results; skips without the shared data
	POSTGEO_LONG=1 POSTGEO_SCORES=write $(GO) test ./dataset/builder -count=1 -run 'TestNationalLayers|TestAccuracyOfPoints|TestNationalCountyOfRecord'

golden: ## rewrite the golden files
	@scripts/golden.sh

clean: ## remove the files of the targets above
	rm -rf bin dist coverage.txt
