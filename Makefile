# purexp: `make` lists the targets.
# A fresh machine needs only Go 1.26 and Python 3.10; all other tools are installed in .venv and .local.

SHELL  = /bin/sh
GO     ?= go
PYTHON ?= python3
# Replicates per experiment in the quick runs of the notebooks.
QUICK  ?= 3
# Notebooks to run; empty means all. make notebooks NB=notebooks/00-start-here.ipynb
NB     ?=

# The default folder of Go's installer, in case PATH lacks it.
export PATH := $(PATH):/usr/local/go/bin
export PYTHON

VENV    = $(or $(PUREXP_VENV),.venv)
JUPYTER = "$(VENV)/bin/python" -m jupyterlab
DRIVER  = "$(VENV)/bin/python" docker/notebooks.py
BOOK    = "$(VENV)/bin/python" docker/book.py

# The proportion of the published rows that make verify repeats.
SHARE  ?= 1%

.DEFAULT_GOAL := help
.PHONY: help python setup lab notebooks notebooks-quick notebooks-save pages pages-check page test nightly browser fuzz race mutants verify reproduce lint elsewhere size bench container-check cluster-check vuln api release lock clean distclean

help: ## print this list
	@echo "purexp - make targets:"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf '  %-16s %s\n' "$$name" "$$text"; done
	@echo
	@echo "Variables:"
	@echo "  NB=FILE...              the notebooks to run, instead of all: make notebooks NB=notebooks/00-start-here.ipynb"
	@echo "  FUZZTIME=10s            time for each fuzz target"
	@echo "  PUREXP_REPS=N           replicates per experiment, instead of each notebook's own number"
	@echo "  PUREXP_CELL_TIMEOUT=S   time limit of a cell in seconds (3600)"
	@echo "  PKG=FOLDER              the package to change: make mutants PKG=./pkg/sweep"
	@echo "  BASE=COMMIT             the commit for make api, instead of the last release"
	@echo "  PYTHON=python3.12       the Python for .venv"

setup: ## install Jupyter, the Go kernel and Sphinx for this checkout (.venv, .local); fast if nothing has changed
	@sh docker/setup python book tools kernel warm program

lab: ## open the notebooks in JupyterLab
	@sh docker/setup python tools kernel warm && { sh docker/setup complete || :; }
	@$(JUPYTER) --ServerApp.default_url=/lab/tree/notebooks/00-start-here.ipynb

# If a notebook fails, the book contains the other notebooks, and make still fails.
notebooks: setup ## run all notebooks completely, and build the book: build/notebooks, build/html/index.html
	@$(DRIVER) run --out build $(NB); code=$$?; $(BOOK) build --notebooks build/notebooks --out build && exit $$code

notebooks-quick: setup ## run all notebooks with 3 replicates per experiment, in build/quick
	@export PUREXP_REPS="$${PUREXP_REPS:-$(QUICK)}"; $(DRIVER) run --out build/quick $(NB); code=$$?; \
	$(BOOK) build --notebooks build/quick/notebooks --out build/quick && exit $$code

notebooks-save: setup ## replace the notebooks in notebooks/ by those of the last full run
	@$(DRIVER) save --out build $(NB)

pages: ## build the published book, from the stored outputs of the notebooks, in build/pages/html
	@sh docker/setup python book
	@$(BOOK) build --strict

pages-check: pages ## check every page of the book in headless Chromium, in light and dark colours and at two widths
	@"$(VENV)/bin/python" docker/check_pages.py
	@PYTHONDONTWRITEBYTECODE=1 "$(VENV)/bin/python" docker/check_live.py
	@PYTHONDONTWRITEBYTECODE=1 "$(VENV)/bin/python" docker/book_test.py
	@PYTHONDONTWRITEBYTECODE=1 "$(VENV)/bin/python" docker/gonb_go_test.py

page: ## convert a notebook to one HTML file in build/single: make page NB=notebooks/rage/designs.ipynb
	@sh docker/setup python
	@[ -n "$(NB)" ] || { echo "page: NB is empty; name a notebook: make page NB=notebooks/00-start-here.ipynb"; exit 1; }
	@$(BOOK) page $(NB)

# The checks of a change take a few minutes. FEW contains one notebook of each kind: introduction, campaign, paper.
FEW = notebooks/00-start-here.ipynb notebooks/01-your-own-campaign.ipynb notebooks/gege/noc.ipynb
test: ## run all tests that a change must pass, with few simulated runs, and three notebooks
	@$(GO) mod download
	$(GO) test -short -timeout 60m ./...
	@$(MAKE) --no-print-directory notebooks-quick NB="$(FEW)"

python: ## build the Python wheel for this machine, install it in a new environment, and test it
	@rm -rf build/python && "$(PYTHON)" -m venv build/python
	@build/python/bin/python -m pip install --quiet --upgrade pip "setuptools>=77" wheel jsonschema
	@OUT=build/wheels PYTHON="$(CURDIR)/build/python/bin/python" GO="$(GO)" clients/python/wheels "$$($(GO) env GOOS)/$$($(GO) env GOARCH)"
	@build/python/bin/python -m pip install --quiet --no-index --force-reinstall build/wheels/purexp-*"$$($(GO) env GOOS | sed 's/darwin/macos/;s/windows/win/')"*.whl
	@cd build && unset PUREXP && PATH=/usr/bin:/bin python/bin/python -W ignore -m unittest discover -s ../clients/python/tests

