# Bare `make` lists the targets.
.DEFAULT_GOAL := help

GO       ?= go
FUZZTIME ?= 60s
GRAPHS   ?= ../shared/graphs

# No paths of the builder, no debugger's tables. The version comes from the
# tag or the commit, which go build records by itself.
RELEASE = -buildvcs=auto -trimpath -ldflags='-s -w'
#
# Tags of a release. They leave out the flag library's manual pages, whose Markdown reader
# compiles expressions at every start, and HTTP/2, which S3 does not use.
TAGS = $(shell cat .ci/tags)
GOVULNCHECK = v1.9.0

# The kernels are written in OpenCL 1.2; newer headers warn without this.
export CGO_CFLAGS ?= -O2 -DCL_TARGET_OPENCL_VERSION=120

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

build: ## the command, as ./bcstage (no cgo needed)
	CGO_ENABLED=0 $(GO) build -o bcstage ./cli/bcstage

build-static: ## the command without devices, as ./bcstage: it needs no C library
	CGO_ENABLED=0 $(GO) build -tags nodevices -o bcstage ./cli/bcstage

build-opencl: ## the command linked with OpenCL, as ./bcstage-opencl: devices on other systems (needs cgo and an OpenCL pkg-config file)
	$(GO) build -tags opencl -o bcstage-opencl ./cli/bcstage

licences: ## build/THIRD-PARTY.txt, the licences of everything that the command links
	mkdir -p build
	.ci/licences > build/THIRD-PARTY.txt

test: ## every test
	$(GO) test ./...
	for example in consumer gonum; do (cd examples/$$example && $(GO) test ./...) || exit 1; done
	cd arrowio/arrow18 && $(GO) test ./...

test-opencl: ## every test, on devices too (needs one, PoCL will do)
	BCSTAGE_REQUIRE_OPENCL=1 $(GO) test -tags device ./...

# The tests are found by the name of their share, which must stand in the test itself.
exhaustive: ## every case of the tests that usually run a tenth of them
	@tests=$$(git grep -l -E 'testgraphs\.OneIn' -- '*_test.go' | xargs awk '/^func / { name = $$2; sub(/\(.*/, "", name) } /testgraphs\.OneIn/ { print name }' | sort -u); \
	others=$$(printf '%s\n' "$$tests" | grep -v '^Test' || true); \
	test -z "$$others" || { echo "testgraphs.OneIn outside of a test: $$others"; exit 1; }; \
	set -x; $(GO) test -timeout 60m -tags exhaustive -run "^($$(printf '%s\n' "$$tests" | paste -sd'|'))\$$" ./arrowio/... ./cpu/... ./internal/... ./preprocess/... ./pipeline/...

oclgrind: ## the kernels on a simulator that checks every access (needs oclgrind)
	for package in gpu internal/gpu/searches; do \
		$(GO) test -tags opencl -c -o kernels.test ./$$package && rm -f oclgrind.log && \
		(cd $$package && BCSTAGE_REQUIRE_OPENCL=1 oclgrind --log $(CURDIR)/oclgrind.log --data-races --build-options -cl-opt-disable $(CURDIR)/kernels.test -test.run Tiny) || exit 1; \
		test ! -s oclgrind.log || { cat oclgrind.log; exit 1; }; \
	done

# Counts over many seeds, and of bytes, do not test races, and take minutes under the detector.
STATISTICS = ^Test(Bytes|BuilderBytesOfLengths|ManyEqualTerms|PathCountsDecideThePrecision|EveryPathIsDrawnEvenly|GuessIsEven|Coverage|CoverageOfEveryQuestion|EstimatesHold|EstimatesHaveNoBias|IntervalsHold|NoBias|Factors|SpikeNotMetYet|StoppedAtTheLuckiestMoment)$$

