# What a run directory says. The loop keeps no state: the transcript's and ledger's lines go in, the next step comes out.
# For jq 1.6. Everything a model wrote is data here: compared, counted, never run.

def complain($message): "kernel-loop: \($message)\n" | halt_error(2);

# --- settings -------------------------------------------------------------------------------------------------------

def flags: ["enable_thinking", "no_thinking", "preserve_thinking"];
def model_numbers: ["thinking_budget", "max_completion_tokens", "retries", "deadline"];
def limits: ["max_tool_calls", "max_hours_without_speedup", "max_rounds_without_improvement", "max_tokens", "max_cost", "timing_budget"];

def set_option($option; $value):
  ($option | ltrimstr("--") | gsub("-"; "_")) as $key
  | if (flags | index($key)) != null then .model_options += [$option]
    elif (["model", "base_url", "key_env"] | index($key)) != null then .[$key] = $value
    elif $key == "language" then
      if $value == "en" or $value == "zh" then .language = $value else complain("--language needs en or zh, got '\($value)'") end
    elif (model_numbers + limits | index($key)) == null then complain("\($option): unknown option; try 'kernel-loop --help'")
    elif (try ($value | tonumber) catch -1) as $number | $number < 0 or ($number == 0 and ($key != "retries" and $key != "timing_budget")) then
      complain("\($option) needs a positive number, got '\($value)'")
    elif (limits | index($key)) != null then .[$key] = ($value | tonumber)
    else .model_options += [$option, $value] end;

