# purexp: `make` prints what there is.
# Go 1.26 and Python 3.10 are all that a fresh machine needs; everything else goes to .venv and .local.

SHELL  = /bin/sh
GO     ?= go
PYTHON ?= python3
# Replicates per experiment in the quick runs of the notebooks.
QUICK  ?= 3
# Notebooks to run; empty means all. make notebooks NB=notebooks/00-start-here.ipynb
NB     ?=

# Go where its installer puts it, if the shell does not know it.
export PATH := $(PATH):/usr/local/go/bin
export PYTHON

VENV    = $(or $(PUREXP_VENV),.venv)
JUPYTER = "$(VENV)/bin/python" -m jupyterlab
DRIVER  = "$(VENV)/bin/python" docker/notebooks.py
BOOK    = "$(VENV)/bin/python" docker/book.py

# Of the published rows, what make verify simulates again.
SHARE  ?= 1%

.DEFAULT_GOAL := help
.PHONY: help python setup lab notebooks notebooks-quick notebooks-save pages pages-check page test nightly browser fuzz race mutants verify reproduce lint elsewhere size bench container-check cluster-check vuln api release lock clean distclean

help: ## this list
	@echo "purexp - make targets:"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf '  %-16s %s\n' "$$name" "$$text"; done
	@echo
	@echo "Variables:"
	@echo "  NB=FILE...              the notebooks to run, instead of all: make notebooks NB=notebooks/00-start-here.ipynb"
	@echo "  FUZZTIME=10s            how long each target is fuzzed"
	@echo "  PUREXP_REPS=N           replicates per experiment, instead of each notebook's own number"
	@echo "  PUREXP_CELL_TIMEOUT=S   longest time of one cell, in seconds (3600)"
	@echo "  PKG=FOLDER              the package to change: make mutants PKG=./pkg/sweep"
	@echo "  BASE=COMMIT             what make api compares with, instead of the last release"
	@echo "  PYTHON=python3.12       the Python that .venv is made with"

setup: ## install Jupyter, the Go kernel and Sphinx for this checkout (.venv, .local); quick when nothing changed
	@sh docker/setup python book tools kernel warm program

lab: ## open the notebooks in JupyterLab
	@sh docker/setup python tools kernel warm && { sh docker/setup complete || :; }
	@$(JUPYTER) --ServerApp.default_url=/lab/tree/notebooks/00-start-here.ipynb

# Pages are made of what did run, also when a notebook failed; the failure counts all the same.
notebooks: setup ## run all notebooks in full: build/notebooks, and the book in build/html/index.html
	@$(DRIVER) run --out build $(NB); code=$$?; $(BOOK) build --notebooks build/notebooks --out build && exit $$code

notebooks-quick: setup ## the same with 3 replicates per experiment, in build/quick
	@export PUREXP_REPS="$${PUREXP_REPS:-$(QUICK)}"; $(DRIVER) run --out build/quick $(NB); code=$$?; \
	$(BOOK) build --notebooks build/quick/notebooks --out build/quick && exit $$code

notebooks-save: setup ## copy the notebooks of the last full run over those in notebooks/
	@$(DRIVER) save --out build $(NB)

pages: ## the book of the notebooks with the outputs that are kept, in build/pages/html: what is published
	@sh docker/setup python book
	@$(BOOK) build --strict

pages-check: pages ## open every page of it in headless Chromium, from its folder, in light, dark and narrow
	@"$(VENV)/bin/python" docker/check_pages.py
	@PYTHONDONTWRITEBYTECODE=1 "$(VENV)/bin/python" docker/check_live.py
	@PYTHONDONTWRITEBYTECODE=1 "$(VENV)/bin/python" docker/book_test.py
	@PYTHONDONTWRITEBYTECODE=1 "$(VENV)/bin/python" docker/gonb_go_test.py

page: ## a notebook as one HTML file, in build/single: make page NB=notebooks/rage/designs.ipynb
	@sh docker/setup python
	@[ -n "$(NB)" ] || { echo "page: say which: make page NB=notebooks/00-start-here.ipynb"; exit 1; }
	@$(BOOK) page $(NB)

# What a change has to pass: minutes. FEW are notebooks of each kind: a first one, a campaign, a paper.
FEW = notebooks/00-start-here.ipynb notebooks/01-your-own-campaign.ipynb notebooks/gege/noc.ipynb
test: ## what a change has to pass: all tests, with few runs, and three notebooks
	@$(GO) mod download
	$(GO) test -short -timeout 60m ./...
	@$(MAKE) --no-print-directory notebooks-quick NB="$(FEW)"

