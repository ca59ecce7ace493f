# Windows, 64-bit x86, by MinGW-w64: read by the Makefile, after it has set everything
# for gcc on Linux. The DLL and the command depend on nothing but the system's own: the
# compiler's library and zlib are linked into them, and what is libbsd elsewhere is in bsd.c.

EXE = .exe
LIBBSD =
BSD_CFLAGS =
BSD_LIBS =
ZLIB =
ZLIB_CFLAGS =
UTHASH_CC = cc
LIBS = -l:libz.a -lm -ladvapi32 -lws2_32
INCLUDES = -Isrc -Isrc/os $(OS_DIRS:%=-I%) -Isrc/os/windows/overlay \
	-isystem $(JAVA_HOME)/include -isystem $(BUILD)/headers
OBJECT_FLAGS = -D__USE_MINGW_ANSI_STDIO=1
SHARED_FLAGS = -shared -static-libgcc -Wl,--nxcompat,--dynamicbase
COMMAND_FLAGS = -static-libgcc -Wl,--nxcompat,--dynamicbase
ALL_LDFLAGS = $(LDFLAGS)

.PHONY: windows-zlib
prerequisites: windows-zlib
windows-zlib:
	@printf '#include <zlib.h>\n' | $(CC) -E - >/dev/null 2>&1 || \
		$(call missing,zlib.h for Windows,libz-mingw-w64-dev)

# uthash is headers alone. The rest of the build machine's directory of headers is no
# place to look for another system's.
HEADER_LINKS = $(BUILD)/headers/uthash.h $(BUILD)/headers/utlist.h
$(HEADER_LINKS): $(BUILD)/headers/%.h:
	@mkdir -p $(@D)
	@ln -sf "$$(printf '#include <%s>\n' $*.h | $(UTHASH_CC) -x c -M - | grep -o '[^ ]*/$*\.h' | head -n 1)" $@
