# `make` alone lists all targets.

PREFIX ?= /usr/local
# Linking the Swift runtime statically makes the program start 2 ms sooner (7 instead of 9) and run without a toolchain.
# The same for the C++ library of the runtime, and without a table of exported symbols that nothing looks up: 0.8 ms.
# lld comes with Swift; its default, the older gold, warns about functions that the runtime calls. Libraries are not
# looked for beside the program first.
SWIFT_BUILD ?= swift build -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
  -Xswiftc -L$(CURDIR)/$(static) -Xlinker --no-export-dynamic

# Has libstdc++.a alone, so that the linker does not find the shared library first.
static := .build/static

program := .build/release/metube-rss
hub := .build/release/metube-hub
sources := Package.swift Sources Tests Fuzz

.PHONY: help
help: ## List all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install missing libraries that the build needs
	@scripts/setup.sh

.PHONY: build
build: setup $(static)/libstdc++.a ## Build the program: .build/release/metube-rss
	$(SWIFT_BUILD) --product metube-rss

.PHONY: hub
hub: setup $(static)/libstdc++.a ## Build the server: .build/release/metube-hub
	$(SWIFT_BUILD) --product metube-hub

.PHONY: serve
serve: tools hub ## Serve the demo's feeds from .demo-hub/ on 127.0.0.1:5057, offline, until Ctrl-C
	@scripts/serve.sh

# What the demo and the benchmarks use besides.
.PHONY: tools
tools: build
	$(SWIFT_BUILD) --product fixture-server
	$(SWIFT_BUILD) --product bench-parse
	$(SWIFT_BUILD) --product bench-log

.PHONY: demo
demo: tools ## Run the program on sample feeds in .demo/, offline
	@scripts/demo.sh

.PHONY: run
run: build ## Poll YouTube and list new videos, with your own subscriptions
	@scripts/run.sh

.PHONY: test
test: setup ## Run all tests
	@scripts/test.sh

.PHONY: test-large
test-large: setup ## Run the tests of filters, modes, pages and rules on 50,000 videos
	METUBE_RSS_LARGE=1 swift test --filter 'randomQueries|VideoQueryTests|ChannelChoiceTests|EveryFilterTests|ArrivalTests|PagingTests|ScaleTests'

.PHONY: test-scripts
test-scripts: ## Test the scripts that check the structure of the package and run CI
	@python3 -m unittest discover -s Tests/Scripts

.PHONY: test-sql
test-sql: ## Test the hub's tables on a PostgreSQL server of their own; installs it from Debian if missing
	@scripts/with-postgres.sh python3 -m unittest discover -s Tests/Postgres

.PHONY: upgrade-test
upgrade-test: tools hub ## Open homes, data folders and databases of earlier versions (Fixtures/upgrades); nothing may be lost
	@POSTGRES_OPTIONS="-c fsync=off -c full_page_writes=off" scripts/with-postgres.sh \
	  python3 -m unittest discover -s Tests/Upgrade

.PHONY: test-postgres
test-postgres: setup ## Run the read model's and the hub's tests on a PostgreSQL server of their own; installs it from Debian if missing
	@POSTGRES_OPTIONS="-c fsync=off -c full_page_writes=off" scripts/with-postgres.sh scripts/test-postgres.sh

.PHONY: page-test
page-test: tools hub ## Test the page in Chromium; installs missing tools (Debian, PyPI)
	@scripts/page-test.sh

.PHONY: docs-test
docs-test: tools hub ## Run the commands of README.md and docs/ as they stand, and check links; installs PostgreSQL from Debian if missing
	@scripts/docs-test.sh

.PHONY: site
site: ## Write the documents as a static site into .build/site, with a generator from PyPI
	@scripts/site.sh

.PHONY: site-test
site-test: ## Write the site and test its links, and its pages with axe in Chromium
	@scripts/site.sh --test

.PHONY: judges
judges: tools ## Validate exports with other programs and re-import them; installs missing validators (Debian, PyPI)
	@status=0; scripts/judges.sh || status=1; scripts/judge-imports.sh || status=1; exit $$status

.PHONY: feed-judges
feed-judges: tools ## Compare the parser of feeds with other projects' tests, in clones named by variables
	@scripts/judge-feeds.sh

.PHONY: hub-judges
hub-judges: tools hub ## Test the server with other programs; installs missing ones (Debian, PyPI)
	@scripts/hub-judges.sh

.PHONY: format
format: ## Format the sources in place
	swift format --in-place --parallel --recursive $(sources)

.PHONY: lint
lint: ## Report what `make format` would change, and violations of the style rules and of scripts/layers.txt
	swift format lint --strict --parallel --recursive $(sources)
	@scripts/layers.py