# The mathematical packages. make nightly runs mutation tests on the packages that the last 20 commits changed.
MATHS = pkg/pareto pkg/polyhedron pkg/design pkg/lsq pkg/radius pkg/seed
nightly: ## run all other checks: many runs, races, all notebooks, browsers, other platforms, rows, fuzz, mutants (two hours)
	$(GO) test -timeout 120m ./...
	$(GO) test -timeout 60m ./pkg/campaign -run Falsified -campaigns 200
	@$(MAKE) --no-print-directory race
	@$(MAKE) --no-print-directory python browser notebooks-quick pages-check
	@$(MAKE) --no-print-directory elsewhere api verify fuzz
	@for p in $$(git diff --name-only HEAD~20 -- $(MATHS) | grep '[.]go$$' | xargs -rn1 dirname | sort -u); do [ ! -d $$p ] || $(MAKE) --no-print-directory mutants PKG=./$$p; done

# The tests are a separate module, so that users of the library do not download the browser driver.
browser: ## test the pages of a campaign in Chromium, by keyboard and mouse
	$(GO) -C pkg/campaign/web/browser test -count=1 -timeout 10m ./...

# PARALLEL matches code and tests that start or synchronise goroutines. sync.Once and sync.Map are omitted, because they
# are safe for concurrent use. The race detector requires a C compiler.
PARALLEL = ^[[:space:]]*(defer )?go [a-zA-Z.]+\(|\.Go\(|sync\.(Mutex|RWMutex|WaitGroup|Cond)|atomic\.
race: ## run the race detector on the packages that use goroutines
	@if [ "$$($(GO) env CGO_ENABLED)" != 1 ] || ! command -v "$$($(GO) env CC)" >/dev/null; then \
		echo "race: skipped, because the race detector requires cgo and a C compiler ($$($(GO) env CC))"; exit 0; fi; \
	list=$$(grep -rlE --include='*.go' '$(PARALLEL)' cmd pkg | sed 's|^|./|; s|/[^/]*$$||' | sort -u | \
		while read -r d; do [ -f "$$d/go.mod" ] || echo "$$d"; done); \
	if [ -z "$$list" ]; then echo "race: no package uses goroutines; check the pattern PARALLEL in the Makefile"; exit 1; fi; \
	echo "$(GO) test -timeout 60m -race -short" $$list; \
	$(GO) test -timeout 60m -race -short $$list

mutants: ## change the operators of PKG one by one, and list the changes that its tests miss
	$(GO) -C .github/tools build -o "$(CURDIR)/build/gremlins" github.com/go-gremlins/gremlins/cmd/gremlins && \
	build/gremlins unleash --workers 1 --timeout-coefficient 8 $(PKG)

fuzz: ## run every fuzz target for FUZZTIME (10s), two at the same time
	@.ci/fuzz

# Each run draws a different sample, so repeated runs of CI cover more rows.
verify: ## repeat a random sample of the published rows, and compare byte by byte: SHARE=1%
	$(GO) run ./cmd/purexp verify --quiet --share $(SHARE)

reproduce: ## repeat every experiment, and compare with results/ (70 minutes on one core; run again to resume)
	$(GO) run ./cmd/purexp reproduce

elsewhere: ## run go vet for other platforms: 32 bits, Windows, macOS, browsers
	@set -e; for t in linux/386 windows/amd64 darwin/arm64; do echo "go vet for $$t"; \
		CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) vet ./...; done; \
	echo "go vet for js/wasm"; GOOS=js GOARCH=wasm $(GO) vet ./cmd/purexp-wasm ./pkg/live/...

lint: ## check formatting, vet, staticcheck, import rules, versions, workflows, scripts, Dockerfiles, notebooks and text
	@files=$$(gofmt -l $(wildcard *.go) $(wildcard cmd data pkg)); \
	if [ -n "$$files" ]; then echo "lint: these files are not formatted; run gofmt -w on:" $$files; exit 1; fi
	@$(PYTHON) .ci/lines.py && $(PYTHON) .ci/style.py
	@[ -x build/spell/bin/kubernetes-validate ] || { $(PYTHON) -m venv build/spell && \
		build/spell/bin/pip install -q --disable-pip-version-check codespell==2.4.1 kubernetes-validate==1.37.0; }
	@sed -n '/^```yaml$$/,/^```$$/{/^```/!p}' docs/sweeps.md >build/job.yaml && build/spell/bin/kubernetes-validate --strict --quiet -k 1.33 build/job.yaml
	@git ls-files '*.go' '*.md' '*.py' Makefile | grep -vE 'testdata|_test' | xargs build/spell/bin/codespell -q 3 \
		-L sergent,mis,licate,tolerence,nd --ignore-regex '\b[A-Za-z][a-z]*[A-Z]\w*\b'
	$(GO) vet ./...
	$(GO) tool -modfile=.github/tools/go.mod staticcheck ./...
	@$(GO) -C pkg/campaign/web/browser vet ./... || { echo "lint: go vet failed; if go.mod has changed, run: go -C pkg/campaign/web/browser mod tidy"; exit 1; }
	@$(GO) test -run '^TestImports$$' ./pkg/explore
	@$(GO) test -run '^TestRelease$$' ./cmd/purexp
	$(GO) -C .github/tools tool actionlint -shellcheck= -pyflakes=
	@if grep -nE 'uses: +[^ ]+@([^0-9a-f]|[0-9a-f]{1,39}( |$$))' .github/workflows/*.yml; then echo "lint: these actions are not pinned; use a commit hash of 40 hexadecimal digits"; exit 1; fi
	@cmp Dockerfile binder/Dockerfile || { echo "lint: Dockerfile and binder/Dockerfile differ; copy one to the other"; exit 1; }
	@for script in docker/setup docker/slim docker/gonb-kernel docker/gonb-go; do sh -n "$$script" || exit 1; done
	@for script in docker/container-check.sh .ci/run .ci/fuzz .ci/api .ci/release; do bash -n "$$script" || exit 1; done
	@PYTHONPYCACHEPREFIX=build/pycache $(PYTHON) -m py_compile docker/*.py book/*.py
	@for n in $(LISTS); do [ "$$(grep -o '^[^ #;]*==[^ ;]*' $$n.in | sort)" = "$$(grep -o '^[^ #;]*==[^ ;]*' $$n.txt | sort)" ] || \
		{ echo "lint: the versions in $$n.txt and $$n.in differ; run make lock"; exit 1; }; done
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) docker/notebooks.py check
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) docker/notebooks_test.py
	@echo "lint: clean"

size: ## count lines of code, tests and test data (limits: 79,000, 70,000, 10,000)
	@echo "code, without blank lines and comments: $$(git ls-files '*.go' | grep -v _test.go | xargs cat | grep -vcE '^[[:space:]]*(//|$$)')"
	@echo "tests: $$(git ls-files '*_test.go' | xargs cat | wc -l)"
	@echo "text under testdata: $$(git ls-files | grep '/testdata/' | grep -vE '\.(png|svg|zst|gz)$$' | xargs cat | wc -l)"

bench: ## run the benchmarks
	$(GO) test -bench . -benchmem -run '^$$' ./...

container-check: setup ## build the container without Docker, and run a notebook in it as mybinder.org does (root, 5 to 20 minutes)
	@docker/container-check.sh $(NB)

# The test runs Debian's Slurm on this machine, with a controller and four nodes, and stops it at the end.
cluster-check: ## run a sweep on a real Slurm, and kill nodes, tasks and the controller (root on Debian, 15 minutes)
	@if [ "$$(id -u)" != 0 ]; then echo "cluster-check: skipped, because only root can start Slurm"; exit 0; fi; \
	if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then \
		if ! command -v apt-get >/dev/null; then echo "cluster-check: skipped, because Slurm is missing and cannot be installed without apt-get"; exit 0; fi; \
		apt-get update -q && apt-get install -y -q --no-install-recommends slurm-wlm munge || exit 1; fi; \
	PUREXP_CLUSTER=1 $(GO) test -count=1 -timeout 6h -run '^TestCluster$$' -v ./pkg/sweep

vuln: ## check the dependencies for known vulnerabilities, if vuln.go.dev can be reached
	@if ! $(PYTHON) -c 'import socket; socket.create_connection(("vuln.go.dev", 443), 5)' 2>/dev/null; then \
		echo "vuln: skipped, because vuln.go.dev cannot be reached"; exit 0; fi; \
	$(GO) -C .github/tools build -o "$(CURDIR)/build/govulncheck" golang.org/x/vuln/cmd/govulncheck && build/govulncheck ./...

api: ## list changes of exported names since the last release or BASE=COMMIT; fail if CHANGELOG omits a breaking change
	@.ci/api $(BASE)

release: ## rehearse a release in build/release, with programs, checksums and SBOM: make release VERSION=0.2.0 (TAG=1 tags it here)
	@.ci/release $(if $(TAG),--tag) $(VERSION)

# The lists contain all dependencies, so uv resolves nothing. It only adds the hashes of PyPI's files for these versions.
LISTS = docker/requirements docker/requirements-book
lock: ## update the hashes of the Python packages after a change of docker/requirements*.in
	@$(PYTHON) -m venv build/uv && build/uv/bin/pip install -q --disable-pip-version-check uv==0.13.9
	@for n in $(LISTS); do build/uv/bin/uv pip compile $$n.in --universal --python-version 3.10 --no-deps --generate-hashes \
		--no-annotate --custom-compile-command "make lock" -q -o $$n.txt || exit 1; done

clean: ## remove build
	rm -rf build

distclean: clean ## remove build, .venv and .local
	rm -rf .venv .local
