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
schemadir = $(DESTDIR)$(PREFIX)/share/magnum/schemas
exampledir = $(DESTDIR)$(PREFIX)/share/doc/magnum/examples

release = .build/release
# One file, under several names.
names = magnum-sync magnum-send magnum-search
programs = magnum $(names)
pages = $(notdir $(wildcard man/*.[1-8]))
units = $(notdir $(wildcard examples/systemd/*.service examples/systemd/*.timer))
schemas = $(notdir $(wildcard man/schemas/*.json))
samples := config.toml crontab magnum.el muttrc notify notmuch vimrc

.PHONY: build check install uninstall install-links uninstall-links

# No path of this directory gets into what is built.
prefixes = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=.

# A program that needs no Swift on the machine it runs on, and what comes with it.
build:
	$(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath $(prefixes) --product magnum
	mkdir -p $(release)/install
	strip -o $(release)/install/magnum $(release)/magnum
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