.PHONY: install
install: | $(program) ## Install the program under PREFIX (/usr/local), inside DESTDIR if given
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s -m 755 $(program) "$(DESTDIR)$(PREFIX)/bin/metube-rss"
	@scripts/install-extras.sh $(program) "$(DESTDIR)" "$(PREFIX)"

.PHONY: install-hub
install-hub: | $(hub) ## Install the server under PREFIX, inside DESTDIR if given
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s -m 755 $(hub) "$(DESTDIR)$(PREFIX)/bin/metube-hub"
	@scripts/install-hub.sh $(hub) "$(DESTDIR)" "$(PREFIX)"

.PHONY: uninstall
uninstall: ## Remove what `make install` and `make install-hub` installed
	rm -f "$(DESTDIR)$(PREFIX)/bin/metube-rss" "$(DESTDIR)$(PREFIX)/bin/metube-hub"
	@scripts/install-hub.sh --remove "$(DESTDIR)" "$(PREFIX)"
	@scripts/install-extras.sh --remove "$(DESTDIR)" "$(PREFIX)"

.PHONY: tag
tag: ## Print how to tag the release that VERSION names
	@echo "Put the date into the top heading of CHANGELOG.md and commit; then:"
	@echo "  git tag -a v$$(cat VERSION) -m 'metube-rss $$(cat VERSION)' && git push origin v$$(cat VERSION)"

.PHONY: deb
deb: build hub ## Build Debian packages of both programs in .build/dist
	@scripts/deb.sh

.PHONY: deb-test
deb-test: deb tools ## Install, upgrade, remove and purge the packages on Debian 12, 13 and Ubuntu 24.04; needs root
	@scripts/deb-test.sh

.PHONY: vm-test
vm-test: deb tools ## Install the packages under systemd in a container, serve, poll, upgrade and remove them; needs root
	@scripts/vm-test.sh

.PHONY: vm-reboot
vm-reboot: deb tools ## Reboot a virtual machine with the packages; hub and timers must come back; needs root and five minutes
	@scripts/vm-reboot.sh

.PHONY: image
image: build hub ## Build the container image in .build/dist, without Docker; installs buildah from Debian if missing
	@scripts/image.sh

.PHONY: image-test
image-test: image tools ## Run the image under runc, and the commands of the compose files; needs root
	@scripts/image-test.py

.PHONY: archive
archive: build hub ## Pack both programs with all libraries in .build/dist, to run in any folder without root
	@scripts/archive.sh

.PHONY: archive-test
archive-test: archive tools ## Run the archive on minimal Debian 12, 13 and Ubuntu 22.04, 24.04; needs root
	@scripts/archive-test.py

.PHONY: release
release: build hub ## Make packages, archive, image, sources, SBOM and SHA256SUMS in .build/publish; METUBE_RELEASE_KEY signs
	@scripts/release.sh

.PHONY: release-test
release-test: build hub ## Make a release twice and compare; verify signature and SBOM
	@scripts/release-test.sh

.PHONY: bench
bench: tools ## Measure parsing, polling, and daily commands on 100,000 videos
	@scripts/bench.sh
	@Benchmarks/commands.sh 100000

.PHONY: bench-daily
bench-daily: tools ## Measure daily commands on VIDEOS videos (100,000)
	@Benchmarks/commands.sh $(or $(VIDEOS),100000)

.PHONY: bench-compare
bench-compare: tools ## Measure daily commands and polls beside those of another build, BASE=PROGRAM, on VIDEOS videos (100,000)
	@Benchmarks/compare.py $(program) $(BASE) --videos $(or $(VIDEOS),100000)

.PHONY: bench-log
bench-log: tools ## Measure logs of 1,000 to 1,000,000 videos beside wc, simdjson and sqlite3; needs 6 GB of disk
	@Benchmarks/log.sh

.PHONY: bench-hub
bench-hub: tools hub ## Measure the server on VIDEOS videos (100,000) beside a constant response of the same size; needs wrk
	$(SWIFT_BUILD) --product bench-constant
	@Benchmarks/hub.sh $(or $(VIDEOS),100000)

.PHONY: bench-postgres
bench-postgres: ## Measure claims, appends and cursors in PostgreSQL at 1,000,000 channels; needs 8 GB of disk
	@Benchmarks/postgres.sh

.PHONY: bench-postgres-feeds
bench-postgres-feeds: tools hub ## Measure feed queries in PostgreSQL; CHANNELS, VIDEOS of each and USERS may be given
	@scripts/with-postgres.sh Benchmarks/postgres-feeds.py

