#!/bin/sh
# The peaks record: all cores at least what one does, the fastest unit at least the vector unit.
set -eu
time-kernel --peaks >out.json
jq -e '.kind == "peaks" and .v == 1 and .cores >= 1 and (.devices | type) == "array"' out.json
jq -e '.bandwidth_bytes_per_s >= .one_core_bandwidth_bytes_per_s and .one_core_bandwidth_bytes_per_s > 1e8' out.json
jq -e '.fastest_flops_per_s >= .flops_per_s and .flops_per_s >= .one_core_flops_per_s
  and .one_core_flops_per_s > 1e8' out.json
time-kernel --version | grep -q '^cuda: '
