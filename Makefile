# Assay. `make`, `make check`, `make install PREFIX=/usr/local DESTDIR=`, `make uninstall`, `make clean`.
# SAN=1 builds with ASan and UBSan into a folder of its own. V=1 shows every command.
# scripts/setup installs what is missing.

.DEFAULT_GOAL := all

VERSION  := 0.1.0
PREFIX   ?= /usr/local
CXX      ?= g++
CC       ?= gcc
NVCC     ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
PYTHON   ?= python3
B        := build$(if $(SAN),/san)
Q        := $(if $(V),,@)
say       = $(if $(V),,@printf "  %-5s %s\n" "$(1)" "$(2)")

# Where tree-sitter's sources lie; the default fetches four pinned, hash-checked packages (lib/syntax/tree-sitter.mk).
include lib/syntax/tree-sitter.mk

WARN     := -Wall -Wextra -Werror -Wno-missing-field-initializers
HARDEN   := -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE -fcf-protection=none
ifeq ($(shell uname -m),x86_64)
HARDEN   := -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE -fcf-protection
endif
ifdef SAN
HARDEN   := -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -fPIE
endif
CXXFLAGS ?= -O2
ALL_CXX   = $(CXX) -std=c++20 $(CXXFLAGS) $(WARN) $(HARDEN) -Ilib -DASSAY_VERSION='"$(VERSION)"' -MMD -MP
LDHARDEN := -pie -Wl,-z,relro,-z,now,-z,noexecstack


# A room is a folder of lib/; its archive holds every .cc (and, with nvcc, every .cu) but programs' own.
ROOMS    := $(notdir $(patsubst %/,%,$(wildcard lib/*/)))
HELPERS  := worker
# NAME_x86_64.cc and NAME_aarch64.cc are one file for each machine; NAME_no_nvcc.cc stands in for NAME.cu.
MACHINES := x86_64 aarch64
LEFT_OUT := $(patsubst %,\%_%.cc,$(filter-out $(shell uname -m),$(MACHINES))) $(if $(NVCC),%_no_nvcc.cc)
objects   = $(patsubst %,$(B)/%.o,$(filter-out $(HELPERS:%=lib/backend/%.cc) $(LEFT_OUT),$(wildcard lib/$(1)/*.cc lib/$(1)/*/*.cc)) \
              $(if $(NVCC),$(wildcard lib/$(1)/*.cu)))

# What each program links, last room first: a room may use those to its right.
rooms_sandbox-run   := sandbox tool record base
rooms_kernel-lint   := lint syntax tool record base
rooms_perturb-check := perturb backend task tool record base
rooms_time-kernel   := timing backend task gpu tool record base
rooms_qwen-step     := model tool record base
libs_sandbox-run    := -lseccomp -lcap
libs_qwen-step      := -lcurl
libs_time-kernel     = $(if $(wildcard lib/gpu),$(if $(NVCC),$(CUDA_LIBS)))
LIBS                := -l:libnettle.a -pthread
# The library's folder, as this nvcc itself would name it to the linker.
CUDA_DIRS            = $(shell $(NVCC) --dryrun -o x x.o 2>&1 | sed -n 's/^\#\$$ LIBRARIES=//p')
CUDA_LIBS            = $(CUDA_DIRS) -lcudart_static -ldl -lrt

PROGRAMS := $(patsubst cmd/%.cc,%,$(wildcard cmd/*.cc))
BIN      := $(PROGRAMS:%=$(B)/bin/%)
LIBEXEC  := $(HELPERS:%=$(B)/libexec/assay/%)

all: $(BIN) $(LIBEXEC) $(B)/source

# Where a build finds what is installed in share/assay otherwise (lib/base/home.cc).
$(B)/source:
	$(Q)mkdir -p $(@D) && ln -sfn $(if $(SAN),../..,..) $@

$(B)/%.cc.o: %.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ALL_CXX) $(INCLUDE_$(word 2,$(subst /, ,$<))) -c -o $@ $<

$(B)/%.cu.o: %.cu
	$(call say,NVCC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(NVCC) -std=c++17 -O2 -Ilib -Xcompiler -fPIE -arch=all-major -MMD -MP -MF $(basename $@).d -c -o $@ $<

define room
$(B)/$(1).a: $(call objects,$(1))
	$(call say,AR,$$@)
	$(Q)mkdir -p $$(@D) && rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room,$(r))))

.SECONDEXPANSION:
$(BIN): $(B)/bin/%: $(B)/cmd/%.cc.o $$(foreach r,$$(rooms_%),$$(if $$(wildcard lib/$$r),$(B)/$$r.a)) $$(if $$(filter lint,$$(rooms_%)),$$(TREE_SITTER_OBJECTS))
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(HARDEN) $(LDHARDEN) -o $@ $(filter %.o %.a,$^) $(libs_$*) $(LIBS)

$(LIBEXEC): $(B)/libexec/assay/%: $(B)/lib/backend/%.cc.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(HARDEN) $(LDHARDEN) -o $@ $^ -ldl -pthread

# Unit tests: one doctest program over every room. Their own code need not be fast, but soon compiled.
UNIT     := $(patsubst %,$(B)/%.o,$(wildcard tests/unit/*.cc))
$(UNIT): CXXFLAGS := -O1
$(B)/tests/unit-tests: $(UNIT) $(ROOMS:%=$(B)/%.a) $(TREE_SITTER_OBJECTS)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(HARDEN) -pie -o $@ $(UNIT) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(TREE_SITTER_OBJECTS) \
	  -lseccomp -lcap -lcurl $(if $(wildcard lib/gpu),$(if $(NVCC),$(CUDA_LIBS))) $(LIBS)

check: all $(B)/tests/unit-tests
	$(Q)tests/run $(B)

install: all
	$(Q)scripts/make-install $(B) "$(DESTDIR)" "$(PREFIX)"

uninstall:
	$(Q)scripts/make-install --remove "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf build

.PHONY: all check install uninstall clean
.DELETE_ON_ERROR:
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
