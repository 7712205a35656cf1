# What one can do here; `make` alone lists it.

PREFIX ?= /usr/local
# The Swift runtime goes into the program: it starts 2 ms sooner (7 for 9) and runs where no toolchain is. lld comes
# with Swift; the older gold, its default, warns of what that runtime calls.
SWIFT_BUILD ?= swift build -c release --static-swift-stdlib -Xswiftc -use-ld=lld

program := .build/release/metube-rss
sources := Package.swift Sources Tests Fuzz

.PHONY: help
help: ## List what one can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install the libraries the build needs, where they are missing
	@scripts/setup.sh

.PHONY: build
build: setup ## Build the program: .build/release/metube-rss
	$(SWIFT_BUILD)

.PHONY: demo
demo: build ## Show the program on made-up feeds in .demo/, without the network
	@scripts/demo.sh

.PHONY: run
run: build ## Poll YouTube and list what is new, with your own subscriptions
	@scripts/run.sh

.PHONY: test
test: setup ## Run the tests
	swift test

.PHONY: test-large
test-large: setup ## Run the tests of filters, modes, pages and rules on 50,000 videos
	METUBE_RSS_LARGE=1 swift test --filter 'randomQueries|VideoQueryTests|ChannelChoiceTests|indexedQueries|EveryFilterTests|ArrivalTests|ScaleTests'

.PHONY: judges
judges: build ## Let other programs judge what is exported, and that it comes back in; installs them from Debian and PyPI where they are missing
	@status=0; scripts/judges.sh || status=1; scripts/judge-imports.sh || status=1; exit $$status

.PHONY: format
format: ## Format the sources in place
	swift format --in-place --parallel --recursive $(sources)

.PHONY: lint
lint: ## Tell what `make format` would change, and what the format's rules forbid
	swift format lint --strict --parallel --recursive $(sources)

.PHONY: install
install: | $(program) ## Install the program under PREFIX (/usr/local), inside DESTDIR if given
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s -m 755 $(program) "$(DESTDIR)$(PREFIX)/bin/metube-rss"
	@scripts/install-extras.sh $(program) "$(DESTDIR)" "$(PREFIX)"

.PHONY: uninstall
uninstall: ## Remove what `make install` installed
	rm -f "$(DESTDIR)$(PREFIX)/bin/metube-rss"
	@scripts/install-extras.sh --remove "$(DESTDIR)" "$(PREFIX)"

.PHONY: deb
deb: build ## Build a Debian package in .build/dist
	@scripts/deb.sh

.PHONY: dist
dist: build ## Pack the sources, and the program with all that is installed, in .build/dist
	@scripts/dist.sh

.PHONY: bench
bench: build ## Measure parsing, polling, and the commands of daily use on 100,000 videos
	@scripts/bench.sh
	@Benchmarks/commands.sh 100000

.PHONY: bench-daily
bench-daily: build ## Measure the commands of daily use on 100,000 videos, or on VIDEOS
	@Benchmarks/commands.sh $(or $(VIDEOS),100000)

.PHONY: bench-log
bench-log: build ## Measure the log from a thousand to a million videos, beside wc, simdjson and sqlite3; takes 6 GB of disk
	@Benchmarks/log.sh

.PHONY: kill-sweep
kill-sweep: build ## Kill 500 polls at random moments; nothing may be lost or found twice
	@scripts/kill-sweep.sh

.PHONY: crash-sweep
crash-sweep: build ## Make each call that changes the disk go wrong in each way once; PART=10 takes every tenth
	@scripts/crash-sweep.py --part $(or $(PART),1)

.PHONY: at-once
at-once: build ## Let twenty programs mark and poll at once for SECONDS (60); no mark may be lost or made twice
	@scripts/at-once.py $(or $(SECONDS),60)

.PHONY: power-cut
power-cut: build ## Cut the power 100 times on ext4 and xfs; needs root, loop devices, e2fsprogs and xfsprogs
	@scripts/power-cut.py

.PHONY: fuzz
fuzz: setup ## Look for inputs that break the reading of the log or of feeds; FUZZ_SECONDS=60 each
	@FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) scripts/fuzz.sh

.PHONY: clean
clean: ## Remove what was built and what the demo left
	rm -rf .build .demo .bench

$(program):
	$(MAKE) build
