# make build, check, install, uninstall. PREFIX is where it goes, DESTDIR a root for packagers.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man
bashdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# In a home directory systemd looks for a user's units below share.
unitdir = $(DESTDIR)$(PREFIX)/$(if $(filter $(HOME)/%,$(PREFIX)),share,lib)/systemd/user
exampledir = $(DESTDIR)$(PREFIX)/share/doc/magnum/examples

release = .build/release
pages = $(notdir $(wildcard man/*.[1-8]))
units = $(notdir $(wildcard examples/systemd/*.service examples/systemd/*.timer))
samples := config.toml crontab muttrc

.PHONY: build check install uninstall

# Programs that need no Swift on the machine they run on, and what comes with them.
build:
	$(SWIFT) build -c release --static-swift-stdlib --product magnum-sync
	mkdir -p $(release)/install
	strip -o $(release)/install/magnum-sync $(release)/magnum-sync
	for shell in bash zsh fish; do \
	  $(release)/magnum-sync --generate-completion-script $$shell > $(release)/install/completion.$$shell || exit 1; \
	done

check:
	Tests/run

# Installs what `make build` made, and builds nothing, so that it can run as root.
install:
	@test -e $(release)/install/magnum-sync || { echo "run make build first" >&2; exit 1; }
	install -d $(bindir) $(bashdir) $(zshdir) $(fishdir)
	install -m 755 $(release)/install/magnum-sync $(bindir)/magnum-sync
	install -m 644 $(release)/install/completion.bash $(bashdir)/magnum-sync
	install -m 644 $(release)/install/completion.zsh $(zshdir)/_magnum-sync
	install -m 644 $(release)/install/completion.fish $(fishdir)/magnum-sync.fish
	for page in $(pages); do \
	  install -D -m 644 man/$$page $(mandir)/man$${page##*.}/$$page || exit 1; \
	done
	for unit in $(units); do \
	  install -d $(unitdir) && \
	  sed 's,/usr/local/bin/,$(PREFIX)/bin/,' examples/systemd/$$unit > $(unitdir)/$$unit && \
	  chmod 644 $(unitdir)/$$unit || exit 1; \
	done
	for sample in $(samples); do \
	  install -D -m 644 examples/$$sample $(exampledir)/$$sample || exit 1; \
	done

# Removes what `make install` put there, never a configuration, mail or state.
uninstall:
	rm -f $(bindir)/magnum-sync
	rm -f $(bashdir)/magnum-sync $(zshdir)/_magnum-sync $(fishdir)/magnum-sync.fish
	for page in $(pages); do rm -f $(mandir)/man$${page##*.}/$$page; done
	for unit in $(units); do rm -f $(unitdir)/$$unit; done
	for sample in $(samples); do rm -f $(exampledir)/$$sample; done
	rmdir -p $(exampledir) 2>/dev/null || true
