# make check-deb: the Debian package, as a user would build, unpack and run it. Read by
# tests/check.mk. It builds all once more and takes minutes, and needs debhelper and lintian: deps-all.
.PHONY: check-deb
DEB = $(BUILD)/debian
# From the index of git: what is not added is not in the package.
DEB_COPY = $(DEB)/hprof-$(VERSION)
check-deb: export DEB_BUILD_OPTIONS ?= parallel=$(JOBS)
check-deb:
	rm -rf $(DEB) && mkdir -p $(DEB_COPY)
	git checkout-index --all --prefix=$(abspath $(DEB_COPY))/
	cd $(DEB_COPY) && env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES dpkg-buildpackage -us -uc -b
	lintian --fail-on error --fail-on warning $(DEB)/*.changes
	sh tests/debian/run_package.sh $(DEB)/hprof_*.deb $(abspath $(DEB))/root $(JAVA_HOME)

# make check-deb-root: the same package installed, used by a user without rights and removed in a new
# Debian of DEB_SUITE. It downloads that and a JVM, 150 MB, and needs debootstrap: deps-all.
.PHONY: check-deb-root
DEB_SUITE ?= $(shell . /etc/os-release && echo $$VERSION_CODENAME)
MIRROR ?= $(shell sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources | head -n 1)
check-deb-root: check-deb
	sh tests/debian/in_chroot.sh $(DEB)/hprof_*.deb $(abspath $(DEB))/$(DEB_SUITE) $(DEB_SUITE) $(MIRROR) $(JAVA_HOME)
