# make build, check, install, uninstall, dist, deb. PREFIX is where it goes, DESTDIR a root for packagers.

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
schemadir = $(DESTDIR)$(PREFIX)/share/magnum/schemas
exampledir = $(DESTDIR)$(PREFIX)/share/doc/magnum/examples

release = .build/release
# One file, under several names.
names = magnum-sync magnum-send magnum-search
programs = magnum $(names)
pages = $(notdir $(wildcard man/*.[1-8]))
# Commands that have no page of their own, and the page that tells of them.
commandpages = reply:compose reply-all:compose forward:compose resume:compose tags:tag mute:tag unmute:tag remind:snooze \
  $(foreach command,read unread flag unflag archive delete junk notjunk move copy insert undo log,$(command):triage)
units = $(notdir $(wildcard examples/systemd/*.service examples/systemd/*.timer))
schemas = $(notdir $(wildcard man/schemas/*.json))
samples := config.toml crontab magnum.el muttrc notify notmuch vimrc

.PHONY: build check install uninstall install-links uninstall-links commit dist deb deb-control

# What a debugger needs is not made: it has a number in it that depends on this directory, and so has the identity of the program.
# `make bare=` for that.
bare = -debug-info-format none

# No path of this directory gets into what is built.
prefixes = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=.

version = $(shell sed -n 's/.*number = "\(.*\)"/\1/p' Sources/Base/Platform/Processes/Version.swift)
commit = $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || cat .commit 2>/dev/null)
commitfile = Sources/Base/CPlatform/Commit.h

# What --version tells of the commit; the file keeps its time where it says the same.
commit:
	@echo '#define MAGNUM_COMMIT "$(commit)"' | cmp -s - $(commitfile) || \
	  echo '#define MAGNUM_COMMIT "$(commit)"' > $(commitfile)

# lld, which comes with Swift, leaves out functions that nothing calls, and keeps one of those that are alike, where no address of
# them is taken. Pages of the file and pages in memory begin alike: the kernel maps 64 kB around what is used, and twice as much
# where these lie across. For another linker: `make sections= order= packed=`.
sections = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcxx -ffunction-sections \
  -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker -z -Xlinker max-page-size=65536

# What a sync runs that has nothing to do stands side by side: it has 8 MB less of the file in memory then.
order = -Xlinker -T -Xlinker $(CURDIR)/Sources/order.ld

# A megabyte of places that the loader fills in, packed: the program needs glibc 2.36 then. `make packed=` for an older one.
packed = -Xlinker -z -Xlinker pack-relative-relocs

# A program that needs no Swift on the machine it runs on, and what comes with it. It is a copy, as an installed one is: strip
# writes megabytes at once, and the kernel keeps these as large pieces, which come into memory as a whole until it reads them anew.
build: commit
	$(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath $(bare) $(prefixes) $(sections) $(order) $(packed) --product magnum
	mkdir -p $(release)/install
	strip -o $(release)/magnum.bare $(release)/magnum
	install -m 755 $(release)/magnum.bare $(release)/install/magnum
	for name in $(names); do ln -f $(release)/install/magnum $(release)/install/$$name || exit 1; done
	for program in $(programs); do \
	  for shell in bash zsh fish; do \
	    $(release)/install/$$program --generate-completion-script $$shell > $(release)/install/$$program.$$shell || exit 1; \
	  done; \
	done

check:
	Tests/run

# Installs what `make build` made, and builds nothing, so that it can run as root. What runs meanwhile goes on with its own file.
install:
	@test -e $(release)/install/magnum || { echo "run make build first" >&2; exit 1; }
	install -d $(bindir) $(bashdir) $(zshdir) $(fishdir)
	install -m 755 $(release)/install/magnum $(bindir)/.magnum.new
	mv -f $(bindir)/.magnum.new $(bindir)/magnum
	for name in $(names); do \
	  { ln -f $(bindir)/magnum $(bindir)/.$$name.new 2>/dev/null || ln -sfn magnum $(bindir)/.$$name.new; } && \
	  mv -f $(bindir)/.$$name.new $(bindir)/$$name || exit 1; \
	done
	for program in $(programs); do \
	  install -m 644 $(release)/install/$$program.bash $(bashdir)/$$program && \
	  install -m 644 $(release)/install/$$program.zsh $(zshdir)/_$$program && \
	  install -m 644 $(release)/install/$$program.fish $(fishdir)/$$program.fish || exit 1; \
	done
	for page in $(pages); do \
	  install -D -m 644 man/$$page $(mandir)/man$${page##*.}/$$page || exit 1; \
	done
	for pair in $(commandpages); do \
	  echo ".so man1/magnum-$${pair#*:}.1" > $(mandir)/man1/magnum-$${pair%:*}.1 && \
	  chmod 644 $(mandir)/man1/magnum-$${pair%:*}.1 || exit 1; \
	done
	for unit in $(units); do \
	  install -d $(unitdir) && \
	  sed 's,/usr/local/bin/,$(PREFIX)/bin/,' examples/systemd/$$unit > $(unitdir)/$$unit && \
	  chmod 644 $(unitdir)/$$unit || exit 1; \
	done
	for schema in $(schemas); do install -D -m 644 man/schemas/$$schema $(schemadir)/$$schema || exit 1; done
	for sample in $(samples); do \
	  if test -x examples/$$sample; then mode=755; else mode=644; fi && \
	  install -D -m $$mode examples/$$sample $(exampledir)/$$sample && \
	  sed -i 's,/usr/local/\(bin\|share/doc\),$(PREFIX)/\1,' $(exampledir)/$$sample || exit 1; \
	done
	@case "$(DESTDIR)::$$PATH:" in \
	  :*":$(PREFIX)/bin:"* | /*) ;; \
	  *) echo "note: $(PREFIX)/bin is not in PATH (README.md, Install)" ;; \
	esac

# Removes what `make install` put there, never a configuration, mail or state.
uninstall:
	for program in $(programs); do \
	  rm -f $(bindir)/$$program $(bashdir)/$$program $(zshdir)/_$$program $(fishdir)/$$program.fish; \
	done
	for page in $(pages); do rm -f $(mandir)/man$${page##*.}/$$page; done
	for pair in $(commandpages); do rm -f $(mandir)/man1/magnum-$${pair%:*}.1; done
	for unit in $(units); do rm -f $(unitdir)/$$unit; done
	for schema in $(schemas); do rm -f $(schemadir)/$$schema; done
	for sample in $(samples); do rm -f $(exampledir)/$$sample; done
	for folder in $(schemadir) $(exampledir) $(unitdir) $(bashdir) $(fishdir); do rmdir -p $$folder 2>/dev/null || true; done

# Where programs look for sendmail, whatever PREFIX is. Only on request: another mail system may be there.
links = /usr/sbin/sendmail /usr/lib/sendmail /usr/bin/mailq /usr/bin/newaliases
systemdir = $(DESTDIR)$(PREFIX)/lib/systemd/system
systemunits = $(notdir $(wildcard examples/systemd/system/*))
linkpages = man8/sendmail.8 man1/mailq.1 man1/newaliases.1

# Installs the names of sendmail, unless something else has one, with their pages, the directory of the system's queue, and the units that
# send what waits there: systemctl enable --now magnum-queue-system.timer
install-links:
	@for link in $(links); do \
	  test ! -e $(DESTDIR)$$link || test -L $(DESTDIR)$$link && readlink $(DESTDIR)$$link | grep -q magnum-send || \
	  test ! -e $(DESTDIR)$$link || { \
	    owner=$$(test -n "$(DESTDIR)" || dpkg-query -S $$link 2>/dev/null | cut -d : -f 1); \
	    owner=$${owner:-$$(test -n "$(DESTDIR)" || rpm -qf $$link 2>/dev/null | head -n 1)}; \
	    echo "$$link belongs to another mail system$${owner:+: $$owner}" >&2; \
	    echo "hint: remove that, or: dpkg-divert --local --rename --add $$link" >&2; \
	    exit 1; \
	  }; \
	done
	for link in $(links); do \
	  install -d $(DESTDIR)$$(dirname $$link) && ln -sfn $(PREFIX)/bin/magnum-send $(DESTDIR)$$link || exit 1; \
	done
	for page in $(linkpages); do \
	  install -d $(mandir)/$$(dirname $$page) && echo .so man1/magnum-send.1 > $(mandir)/$$page && \
	  chmod 644 $(mandir)/$$page || exit 1; \
	done
	install -d -m 1777 $(DESTDIR)/var/spool/magnum
	for unit in $(systemunits); do \
	  install -d $(systemdir) && \
	  sed 's,/usr/local/bin/,$(PREFIX)/bin/,' examples/systemd/system/$$unit > $(systemdir)/$$unit && \
	  chmod 644 $(systemdir)/$$unit || exit 1; \
	done

# Takes away the names that point to magnum-send, their pages and the units, and nothing else; mail in /var/spool/magnum stays.
uninstall-links:
	for unit in $(systemunits); do rm -f $(systemdir)/$$unit; done
	for link in $(links); do \
	  if readlink $(DESTDIR)$$link 2>/dev/null | grep -q magnum-send; then rm -f $(DESTDIR)$$link; fi; \
	done
	for page in $(linkpages); do \
	  if grep -qs 'magnum-send\.1' $(mandir)/$$page; then rm -f $(mandir)/$$page; fi; \
	done
	for folder in $(systemdir) $(mandir)/man8 $(mandir)/man1; do rmdir -p $$folder 2>/dev/null || true; done

# Sources, which build without a network. The same commit gives the same octets.
dist = .build/dist
tree = $(dist)/magnum-$(version)
dist:
	rm -rf $(dist)
	mkdir -p $(tree)
	git archive HEAD | tar -x -C $(tree)
	echo "$(commit)" > $(tree)/.commit
	tar -c -C $(dist) --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$(git log -1 --format=%ct) \
	  magnum-$(version) | gzip -n > $(dist)/magnum-$(version).tar.gz
	@echo "$(dist)/magnum-$(version).tar.gz"

# Packages for Debian of what `make build` made: magnum, and magnum-mta with the names of sendmail. No licence is chosen yet, so
# they have no copyright file; MAINTAINER="Name <address>" says whose packages they are.
MAINTAINER ?= $(shell git log -1 --format='%an <%ae>' 2>/dev/null)
deb = .build/deb
architecture = $(shell dpkg --print-architecture)
control = Package: $(1)\nVersion: $(version)\nSection: mail\nPriority: optional\nArchitecture: $(architecture)\nMaintainer: $(MAINTAINER)

deb-control:
	@printf '$(call control,magnum)\n'
	@printf 'Depends: libc6 (>= 2.36), libgcc-s1, libstdc++6, libxapian30 (>= 1.4.22), libssl3 (>= 3.0)\n'
	@printf 'Recommends: ca-certificates, curl (>= 7.84), libexpat1 (>= 2.0), libidn2-0 (>= 2.0), libpsl5 (>= 0.16), zlib1g (>= 1.2)\n'
	@printf 'Suggests: less, mailcap, openssh-client, xdg-utils\n'
	@printf 'Description: mail as files: IMAP mirror, search, sending\n'
	@printf ' magnum-sync mirrors IMAP mailboxes into Maildir folders, both ways.\n'
	@printf ' magnum-search finds mail, magnum-send stands in for sendmail, and\n'
	@printf ' magnum shows, writes and sorts messages at a terminal.\n'

deb:
	rm -rf $(deb)
	$(MAKE) -s install DESTDIR=$(CURDIR)/$(deb)/magnum PREFIX=/usr
	$(MAKE) -s install-links DESTDIR=$(CURDIR)/$(deb)/magnum-mta PREFIX=/usr
	for file in README.md CHANGELOG.md; do \
	  install -D -m 644 $$file $(deb)/magnum/usr/share/doc/magnum/$$file || exit 1; \
	done
	for file in $$(find $(deb)/*/usr/share/man -type f) $(deb)/magnum/usr/share/doc/magnum/CHANGELOG.md; do gzip -9n $$file || exit 1; done
	for package in magnum magnum-mta; do \
	  install -d -m 755 $(deb)/$$package/DEBIAN $(deb)/$$package/usr/share/doc/$$package || exit 1; \
	done
	for package in magnum magnum-mta; do \
	  printf '%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz of the package magnum.\n\n -- %s  %s\n' \
	    $$package '$(version)' '$(MAINTAINER)' "$$(git log -1 --format=%cD)" | \
	    gzip -9n > $(deb)/$$package/usr/share/doc/$$package/changelog.gz || exit 1; \
	done
	$(MAKE) -s deb-control > $(deb)/magnum/DEBIAN/control
	printf '$(call control,magnum-mta)\nDepends: magnum (= $(version))\nProvides: mail-transport-agent\nConflicts: mail-transport-agent\nReplaces: mail-transport-agent\nDescription: mail as files: the names of sendmail\n Links sendmail, mailq and newaliases to magnum-send, and has the units\n that send what waits in the queue of the system.\n' \
	  > $(deb)/magnum-mta/DEBIAN/control
	for package in magnum magnum-mta; do \
	  dpkg-deb --root-owner-group --build $(deb)/$$package $(deb)/$${package}_$(version)_$(architecture).deb || exit 1; \
	done
