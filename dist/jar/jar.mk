# make jar: what `make dist` has in its tarball and a launcher in Java as one file, for those who can't
# install anything: java -jar hprof.jar run -- java ... Read by the Makefile.
.PHONY: jar check-jar
JAR = $(DIST)/hprof.jar
JAR_PLATFORM = linux-x64
JAR_SOURCES = $(sort $(wildcard dist/jar/hprof/launcher/*.java))
JAR_ROOT = $(DIST)/jar

jar $(if $(filter windows,$(OS)),,dist): $(JAR)

# The entries are in the order of their names, with one time; before JDK 17 the tool has no option for
# that of the manifest.
$(JAR): $(DIST_COMMAND) $(DIST_LIBRARY) $(JAR_SOURCES) LICENSE dist/jar/jar.mk
	@rm -rf $(JAR_ROOT) $@ && mkdir -p $(JAR_ROOT)/$(JAR_PLATFORM)
	$(call say,JAR)
	$(QUIET)$(JAVA_HOME)/bin/javac --release 11 -proc:none -Xlint:all,-options -XDstringConcat=inline \
		-d $(JAR_ROOT) $(JAR_SOURCES) 2>$@.log || { cat $@.log >&2; exit 1; }
	$(QUIET)cp LICENSE $(JAR_ROOT)/
	$(QUIET)cp $(DIST_COMMAND) $(DIST_LIBRARY) $(JAR_ROOT)/$(JAR_PLATFORM)/
	$(call copy_licenses,$(JAR_ROOT)/licenses)
	$(QUIET)cd $(JAR_ROOT) && digest=$$(sha256sum $(JAR_PLATFORM)/hprof $(JAR_PLATFORM)/libhprof.so | sha256sum | cut -c 1-16) && \
		printf '%s\n' 'Main-Class: hprof.launcher.Main' 'Implementation-Title: hprof' \
			'Implementation-Version: $(VERSION)' "Hprof-Digest: $$digest" > manifest
	$(QUIET)cd $(JAR_ROOT) && find . -type f -exec touch -d @$(SOURCE_DATE_EPOCH) {} + && \
		files=$$(find LICENSE licenses hprof $(JAR_PLATFORM) -type f | LC_ALL=C sort) && \
		date=$$($(JAVA_HOME)/bin/jar --help | grep -q -e --date && date -u -d @$(SOURCE_DATE_EPOCH) +--date=%Y-%m-%dT%H:%M:%SZ || :) && \
		TZ=UTC $(JAVA_HOME)/bin/jar --create --file $(abspath $@) --manifest manifest $$date $$files

# Its tests; HPROF_TEST_JDKS chooses JDKs.
check-jar: all jar
	HPROF_AGENT=$(abspath $(LIBRARY)) HPROF_JAR=$(abspath $(JAR)) $(PYTEST) tests/e2e/test_jar.py