def complete_settings($task; $file):
  ($file.languages // ["cpp"])[0] as $language
  | ({cpp: "cc", python: "py", triton: "py", cuda: "cu"}[$language]
     // complain("\($task)/task.json: language '\($language)' has no backend")) as $suffix
  | {kind: "settings", v: 1, task: $task, suffix: $suffix, model: "qwen3.7-max", base_url: null,
     key_env: null, model_options: [], language: "en", max_tool_calls: 500, max_hours_without_speedup: 2,
     max_rounds_without_improvement: 20, max_tokens: null, max_cost: null, timing_budget: 8} + .;

# --- state ----------------------------------------------------------------------------------------------------------

# A reduction over the transcript's lines. `pending`: the calls of the last turn that have no answer yet. `idle`: turns
# in a row without a call. `repeats`: how often the pending call was just made. `kernels`: what write_kernel made; `current`: the
# last that it named.
def state($settings; $ledger):
  reduce inputs as $line (
    {turns: 0, calls: 0, pending: [], idle: 0, last: null, kernels: [], current: null, elapsed_s: 0, stop: null, tokens: 0, cost: 0,
     tool_errors: [], previous: null, repeats: 0};
    if $line.kind == "turn" then
      .turns += 1 | .last = "turn" | .pending = ($line.message.tool_calls // [])
      | .idle = (if .pending == [] then .idle + 1 else 0 end)
      | .tool_errors = ($line.tool_errors // [])
      | .tokens += ($line.usage | (.prompt_tokens // 0) + (.completion_tokens // 0)) | .cost += ($line.cost.amount // 0)
    elif $line.kind == "call" then
      .elapsed_s = $line.elapsed_s
      | if $line.wrote then .kernels += [$line | {kernel, sha256}] else . end
      | if $line.kernel then .current = $line.kernel else . end
    elif $line.kind == "stop" then .stop = $line.reason | .elapsed_s = $line.elapsed_s
    elif $line.kind == "resume" then .stop = null
    elif $line.role == "tool" then
      .calls += 1 | .last = "tool"
      | .pending[0].function as $call
      | .repeats = (if $call == .previous then .repeats + 1 else 0 end)
      | .previous = $call | .pending |= .[1:]
    elif $line.role then .last = $line.role
    else . end)
  | ([$ledger[] | select(.kind == "evaluation")]) as $rounds
  | ([$rounds | to_entries[] | select(.value.improved)] | last) as $best
  | .suffix = $settings.suffix
  | .rounds = ($rounds | length)
  | .best = (if $best then $best.value | {kernel, speedup, speedup_ci, round, file: "\(.kernel).\($settings.suffix)"} else null end)
  | .rounds_without_improvement = (.rounds - (if $best then $best.key + 1 else 0 end))
  | .best_elapsed_s = ($best.value.elapsed_s // 0)
  | .errors = (reduce $ledger[] as $line (0; if $line.kind == "error" then . + 1 else 0 end))
  | .settings = $settings | .ledger = $ledger;

# --- the pending call -----------------------------------------------------------------------------------------------

def tools: {write_kernel: {required: ["source"], optional: []}, run_verification: {required: [], optional: ["kernel"]},
            profile_tool: {required: [], optional: ["kernel"]}, read_file: {required: ["path"], optional: []}};

# What is wrong with the arguments, or null. Every argument of every tool is a string.
def misuse($tool; $arguments; $kernels):
  tools[$tool] as $signature
  | if $signature == null then
      "there is no tool '\($tool)'; the tools are \(tools | keys_unsorted | join(", "))"
    elif ($arguments | type) != "object" then
      "\($tool): its arguments must be one JSON object"
    else ($signature.required - ($arguments | keys)) as $missing
      | (($arguments | keys) - $signature.required - $signature.optional) as $unknown
      | if $missing != [] then "\($tool): '\($missing[0])' is missing"
        elif $unknown != [] then
          "\($tool): unknown argument '\($unknown[0])'; it takes \($signature.required + $signature.optional | join(", "))"
        elif any($arguments[]; type != "string") then "\($tool): every argument must be a string"
        elif $arguments.kernel and $arguments.kernel != "baseline" and ([$kernels[].kernel] | index($arguments.kernel)) == null then
          "\($tool): there is no '\($arguments.kernel)'; " +
          (if $kernels == [] then "call write_kernel first" else "the kernels are \([$kernels[].kernel] | join(", "))" end)
        else null end
    end;

# The first call that has no answer yet, as the tools' scripts read it.
def pending_call:
  .pending[0] as $call
  | ($call.function.arguments // "" | if . == "" then {} else try fromjson catch null end) as $arguments
  | {call: (.calls + 1), id: $call.id, tool: $call.function.name, arguments: $arguments,
     misuse: (([.tool_errors[] | select(.id == $call.id) | .message] | first) // misuse($call.function.name; $arguments; .kernels)),
     kernel: (($arguments | objects | .kernel) // null), current, kernels, suffix,
     repeats: (if $call.function == .previous then .repeats + 1 else 0 end)};

# --- the next step --------------------------------------------------------------------------------------------------

def exceeded($number; $limit): $limit != null and $number >= $limit;

# `elapsed` in seconds, of work: time between a kill and its resume does not count.
def breaker($elapsed):
  if .errors >= 3 then "verifier_errors"
  elif .repeats >= 10 then "repeated_call"
  elif exceeded(.calls; .settings.max_tool_calls) then "tool_call_budget"
  elif exceeded(.tokens; .settings.max_tokens) then "token_budget"
  elif exceeded(.cost; .settings.max_cost) then "cost_budget"
  elif exceeded(.rounds_without_improvement; .settings.max_rounds_without_improvement) then "no_improvement"
  elif exceeded($elapsed - .best_elapsed_s; .settings.max_hours_without_speedup * 3600) then "no_speedup_in_time"
  else null end;

def next($elapsed):
  if .last == null then "begin"
  elif .stop then "finished \(.stop)"
  elif .last == "turn" and .idle > 2 then "stop model_stopped"
  else breaker($elapsed) as $reason
    | if $reason then "stop \($reason)"
      elif .pending != [] then "call \(pending_call | if .misuse then "misuse" else .tool end)"
      elif .last == "turn" then "nudge"
      else "turn \(.turns + 1)" end
  end;

# --- verdicts -------------------------------------------------------------------------------------------------------

# The ledger's line for this call, or nothing if it has one already or the kernel was judged in an earlier round.
# Better is what its interval's low end says: above the best so far by 2 %, above the baseline at first.
def ledger_line($call; $record; $kernel; $elapsed):
  if any(.ledger[]; .tool_calls == $call and (.kind == "evaluation" or .kind == "error")) then empty
  elif any(.ledger[]; .kind == "evaluation" and .kernel == $kernel) then empty
  else
    ($record.status == "ok" and $record.timing.speedup_ci[0] > (if .best then 1.02 * .best.speedup else 1 end)) as $improved
    | {kind: (if $record.status == "error" then "error" else "evaluation" end), v: 1, round: (.rounds + 1),
       kernel: $kernel, sha256: $record.sha256, status: $record.status, stage: $record.stage, reason: $record.reason,
       message: $record.message, speedup: $record.timing.speedup_geomean, speedup_ci: $record.timing.speedup_ci,
       improved: $improved, best: (if $improved then $kernel else .best.kernel end), tool_calls: $call, elapsed_s: $elapsed}
  end;

def x: "\(. * 100 | round / 100)x";

# What the loop says to the model of a verdict, before the tools' own output.
def verdict_text($call; $kernel):
  ([.ledger[] | select(.kernel == $kernel)] | last) as $line
  | (if .best then "the best is \(.best.kernel), \(.best.speedup | x)" else "there is no best kernel yet" end) as $best
  | (if $line.tool_calls != $call then "\($kernel) was judged in round \($line.round) already; it was not run again.\n" else "" end)
  + if $line.kind == "error" then
      "The verifier failed at \($line.stage): \($line.message)\nThis is no verdict on \($kernel) and costs no round; verify it again."
    elif $line.status == "rejected" then
      "Round \($line.round): \($kernel) is REJECTED at \($line.stage): \($line.reason): \($line.message)\nRolled back: \($best)."
    elif $line.improved then
      "Round \($line.round): \($kernel) is accepted, \($line.speedup | x) over the baseline [\($line.speedup_ci | map(x) | join(", "))]: "
      + (if $line.best == .best.kernel then "the new best." else "the best then. \($best)." end)
    else
      "Round \($line.round): \($kernel) is correct, \($line.speedup | x) over the baseline [\($line.speedup_ci | map(x) | join(", "))], "
      + "but no improvement.\nRolled back: \($best)."
    end;