python: ## the Python package: a wheel for this machine, installed into an environment of its own, and its tests
	@rm -rf build/python && "$(PYTHON)" -m venv build/python
	@build/python/bin/python -m pip install --quiet --upgrade pip "setuptools>=77" wheel jsonschema
	@OUT=build/wheels PYTHON="$(CURDIR)/build/python/bin/python" GO="$(GO)" clients/python/wheels "$$($(GO) env GOOS)/$$($(GO) env GOARCH)"
	@build/python/bin/python -m pip install --quiet --no-index --force-reinstall build/wheels/purexp-*"$$($(GO) env GOOS | sed 's/darwin/macos/;s/windows/win/')"*.whl
	@cd build && unset PUREXP && PATH=/usr/bin:/bin python/bin/python -W ignore -m unittest discover -s ../clients/python/tests

# Mathematics: nightly mutates the packages that the last 20 commits changed.
MATHS = pkg/pareto pkg/polyhedron pkg/design pkg/lsq pkg/radius pkg/seed
nightly: ## everything else: many runs, races, all notebooks, browsers, other machines, rows, fuzz, mutants (two hours)
	$(GO) test -timeout 120m ./...
	$(GO) test -timeout 60m ./pkg/campaign -run Falsified -campaigns 200
	@$(MAKE) --no-print-directory race
	@$(MAKE) --no-print-directory python browser notebooks-quick pages-check
	@$(MAKE) --no-print-directory elsewhere api verify fuzz
	@for p in $$(git diff --name-only HEAD~20 -- $(MATHS) | grep '[.]go$$' | xargs -rn1 dirname | sort -u); do [ ! -d $$p ] || $(MAKE) --no-print-directory mutants PKG=./$$p; done

# A module of its own: users of the library do not get what drives Chromium.
browser: ## the pages of a campaign, used in Chromium by keyboard and mouse
	$(GO) -C pkg/campaign/web/browser test -count=1 -timeout 10m ./...

