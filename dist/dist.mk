# make dist: a tarball for Linux that needs nothing of a system but its C library, from glibc 2.17 on, and
# the same as a jar (jar/jar.mk); with OS=windows a zip (windows.mk).
# The objects are those of every build. Linked once more: libbsd, zlib, jansson and protobuf-c are
# linked statically, and glibc through stand-ins that offer each function in the version that glibc
# 2.17 has (old_glibc.py); what that lacks is in old_glibc.c. Read by the Makefile.
.PHONY: dist
OLDEST_GLIBC = 2.17
DIST = $(BUILD)/dist
DIST_NAME = hprof-$(VERSION)-linux-$(patsubst x86_64,x64,$(CPU))
DIST_ROOT = $(DIST)/$(DIST_NAME)
DIST_LIBRARY = $(DIST)/libhprof.so
DIST_COMMAND = $(DIST)/hprof
TARBALL = $(DIST)/$(DIST_NAME).tar.gz
# Set, the time of all files, so that two builds of the same sources give the same bytes.
SOURCE_DATE_EPOCH ?= $(call once,SOURCE_DATE_EPOCH,$(shell git log -1 --format=%ct 2>/dev/null || date +%s))

dist: $(if $(filter windows,$(OS)),,$(TARBALL))

# Debian's archives of the libraries, and their terms, which a binary that contains them carries.
STATIC_LIBRARIES = bsd z jansson protobuf-c md
STATIC_PACKAGES = libbsd-dev zlib1g-dev libjansson-dev libprotobuf-c-dev libmd-dev
copy_licenses = $(QUIET)mkdir -p $(1) && for package in $(STATIC_PACKAGES); do \
	cp "/usr/share/doc/$$package/copyright" "$(1)/$$package" || exit 1; done
.PHONY: dist-prerequisites
dist-prerequisites:
	@test '$(OS) $(CPU)' = 'linux x86_64' || { echo "make dist is for Linux on x86-64 alone" >&2; exit 1; }
	@test -n '$(PROTOBUF_C)' || $(call missing,protobuf-c,libprotobuf-c-dev and protobuf-c-compiler)
	@test -n '$(JANSSON)' || $(call missing,jansson,libjansson-dev)

OLD_GLIBC = $(DIST)/old_glibc
STAND_INS = $(patsubst %,$(OLD_GLIBC)/%,libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1)
$(OLD_GLIBC)/stamp: dist/old_glibc.py | dist-prerequisites
	@rm -rf $(@D)
	$(call say,GLIBC)
	$(QUIET)$(PYTHON) $< $(OLDEST_GLIBC) '$(CC)' $(@D) \
		$(foreach library,libc.so.6 libm.so.6 ld-linux-x86-64.so.2,$$($(CC) -print-file-name=$(library)))
	@touch $@

# --as-needed names those libraries that something is used of.
DIST_LINK = -nodefaultlibs $(DIST)/old_glibc.o $(STATIC_LIBRARIES:%=-l:lib%.a) \
	-Wl,--as-needed $(STAND_INS) $(OLD_GLIBC)/ld-linux-x86-64.so.2 -lgcc -Wl,--exclude-libs,ALL
$(DIST)/old_glibc.o: dist/old_glibc.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(QUIET)$(CC) $(ALL_CFLAGS) -Wno-missing-prototypes -c -o $@ $<

$(DIST_LIBRARY): $(AGENT_OBJECTS) $(DIST)/old_glibc.o $(OLD_GLIBC)/stamp
	$(call say,LINK)
	$(QUIET)$(CC) $(SHARED_FLAGS) $(ALL_LDFLAGS) -s -o $@ $(AGENT_OBJECTS) $(DIST_LINK)

$(DIST_COMMAND): $(COMMAND_OBJECTS) $(COMMAND_SHARED) $(DIST)/old_glibc.o $(OLD_GLIBC)/stamp
	$(call say,LINK)
	$(QUIET)$(CC) $(COMMAND_FLAGS) $(ALL_LDFLAGS) -s -o $@ $(COMMAND_OBJECTS) $(COMMAND_SHARED) $(DIST_LINK)

# The tree of an installation, whose command finds the library by a path relative to its own; beside
# it what README.md links to.
DIST_DOCS = README.md LICENSE CHANGELOG.md SECURITY.md
$(TARBALL): private PREFIX =
$(TARBALL): private DESTDIR = $(DIST_ROOT)
$(TARBALL): $(DIST_LIBRARY) $(DIST_COMMAND) $(DIST_DOCS) $(wildcard man/* completions/* docs/* docs/*/*) Makefile dist/dist.mk
	@rm -rf $(DIST_ROOT) && mkdir -p $(DIST_ROOT)/docs
	$(call say,TAR)
	$(call install_files,$(DIST_COMMAND),$(DIST_LIBRARY))
	$(QUIET)cp $(DIST_DOCS) $(DIST_ROOT)/ && cp -r docs/*.md docs/images docs/schema $(DIST_ROOT)/docs/
	$(call copy_licenses,$(DIST_ROOT)/docs/licenses)
	$(QUIET)chmod -R u=rwX,go=rX $(DIST_ROOT)
	$(QUIET)tar -C $(DIST) --sort=name --mtime=@$(SOURCE_DATE_EPOCH) --owner=0 --group=0 --numeric-owner \
		-cf - $(DIST_NAME) | gzip -n9 > $@