.PHONY: kill-sweep
kill-sweep: tools ## Kill 500 polls at random moments; no video may be lost or found twice
	@scripts/kill-sweep.sh

.PHONY: hub-kill-sweep
hub-kill-sweep: tools hub ## Kill the hub KILLS (100) times under load; no acknowledged mark may be lost, no number reused
	@scripts/hub-kill-sweep.py $(or $(KILLS),100)

.PHONY: hub-kill-sweep-postgres
hub-kill-sweep-postgres: tools hub ## The same on a PostgreSQL server of its own, which crashes too
	@scripts/with-postgres.sh scripts/hub-kill-sweep.py $(or $(KILLS),100) --database

.PHONY: sync-kill-sweep
sync-kill-sweep: tools hub ## Kill devices and their hub KILLS (100) times while they sync; nothing may be lost or doubled
	@scripts/sync-kill-sweep.py $(or $(KILLS),100)

.PHONY: damage-sweep
damage-sweep: tools hub ## Flip a bit in each line of each file of devices and their hub, then sync; PART=10 takes every tenth
	@scripts/damage-sweep.py --part $(or $(PART),1)
	@scripts/damage-sweep.py --home --part $(or $(PART),1)

.PHONY: sync-year
sync-year: setup ## Test 3,000 steps of devices and a hub against a model; ten minutes at most
	METUBE_RSS_LARGE=1 swift test --filter SyncYearTests

.PHONY: sync-cuts
sync-cuts: setup ## Test an exchange whose connection is cut at every byte; ten minutes at most
	METUBE_RSS_LARGE=1 swift test --filter SyncTests/cuts

.PHONY: hub-mutations
hub-mutations: setup ## Send the hub 100,000 damaged requests; SEED repeats a run
	METUBE_RSS_LARGE=1 METUBE_RSS_SEED=$(SEED) swift test --filter HubMutationTests

.PHONY: hub-mutations-postgres
hub-mutations-postgres: setup ## The same on a PostgreSQL server of its own
	@POSTGRES_OPTIONS="-c fsync=off -c full_page_writes=off" METUBE_RSS_LARGE=1 METUBE_RSS_SEED=$(SEED) \
	  scripts/with-postgres.sh sh -c 'METUBE_RSS_TEST_POSTGRES="dbname=$$PGDATABASE" swift test --filter HubMutationTests'

.PHONY: bench-sync
bench-sync: tools hub ## Measure the exchange with a hub on VIDEOS videos (100,000), and a mark with and without one
	$(SWIFT_BUILD) --product bench-log
	@Benchmarks/sync.py $(or $(VIDEOS),100000)

.PHONY: bench-hub-users
bench-hub-users: tools hub ## Measure a hub with USERS (100) users who follow 200 channels each, 80% of them in common
	@Benchmarks/hub-users.py $(or $(USERS),100)

.PHONY: bench-hub-fairness
bench-hub-fairness: tools hub ## Measure what one user can take from others, on files and PostgreSQL; VIDEOS (100,000), SECONDS_EACH (20)
	@words="--videos $(or $(VIDEOS),100000) --seconds $(or $(SECONDS_EACH),20)"; status=0; \
	Benchmarks/hub-fairness.py $$words || status=1; \
	scripts/with-postgres.sh Benchmarks/hub-fairness.py $$words --database || status=1; \
	exit $$status

.PHONY: crash-sweep
crash-sweep: tools ## Inject every fault into every system call that changes the disk; PART=10 runs every tenth
	@scripts/crash-sweep.py --part $(or $(PART),1)

.PHONY: at-once
at-once: tools ## Mark and poll from twenty processes at once for SECONDS (60); no mark may be lost or duplicated
	@scripts/at-once.py $(or $(SECONDS),60)

.PHONY: power-cut
power-cut: tools ## Simulate 100 power cuts each on ext4 and xfs; needs root, loop devices, e2fsprogs and xfsprogs
	@scripts/power-cut.py

.PHONY: fuzz
fuzz: setup ## Fuzz the readers of logs, feeds, files and requests, FUZZ_SECONDS (60) each
	@FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) scripts/fuzz.sh

.PHONY: work-bounds
work-bounds: tools hub ## Compare the instructions and system calls of polls, lists, marks and pages with scripts/work-bounds.txt
	@scripts/work-bounds.py

.PHONY: clean
clean: ## Remove build products and demo files
	rm -rf .build .demo .demo-hub .bench .schemathesis

$(static)/libstdc++.a:
	@mkdir -p $(static)
	@ln -sf "$$(clang -print-file-name=libstdc++.a 2>/dev/null || echo missing)" $@  # If missing, the shared one is used.

$(program):
	$(MAKE) build

$(hub):
	$(MAKE) hub
