#!/bin/sh
# An honest kernel is accepted with a time, an interval, a bound and advice for every workload, and a geometric mean.
set -eu
cp "$ASSAY_SRC/kernels/softmax_rows/baseline.cc" k.cc
printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"k.cc","mine":7}\n' "$ASSAY_SRC/kernels/softmax_rows" |
  time-kernel --budget 1 --pairs 5 >out.json
jq -e '.status == "ok" and .stage == "time" and .mine == 7 and .reason == null' out.json
jq -e '.timing | (.workloads | length) == 3 and .speedup_geomean > 0.2 and .speedup_geomean < 5
  and .speedup_ci[0] <= .speedup_geomean and .speedup_geomean <= .speedup_ci[1]' out.json
jq -e '.timing.workloads | all(.time_min_us <= .time_us and .time_ci_us[0] <= .time_us and .time_us <= .time_ci_us[1]
  and .speedup_ci[0] <= .speedup and .speedup <= .speedup_ci[1] and .floor_us < .time_us and .pairs >= 3
  and .bandwidth_share > 0 and .flops_share > 0 and (.advice | length) > 20)' out.json
# Each pair and each workload's warm-up pair is two checked calls.
jq -e '.timing | .checked_calls == 2 * (.pairs + (.workloads | length))' out.json
jq -e '.timing | .call_overhead_us > 0 and .peaks.cores >= 1' out.json
time-kernel --schema >schema.json
/usr/bin/python3 -c 'import json, jsonschema; jsonschema.validate(json.load(open("out.json")), json.load(open("schema.json")))'
