# The short way; CONTRIBUTING.md has the long one.

# What a bare Debian 12 lacks: to build, to draw pictures, to test.
PACKAGES := g++ cmake ninja-build pkg-config ccache \
	nlohmann-json3-dev libcli11-dev libhdf5-dev zlib1g-dev libgtest-dev \
	libassimp-dev libembree-dev libbullet-dev libbox2d-dev libopenvdb-dev libboost-dev \
	libegl-dev libepoxy-dev libpng-dev libstb-dev \
	libopengl0 libgl1-mesa-dri fonts-dejavu-core ffmpeg
FORMAT_PACKAGES := clang-format-14 git
# Programs that only some tests use; without them those tests are skipped.
EXTRA_PACKAGES := python3-paraview hdf5-tools libopenvdb-tools python3-openvdb blender qemu-user

JOBS ?= $(shell nproc)
CLANG_FORMAT ?= clang-format-14
MILLRACE := build/release/bin/millrace
SOURCES := '*.cpp' '*.hpp'
export SKIP_DEPS

.PHONY: help demo films test format format-check install-deps install-deps-full blender-addon clean

help: ## this list
	@echo 'make TARGET, where TARGET is'
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 22 | sed 's/^/  /'
	@echo 'JOBS=N: that many at once. SKIP_DEPS=1: install nothing. DEMO_FLAGS, TEST_FLAGS: more'
	@echo 'arguments for `millrace run` in the demo, for ctest in the tests.'

demo: install-deps ## install what is missing, build, simulate a dam break, make a video of it
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target millrace_tool
	$(MILLRACE) run scenes/dam_break.json --out out/preview --overwrite --quiet \
		--set spacing=0.057 --fps 15 --until 2
	$(MILLRACE) mesh out/preview --quiet
	$(MILLRACE) render out/preview --size 640x360 --quiet
	@printf '%s\n' '' 'A first, coarse look: out/preview/render/dam_break.mp4 and frame_*.png' ''
	$(MILLRACE) run scenes/dam_break.json --out out/dam_break --overwrite --fps 25 $(DEMO_FLAGS)
	$(MILLRACE) mesh out/dam_break
	$(MILLRACE) foam out/dam_break
	$(MILLRACE) render out/dam_break
	@printf '%s\n' '' 'The dam break:' \
		'  video           out/dam_break/render/dam_break.mp4' \
		'  stills          out/dam_break/render/frame_*.png' \
		'  for ParaView    out/dam_break/particles.pvd, surface.pvd, diffuse.pvd'

films: install-deps ## build, make films of the harbour, the bottle and the water wheel; half an hour
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target millrace_tool
	for scene in harbour bottle water_wheel; do \
		$(MILLRACE) run scenes/$$scene.json --overwrite && $(MILLRACE) mesh out/$$scene || exit 1; \
		test $$scene = bottle || $(MILLRACE) foam out/$$scene || exit 1; \
		$(MILLRACE) render out/$$scene --no-legend || exit 1; \
	done

test: install-deps ## install what is missing, build everything, run all tests
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset release --parallel $(JOBS) $(TEST_FLAGS)

format: ## format all sources
	@sh cmake/install_packages.sh $(FORMAT_PACKAGES)
	@files=$$(git ls-files $(SOURCES)) && $(CLANG_FORMAT) -i $$files

format-check: ## fail if a source is not formatted
	@sh cmake/install_packages.sh $(FORMAT_PACKAGES)
	@files=$$(git ls-files $(SOURCES)) && $(CLANG_FORMAT) --dry-run -Werror $$files && \
		echo 'all sources are formatted'

install-deps: ## install the Debian packages that are missing (as root)
	@sh cmake/install_packages.sh $(PACKAGES)

install-deps-full: ## also those for every test and for the format; ParaView and Blender are large
	@sh cmake/install_packages.sh $(PACKAGES) $(FORMAT_PACKAGES) $(EXTRA_PACKAGES)

blender-addon: ## pack the add-on for Blender: build/millrace_import.zip
	@mkdir -p build && rm -rf build/millrace_import.zip blender/millrace_import/__pycache__
	@cd blender && python3 -m zipfile -c ../build/millrace_import.zip millrace_import
	@echo 'build/millrace_import.zip: install it in Blender, see docs/blender.md'

clean: ## remove build/; runs in out/ stay
	rm -rf build
