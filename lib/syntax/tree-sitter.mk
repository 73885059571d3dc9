# tree-sitter's core and grammars as pinned, hash-checked source packages from PyPI (tree-sitter.txt), compiled here.
# A distributor sets these four folders and nothing is downloaded.
T               := build/third_party
TREE_SITTER     ?= $T/tree-sitter-0.25.2/tree_sitter/core/lib
GRAMMAR_CUDA    ?= $T/tree_sitter_cuda-0.21.2/src
GRAMMAR_PYTHON  ?= $T/tree_sitter_python-0.23.6/src
GRAMMAR_HEADERS ?= $T/include

INCLUDE_syntax      := -I$(TREE_SITTER)/include
TREE_SITTER_OBJECTS := $(addprefix $T/,core.o cuda-parser.o cuda-scanner.o python-parser.o python-scanner.o)
COMPILE_GRAMMAR      = $(Q)$(CC) -O2 -w -fPIE -c -o $@

$T/fetched: lib/syntax/tree-sitter.txt lib/syntax/tree-sitter-headers.txt
	$(call say,PIP,tree-sitter and two grammars)
	$(Q)mkdir -p $T
	$(Q)for list in $^; do \
	  $(PYTHON) -m pip download -q --no-deps --no-binary :all: --require-hashes -r $$list -d $T 2>$T/pip.log || \
	    { cat $T/pip.log >&2; exit 1; }; \
	done
	$(Q)for archive in $T/*.tar.gz; do tar -xzf $$archive -C $T; done
	$(Q)mkdir -p $T/include && ln -sfn $(abspath $T)/tree-sitter-0.24.0/tree_sitter/core/lib/src $T/include/tree_sitter
	$(Q)touch $@

SOURCES_READY := $(if $(filter $T/%,$(TREE_SITTER) $(GRAMMAR_CUDA) $(GRAMMAR_PYTHON) $(GRAMMAR_HEADERS)),$T/fetched)
$(TREE_SITTER_OBJECTS): $(SOURCES_READY)

$T/core.o:
	$(call say,CC,tree-sitter)
	$(COMPILE_GRAMMAR) -I$(TREE_SITTER)/include -I$(TREE_SITTER)/src $(TREE_SITTER)/src/lib.c
$T/cuda-%.o:
	$(call say,CC,tree-sitter-cuda $*)
	$(COMPILE_GRAMMAR) -I$(GRAMMAR_CUDA) $(GRAMMAR_CUDA)/$*.c
$T/python-%.o:
	$(call say,CC,tree-sitter-python $*)
	$(COMPILE_GRAMMAR) -I$T/include $(GRAMMAR_PYTHON)/$*.c

# The room itself includes the core's header.
$(patsubst %,$(B)/%.o,$(wildcard lib/syntax/*.cc)): | $(SOURCES_READY)
