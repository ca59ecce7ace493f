# make OS=windows CROSS=x86_64-w64-mingw32- dist: a zip for 64-bit Windows, which needs nothing that Windows
# has not. The objects are those of every build, linked once more without symbols. Read by the Makefile.
WINDOWS_NAME = hprof-$(VERSION)-windows-x64
WINDOWS_ROOT = $(DIST)/$(WINDOWS_NAME)
WINDOWS_LIBRARY = $(DIST)/hprof.dll
WINDOWS_COMMAND = $(DIST)/hprof.exe
ZIP = $(DIST)/$(WINDOWS_NAME).zip

dist: $(if $(filter windows,$(OS)),$(ZIP))

# The linker's time would make each build another one.
WINDOWS_LINK = -s -Wl,--no-insert-timestamp
$(WINDOWS_LIBRARY): $(AGENT_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(QUIET)$(CC) $(SHARED_FLAGS) $(ALL_LDFLAGS) $(WINDOWS_LINK) -o $@ $^ $(LIBS)

$(WINDOWS_COMMAND): $(COMMAND_OBJECTS) $(COMMAND_SHARED)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(QUIET)$(CC) $(COMMAND_FLAGS) $(ALL_LDFLAGS) $(WINDOWS_LINK) -o $@ $^ $(COMMAND_LIBS)

# The terms of what the binaries contain: zlib, and the start-up code of MinGW-w64.
WINDOWS_LICENSES = zlib=libz-mingw-w64-dev mingw-w64=mingw-w64-x86-64-dev
WINDOWS_DOCS = README.md CHANGELOG.md SECURITY.md dist/README-windows.txt

.PHONY: dist-windows-prerequisites
dist-windows-prerequisites:
	@command -v man col >/dev/null || $(call missing,man and col,man-db and bsdextrautils)

# The command finds the library beside itself. Text has the ends of lines of that system.
$(ZIP): $(WINDOWS_LIBRARY) $(WINDOWS_COMMAND) $(WINDOWS_DOCS) LICENSE $(wildcard man/* docs/* docs/*/*) \
		dist/windows.mk dist/zip_tree.py | dist-windows-prerequisites
	@rm -rf $(WINDOWS_ROOT) && mkdir -p $(WINDOWS_ROOT)/bin $(WINDOWS_ROOT)/man $(WINDOWS_ROOT)/docs/licenses
	$(call say,ZIP)
	$(QUIET)cp $(WINDOWS_LIBRARY) $(WINDOWS_COMMAND) $(WINDOWS_ROOT)/bin/
	$(QUIET)cp $(WINDOWS_DOCS) $(WINDOWS_ROOT)/ && cp LICENSE $(WINDOWS_ROOT)/LICENSE.txt
	$(QUIET)cp -r docs/*.md docs/images docs/schema $(WINDOWS_ROOT)/docs/
	$(QUIET)for page in hprof.1 hprof-agent.7; do \
		MANROFFOPT=-c man -Tutf8 -l man/$$page | col -bx >$(WINDOWS_ROOT)/man/$$page.txt || exit 1; done
	$(QUIET)for license in $(WINDOWS_LICENSES); do \
		cp /usr/share/doc/$${license#*=}/copyright $(WINDOWS_ROOT)/docs/licenses/$${license%=*}.txt || exit 1; done
	$(QUIET)sed -i 's/VERSION/$(VERSION)/' $(WINDOWS_ROOT)/README-windows.txt
	$(QUIET)sed -i -E 's/\]\((LICENSE|man\/[a-z.17-]+)\)/](\1.txt)/' $(WINDOWS_ROOT)/README.md
	$(QUIET)find $(WINDOWS_ROOT) \( -name '*.md' -o -name '*.txt' \) -exec sed -i 's/$$/\r/' {} +
	$(QUIET)$(PYTHON) dist/zip_tree.py $(WINDOWS_ROOT) $(SOURCE_DATE_EPOCH) $@
