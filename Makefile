# Qwinkle's targets. `make` alone lists them.

PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
FILTER ?=
# Configuration of the tests and the code under test: debug or release.
CONFIGURATION ?= debug

bindir = $(DESTDIR)$(PREFIX)/bin
sharedir = $(DESTDIR)$(PREFIX)/share
mandir = $(sharedir)/man
bash_completion = $(sharedir)/bash-completion/completions/qwinkle
zsh_completion = $(sharedir)/zsh/site-functions/_qwinkle
fish_completion = $(sharedir)/fish/vendor_completions.d/qwinkle.fish
program = .build/release/qwinkle
# The manual shows the user's keys, but the installed pages must show the default ones.
manual = XDG_CONFIG_HOME=/nonexistent $(program) manual
# Links the C++ library statically and exports no symbols, as looking them up would slow down each start. The compiler
# passes conformances to generic types directly. By default, the program searches 11,500 conformances for each of them,
# which takes a third of the instructions before the first frame. Names of C files, which BoringSSL reports in errors,
# are relative, so that builds in two folders are equal.
static_cxx = .build/static
release = mkdir -p $(static_cxx) && ln -sf "$$(clang -print-file-name=libstdc++.a)" $(static_cxx)/ && \
  swift build -c release --static-swift-stdlib --disable-local-rpath -Xlinker -L$(CURDIR)/$(static_cxx) \
  -Xlinker --no-export-dynamic \
  -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=. \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
swift_sources = Package.swift Sources Tests Resources
# Limits of a whole run. A wait in a test fails after 30 seconds and a test after 5 minutes, so only a slow build or a
# test that ignores cancellation can exceed them.
test_minutes = 60
soak_minutes = 900

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deb dist deps deps-test build run test tapes pictures docs lint format bench soak install uninstall release \
  clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

deb: build ## make a Debian package, with its checksum, in .build/packages
	@.ci/deps deb
	@Packaging/deb

dist: build ## make a tarball for other systems, with its checksum, in .build/packages
	@Packaging/dist

deps: ## check Swift and install missing packages to build and run Qwinkle
	@.ci/deps

deps-test: ## also install packages for the tests
	@.ci/deps test

build: deps ## build the program: .build/release/qwinkle
	@[ -e .build/release ] || echo '==> The first release build takes about ten minutes; later ones are short.'
	@echo '==> Building the program'
	@$(release) --product qwinkle
	@echo '==> Built $(program)'

run: build ## build and start Qwinkle; ARGS="..." passes arguments
	@exec $(program) $(ARGS)

test: deps-test ## run the tests; FILTER=Name runs matching Swift tests, SEED=N repeats a run's samples
	@Tests/run --configuration $(CONFIGURATION) --minutes $(if $(QWINKLE_SOAK),$(soak_minutes),$(test_minutes)) \
	  $(if $(FILTER),--filter '$(FILTER)')

tapes: build ## play all tapes in Tests/Tapes; ARGS="--update" records their screens again
	@$(program) replay $(ARGS) Tests/Tapes/*.tape

pictures: build ## redraw the pictures and the recording in the README
	@for tape in Resources/pictures/*.tape; do \
	  case $$tape in */tour.tape) set -- --cast "$${tape%.tape}.cast" --animation "$${tape%.tape}.svg";; \
	  */light.tape) set -- --light --svg "$${tape%.tape}.svg";; *) set -- --svg "$${tape%.tape}.svg";; esac; \
	  $(program) replay "$$@" "$$tape" || exit 1; done

docs: build ## write the pages in docs that are made from the program: commands and keys
	@$(manual) qwinkle.1 --markdown > docs/commands.md
	@$(manual) qwinkle-keys.5 --markdown > docs/keys.md

lint: ## check format, comments, prose, links, imports, and that tests can fail and end
	@.ci/deps swift
	@swift format lint --strict --parallel --recursive $(swift_sources)
	@.ci/check-columns
	@.ci/check-imports
	@.ci/check-tests
	@.ci/check-prose
	@.ci/check-links

