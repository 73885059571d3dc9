#include <algorithm>
#include <tuple>

#include "lint/rule.h"

namespace assay {
namespace {

constexpr size_t most_findings = 200;  // in a record; the rest is counted

class Lines {
 public:
  explicit Lines(const std::string& text) {
    starts_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(static_cast<uint32_t>(i + 1));
  }
  std::pair<uint32_t, uint32_t> place(uint32_t offset) const {
    size_t line = static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
    return {static_cast<uint32_t>(line), offset - starts_[line - 1] + 1};
  }

 private:
  std::vector<uint32_t> starts_;
};

}  // namespace

void Findings::add(Severity severity, Node at, const std::string& message) {
  add(severity, at.start(), at.end(), at, message);
}

void Findings::add(Severity severity, uint32_t start, uint32_t end, Node within, const std::string& message) {
  raw_.push_back({rule_, severity, start, end, within.id, message});
}

void Findings::add_written(Severity severity, uint32_t start, uint32_t bytes, const std::string& message) {
  raw_.push_back({rule_, severity, start, start + bytes, 0, message, true});
}

LintReport Findings::report() {
  LintReport report;
  Lines lines(unit_.source);
  std::sort(raw_.begin(), raw_.end(), [](const Raw& a, const Raw& b) {
    return std::tuple(a.start, std::string_view(a.rule), -static_cast<int>(a.severity), a.end) <
           std::tuple(b.start, std::string_view(b.rule), -static_cast<int>(b.severity), b.end);
  });
  std::vector<Finding> all;
  for (const Raw& raw : raw_) {
    Finding f;
    f.rule = raw.rule;
    f.severity = raw.severity;
    f.message = raw.message;
    uint32_t start = raw.start, end = raw.end;
    if (!raw.written) {
      if (unit_.expanded) {
        start = unit_.expanded->source_offset(raw.start);
        end = std::max(start, raw.end > raw.start ? unit_.expanded->source_offset(raw.end - 1) + 1 : start);
      }
      if (start < unit_.trusted) continue;
      start -= unit_.trusted;
      end -= unit_.trusted;
    }
    std::tie(f.line, f.column) = lines.place(start);
    std::tie(f.end_line, f.end_column) = lines.place(end);
    Node node = unit_.tree.node(raw.node);
    if (unit_.flow) {
      if (const Function* around = unit_.flow->function(node)) f.function = around->name;
    } else if (unit_.python) {
      f.function = unit_.python->function(node);
    }
    bool again = false;
    for (size_t i = all.size(); i-- > 0 && all[i].line == f.line && !again;) {
      again = all[i].rule == f.rule;
      if (again) all[i].severity = std::max(all[i].severity, f.severity);
    }
    if (!again) all.push_back(std::move(f));
  }
  std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  // Past the limit, what rejects stays.
  if (all.size() > most_findings) {
    std::stable_partition(all.begin(), all.end(), [](const Finding& f) { return f.severity == Severity::error; });
    report.omitted = all.size() - most_findings;
    all.resize(most_findings);
    std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
      return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
  }
  report.findings = std::move(all);
  return report;
}

LintReport lint(const std::string& text, Language language, const std::string& trusted) {
  std::string whole = trusted + text;
  std::optional<Expanded> expanded;
  if (language == Language::cpp) expanded = expand_macros(whole);
  bool use_expanded = expanded && !expanded->gave_up;
  Tree tree = parse(use_expanded ? expanded->text : whole, language);
  std::optional<Flow> flow;
  std::optional<Uses> uses;
  std::optional<Python> python;
  if (language == Language::cpp) {
    flow.emplace(tree);
    uses.emplace(collect_uses(tree, flow->symbols));
  } else {
    python.emplace(tree);
  }
  Unit unit{text, use_expanded ? &*expanded : nullptr, static_cast<uint32_t>(trusted.size()), expanded && expanded->gave_up, tree, flow ? &*flow : nullptr, uses ? &*uses : nullptr, python ? &*python : nullptr};
  Findings findings(unit);
  size_t rules = 0;
  for (const Rule& rule : all_rules()) {
    if (!(language == Language::cpp ? rule.cpp : rule.python)) continue;
    ++rules;
    findings.open_rule(rule.id);
    rule.run(unit, findings);
  }
  LintReport report = findings.report();
  report.rules = rules;
  for (Node n : tree.nodes()) report.parse_errors += n.broken();
  return report;
}

}  // namespace assay
