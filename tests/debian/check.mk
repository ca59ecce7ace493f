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