format: ## reformat the sources
	@.ci/deps swift
	@swift format --in-place --parallel --recursive $(swift_sources)

bench: deps ## build and run the benchmarks; ARGS="..." passes arguments, ARGS=budget compares costs with their limits
	@[ -e .build/release ] || echo '==> The first release build takes about ten minutes; later ones are short.'
	@echo '==> Building the benchmarks'
	@$(release) --product qwinkle
	@if [ '$(firstword $(ARGS))' = budget ]; then .ci/deps bench && \
	  exec Tests/Budget/run $(wordlist 2,99,$(ARGS)) $(program) || exit; fi; \
	  $(release) --product qwinkle-bench && exec .build/release/qwinkle-bench $(ARGS)

soak: ## run the long tests in full, compare costs with their limits, and check the web pages in Chromium
	@.ci/deps soak
	@QWINKLE_SOAK=1 $(MAKE) --no-print-directory test
	@[ -n '$(FILTER)' ] || $(MAKE) --no-print-directory bench ARGS=budget
	@[ -n '$(FILTER)' ] || { echo '==> Looking at the pages in a browser' && \
	  Tests/Interop/browse $(if $(filter release,$(CONFIGURATION)),.build-release-tests/release,.build/debug)/qwinkle; }

# Identifiers of the build and of Swift modules are hashes of debug information, which names the build's folder. Swift's
# llvm-objcopy removes them: the strip of binutils then also removes the protection of relocations (GNU_RELRO).
install: ## install the stripped program, its manual and completions under PREFIX (/usr/local) and DESTDIR
	@[ -x $(program) ] || { echo 'Nothing to install. Run make build first.' >&2; exit 1; }
	@copy=$$(mktemp) && trap 'rm -f "$$copy"' EXIT && \
	  { "$$(dirname "$$(readlink -f "$$(command -v swift)")")/llvm-objcopy" --strip-all -R .note.gnu.build-id \
	    -R .swift_modhash $(program) "$$copy" 2>/dev/null || strip -o "$$copy" $(program) 2>/dev/null || \
	    cp $(program) "$$copy"; } && \
	  install -d "$(bindir)" && install -m 755 "$$copy" "$(bindir)/qwinkle"
	@for page in $$($(manual)); do \
	  file="$(mandir)/man$${page##*.}/$$page"; install -d "$${file%/*}" && $(manual) "$$page" > "$$file" && \
	  chmod 644 "$$file" || exit 1; done
	@for shell in bash zsh fish; do \
	  case $$shell in bash) file=$(bash_completion);; zsh) file=$(zsh_completion);; fish) file=$(fish_completion);; esac; \
	  install -d "$${file%/*}" && $(program) --generate-completion-script $$shell > "$$file" && chmod 644 "$$file" \
	  || exit 1; done
	@echo '==> Installed $(bindir)/qwinkle, its manual and completions'

uninstall: ## remove the installed files
	@rm -f "$(bindir)/qwinkle" "$(bash_completion)" "$(zsh_completion)" "$(fish_completion)" \
	  "$(mandir)/man1/qwinkle.1" "$(mandir)/man8/qwinkle-serve.8" "$(mandir)"/man5/qwinkle-*.5
	@case "$(DESTDIR)$(PREFIX)" in /usr | /usr/local) ;; *) \
	  for file in "$(bash_completion)" "$(zsh_completion)" "$(fish_completion)" "$(mandir)"/man1/x "$(mandir)"/man5/x \
	    "$(mandir)"/man8/x "$(bindir)/x"; do rmdir -p "$${file%/*}" 2>/dev/null; done; true;; esac
	@echo '==> Removed qwinkle'

release: deb dist ## make both packages; check them, the manual, scripts, links and recipes
	@.ci/deps release
	@Packaging/check

clean: ## remove the build; downloaded packages stay
	@swift package clean