# A package without goroutines, its tests included, has no races: the detector makes it some ten
# times slower and finds nothing. The packages that start goroutines test its concurrent use.
RACING = $$(git grep -lE '^\s*go (func\(|[A-Za-z_.]+\()|[{;] go (func\(|[A-Za-z_.]+\()|\.Go\(' -- '*.go' $$(sed 's/^/:!/' .ci/modules) | xargs -n1 dirname | sort -u | sed 's,^,./,')

# By default a process under the detector waits a second at its end, and scripts start hundreds.
race: ## every test with the costly invariants, under the race detector if its package starts goroutines
	@set -e; racing=$$($(GO) list $(RACING) | sort); \
	others=$$($(GO) list ./... | grep -vxF "$$racing"); \
	set -x; $(GO) test -short -timeout 60m -tags invariants -skip '$(STATISTICS)' $$others; \
	GORACE=atexit_sleep_ms=20 $(GO) test -race -short -timeout 60m -tags invariants -skip '$(STATISTICS)' $$racing

# By default, minimising one finding may take a minute, which is all the time.
fuzz: ## every fuzz target for FUZZTIME (60s) each
	@for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "== $$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$package || exit 1; \
		done; \
	done

bench: ## benchmarks, also against igraph, NetworKit and NetworkX when pip has them; see docs/benchmarks
	python3 docs/benchmarks/measure all $(GRAPHS)

ratios: ## times of peers over ours, by question and graph; needs igraph, networkit, rustworkx; raw output in build/ratios
	CGO_ENABLED=0 $(GO) build $(RELEASE) -tags $(TAGS) -o bcstage ./cli/bcstage
	python3 docs/benchmarks/measure peers --bcstage ./bcstage --graphs $(GRAPHS) --output build/ratios

claims: ## the figures that README, docs and issues promise, as far as this machine can check them; LONG=--long for all
	python3 docs/benchmarks/measure claims --graphs $(GRAPHS) $(LONG) $(if $(BEFORE),--before $(BEFORE))

# Vet compiles all packages for every other system, which takes minutes without a cache. So one
# system stands for all: Windows on arm64, without cgo, without our assembly, without Unix.
lint: ## formatting, vet with every tag, tidy modules, figures and sentences of pages
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags invariants ./...
	CGO_ENABLED=0 GOOS=windows GOARCH=arm64 $(GO) vet ./...
	@for test in $$(grep -ohE '`(Test|Fuzz)[A-Za-z0-9]+`' docs/*.md | tr -d '`' | sort -u); do \
		grep -rqE "^func $$test\(" --include=*_test.go . || { echo "docs: there is no $$test"; exit 1; }; \
	done
	for module in . $$(cat .ci/modules); do (cd $$module && $(GO) mod tidy -diff) || exit 1; done
	.ci/prose
	python3 docs/benchmarks/measure claims ledger

dist: ## archives for every platform, wheels, bills of materials and checksums, in ./dist
	.ci/dist

# TESTS are the packages to test under the new path.
TESTS ?= ./...
module: ## change this module's path to the published one: MODULE=host/owner/bcstage
	.ci/module '$(MODULE)'
	$(GO) build ./... && $(GO) vet ./... && $(GO) test -short $(TESTS)
	for module in $$(cat .ci/modules); do (cd $$module && $(GO) vet ./... && $(GO) test ./...) || exit 1; done

wheels: ## Python wheels for every platform, in ./dist
	python3 python/wheels.py

wheel: ## the Python wheel of this machine, in ./dist: pip install dist/bcstage-*.whl
	rm -f dist/bcstage-*.whl
	python3 python/wheels.py --only native

test-wheel: ## the wheel of this machine, installed in a new environment
	python/test

vulnerabilities: ## known vulnerabilities in called code (needs the network)
	$(GO) run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK) ./...

generate: ## all generated files
	$(GO) generate ./...
	python3 docs/benchmarks/measure ledger

clean: ## remove the output of the other targets
	rm -rf bcstage bcstage-opencl build dist kernels.test oclgrind.log

.PHONY: help build build-static build-opencl licences test test-opencl exhaustive oclgrind race fuzz bench ratios claims lint dist module wheel wheels test-wheel vulnerabilities generate clean