# What starts goroutines or guards against them, in the code or in its tests; sync.Once and sync.Map
# guard themselves. The race detector needs a C compiler.
PARALLEL = ^[[:space:]]*(defer )?go [a-zA-Z.]+\(|\.Go\(|sync\.(Mutex|RWMutex|WaitGroup|Cond)|atomic\.
race: ## the race detector over the packages that use goroutines
	@if [ "$$($(GO) env CGO_ENABLED)" != 1 ] || ! command -v "$$($(GO) env CC)" >/dev/null; then \
		echo "race: skipped, the race detector needs cgo and a C compiler ($$($(GO) env CC))"; exit 0; fi; \
	list=$$(grep -rlE --include='*.go' '$(PARALLEL)' cmd pkg | sed 's|^|./|; s|/[^/]*$$||' | sort -u | \
		while read -r d; do [ -f "$$d/go.mod" ] || echo "$$d"; done); \
	if [ -z "$$list" ]; then echo "race: no package uses goroutines"; exit 1; fi; \
	echo "$(GO) test -timeout 60m -race -short" $$list; \
	$(GO) test -timeout 60m -race -short $$list

mutants: ## change one operator of PKG after the other, and name the changes that its tests do not find
	$(GO) -C .github/tools build -o "$(CURDIR)/build/gremlins" github.com/go-gremlins/gremlins/cmd/gremlins && \
	build/gremlins unleash --workers 1 --timeout-coefficient 8 $(PKG)

fuzz: ## every fuzz target for FUZZTIME (10s), two at a time
	@.ci/fuzz

# A sample that differs each time: what one run of CI does not draw, another does.
verify: ## simulate a sample of the published rows again, and compare byte for byte: SHARE=1%
	$(GO) run ./cmd/purexp verify --quiet --share $(SHARE)

reproduce: ## simulate every experiment anew, and compare with results (70 minutes of one core, less on two; go on with the same command)
	$(GO) run ./cmd/purexp reproduce

elsewhere: ## go vet for machines of other kinds: 32 bits, Windows, macOS, browsers
	@set -e; for t in linux/386 windows/amd64 darwin/arm64; do echo "go vet for $$t"; \
		CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) vet ./...; done; \
	echo "go vet for js/wasm"; GOOS=js GOARCH=wasm $(GO) vet ./cmd/purexp-wasm ./pkg/live/...

lint: ## formatting, vet, staticcheck, import rules, versions, workflows, scripts, Dockerfiles, notebooks
	@files=$$(gofmt -l $(wildcard *.go) $(wildcard cmd data pkg)); \
	if [ -n "$$files" ]; then echo "lint: not formatted, run gofmt -w on:" $$files; exit 1; fi
	@$(PYTHON) .ci/lines.py && $(PYTHON) .ci/style.py
	@[ -x build/spell/bin/kubernetes-validate ] || { $(PYTHON) -m venv build/spell && \
		build/spell/bin/pip install -q --disable-pip-version-check codespell==2.4.1 kubernetes-validate==1.37.0; }
	@sed -n '/^```yaml$$/,/^```$$/{/^```/!p}' docs/sweeps.md >build/job.yaml && build/spell/bin/kubernetes-validate --strict --quiet -k 1.33 build/job.yaml
	@git ls-files '*.go' '*.md' '*.py' Makefile | grep -vE 'testdata|_test' | xargs build/spell/bin/codespell -q 3 \
		-L sergent,mis,licate,tolerence,nd --ignore-regex '\b[A-Za-z][a-z]*[A-Z]\w*\b'
	$(GO) vet ./...
	$(GO) tool -modfile=.github/tools/go.mod staticcheck ./...
	@$(GO) -C pkg/campaign/web/browser vet ./... || { echo "lint: if go.mod changed: go -C pkg/campaign/web/browser mod tidy"; exit 1; }
	@$(GO) test -run '^TestImports$$' ./pkg/explore
	@$(GO) test -run '^TestRelease$$' ./cmd/purexp
	$(GO) -C .github/tools tool actionlint -shellcheck= -pyflakes=
	@if grep -nE 'uses: +[^ ]+@([^0-9a-f]|[0-9a-f]{1,39}( |$$))' .github/workflows/*.yml; then echo "lint: name actions by their digest of 40 digits"; exit 1; fi
	@cmp Dockerfile binder/Dockerfile || { echo "lint: Dockerfile and binder/Dockerfile must be the same file"; exit 1; }
	@for script in docker/setup docker/slim docker/gonb-kernel docker/gonb-go; do sh -n "$$script" || exit 1; done
	@for script in docker/container-check.sh .ci/run .ci/fuzz .ci/api .ci/release; do bash -n "$$script" || exit 1; done
	@PYTHONPYCACHEPREFIX=build/pycache $(PYTHON) -m py_compile docker/*.py book/*.py
	@for n in $(LISTS); do [ "$$(grep -o '^[^ #;]*==[^ ;]*' $$n.in | sort)" = "$$(grep -o '^[^ #;]*==[^ ;]*' $$n.txt | sort)" ] || \
		{ echo "lint: $$n.txt has not the versions of $$n.in; run make lock"; exit 1; }; done
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) docker/notebooks.py check
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) docker/notebooks_test.py
	@echo "lint: clean"

size: ## lines of code, of tests and of text that tests compare with (goals: 79 000, 70 000, 10 000)
	@echo "code, without blank lines and comments: $$(git ls-files '*.go' | grep -v _test.go | xargs cat | grep -vcE '^[[:space:]]*(//|$$)')"
	@echo "tests: $$(git ls-files '*_test.go' | xargs cat | wc -l)"
	@echo "text under testdata: $$(git ls-files | grep '/testdata/' | grep -vE '\.(png|svg|zst|gz)$$' | xargs cat | wc -l)"

bench: ## the benchmarks
	$(GO) test -bench . -benchmem -run '^$$' ./...

container-check: setup ## build the container without Docker, run a notebook in it as mybinder.org does (root, 5 to 20 minutes)
	@docker/container-check.sh $(NB)

# Slurm as Debian has it: a controller and four nodes on this machine, for the time of the test.
cluster-check: ## a sweep on a real Slurm, with nodes, tasks and the controller killed (root on Debian, 15 minutes)
	@if [ "$$(id -u)" != 0 ]; then echo "cluster-check: skipped, only root can start a Slurm"; exit 0; fi; \
	if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then \
		if ! command -v apt-get >/dev/null; then echo "cluster-check: skipped, Slurm is not here and there is no apt-get to install it"; exit 0; fi; \
		apt-get update -q && apt-get install -y -q --no-install-recommends slurm-wlm munge || exit 1; fi; \
	PUREXP_CLUSTER=1 $(GO) test -count=1 -timeout 6h -run '^TestCluster$$' -v ./pkg/sweep

vuln: ## known vulnerabilities of what the command uses, where vuln.go.dev can be reached
	@if ! $(PYTHON) -c 'import socket; socket.create_connection(("vuln.go.dev", 443), 5)' 2>/dev/null; then \
		echo "vuln: skipped, vuln.go.dev cannot be reached from here"; exit 0; fi; \
	$(GO) -C .github/tools build -o "$(CURDIR)/build/govulncheck" golang.org/x/vuln/cmd/govulncheck && build/govulncheck ./...

api: ## exported names since the last release (BASE=COMMIT: since that): fails if stable ones break users unsaid
	@.ci/api $(BASE)

release: ## rehearse a release in build/release, programs, checksums and SBOM: make release VERSION=0.2.0 (TAG=1 tags it here)
	@.ci/release $(if $(TAG),--tag) $(VERSION)

# The lists are complete, so uv resolves nothing: it writes down the hashes of what PyPI has of these versions.
LISTS = docker/requirements docker/requirements-book
lock: ## hashes for the Python packages of docker/requirements*.in, after an edit of them
	@$(PYTHON) -m venv build/uv && build/uv/bin/pip install -q --disable-pip-version-check uv==0.13.9
	@for n in $(LISTS); do build/uv/bin/uv pip compile $$n.in --universal --python-version 3.10 --no-deps --generate-hashes \
		--no-annotate --custom-compile-command "make lock" -q -o $$n.txt || exit 1; done

clean: ## remove build
	rm -rf build

distclean: clean ## remove build, .venv and .local
	rm -rf .venv .local
