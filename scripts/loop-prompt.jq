# The two messages that open a conversation: the prompt templates, filled with the task, the machine and the baseline.

def fill($values): reduce ($values | to_entries[]) as $e (.; split("{{\($e.key)}}") | join($e.value));

def lines: map("- " + .) | join("\n");
def items($object): if ($object | type) == "object" then $object | to_entries | map({name: .key} + .value) else $object end;
def tensor: "\(.name) [\(.shape // [] | map(tostring) | join(", "))] \(.dtype)";
def settings: to_entries | map("\(.key)=\(.value)") | join(" ");
def giga: . / 1e9 | if . < 10 then . * 10 | round | . / 10 else round end | tostring;
def percent: "\(. * 100 | round) %";

def peaks:
  [(.bandwidth_bytes_per_s // empty | "memory bandwidth, all cores: \(giga) GB/s"),
   (.one_core_bandwidth_bytes_per_s // empty | "memory bandwidth, one core: \(giga) GB/s"),
   (.flops_per_s // empty | "arithmetic, all cores: \(giga) GFLOP/s") + (.unit // "" | if . == "" then . else " (\(.))" end),
   (.one_core_flops_per_s // empty | "arithmetic, one core: \(giga) GFLOP/s")] | lines;

def measured:
  map("\(.name): \(.time_us | round) us, \(.bandwidth_bytes_per_s | giga) GB/s (\(.bandwidth_share | percent) of peak), " +
      "\(.flops_per_s | giga) GFLOP/s (\(.flops_share | percent) of peak), \(.bound)-bound") | lines;

def tolerance:
  to_entries | map("\(.key): " + (.value | tostring)) | join("; ");

def opening($task; $timing; $values):
  ($values + {
    name: $task.name, description: ($task.description // $task.op_type), entry: $task.entry, baseline: $task.baseline,
    flags: (["-std=c++20 -O3 -march=native -fPIC -shared -fopenmp"] + ($task.compile_flags // []) | join(" ")),
    inputs: (items($task.inputs) | map(tensor) | join(", ")), outputs: (items($task.outputs) | map(tensor) | join(", ")),
    workloads: ($task.workloads | map("\(.name): \(.axes | settings) \(.dtypes // {} | settings)" | rtrimstr(" ")) | lines),
    tolerance: ($task.tolerance | tolerance), peaks: ($timing.peaks | peaks), measured: ($timing.workloads | measured),
    bound: ($timing.workloads | group_by(.bound) | map("\(.[0].bound) in \(map(.name) | join(", "))") | join("; ")),
    advice: ($timing.workloads | max_by(.time_us) | .advice)}) as $all
  | {role: "system", content: ($values.system | fill($all))}, {role: "user", content: ($values.start | fill($all))};
