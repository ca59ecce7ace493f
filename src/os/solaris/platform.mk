# Solaris 11.4 and illumos: read by the Makefile, after it has set everything for gcc
# on Linux. gmake; gcc, or with CC=cc the compiler of Oracle Developer Studio 12.6.
#
#   SHIM=1   on Linux, with tests/ports/solaris/shim in the place of the system

DEFINES = -D__EXTENSIONS__ -D_POSIX_PTHREAD_SEMANTICS -D_LARGEFILE64_SOURCE \
	-D_FILE_OFFSET_BITS=64 -include src/os/solaris/libbsd.h

ifdef SHIM

SHIM_DIR = tests/ports/solaris/shim
JNI_MD_DIR = linux
INCLUDES := -I$(SHIM_DIR)/include $(INCLUDES)
ALL_CFLAGS += $(DEFINES)
SHIM_SOURCES = $(wildcard $(SHIM_DIR)/*.c)
SHIM_CALLS = open open64 write readlink clock_gettime setitimer sigaction dlsym connect getsockopt
ALL_LDFLAGS += $(SHIM_CALLS:%=-Wl,--wrap=%)

else

CPU = $(call once,CPU,$(patsubst amd64,x86_64,$(shell isainfo -n)))

# The C library has what else the agent takes from libbsd.
LIBBSD =
BSD_CFLAGS =
BSD_LIBS =
LIBS = $(ZLIB_LIBS) -lm -lsocket -lnsl -lc
SHARED_FLAGS = -shared -Wl,-h,$(notdir $@) -Wl,-z,defs -Wl,-z,nodelete
ALL_CFLAGS += $(DEFINES) -m64
ALL_LDFLAGS += -m64

ifeq ($(notdir $(firstword $(CC))),cc)
CFLAGS = -xO3 -g
WARNINGS = -v -errtags -errwarn=%all
INCLUDES = -Isrc -Isrc/os $(OS_DIRS:%=-I%) -I$(JAVA_HOME)/include -I$(JAVA_HOME)/include/$(JNI_MD_DIR)
DEPEND_FLAGS = -xMMD
SHARED_FLAGS = -G -h $(notdir $@) -z defs -z nodelete
ALL_CFLAGS = -std=c11 -xatomic=studio $(WARNINGS) -KPIC -xldscope=hidden -xthreadvar=no%dynamic \
	-mt -m64 $(INCLUDES) $(ZLIB_CFLAGS) $(DEFINES) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = -mt -m64 -xatomic=studio $(LDFLAGS)
endif

endif
