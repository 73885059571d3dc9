// One function a rule; each is in rules/NAME.cc.
#pragma once

#include "lint/rule.h"

namespace assay {

void calls_out(const Unit& unit, Findings& findings);
void carries_results(const Unit& unit, Findings& findings);
void constant_output(const Unit& unit, Findings& findings);
void early_return(const Unit& unit, Findings& findings);
void evasion(const Unit& unit, Findings& findings);
void exact_shape(const Unit& unit, Findings& findings);
void fallback(const Unit& unit, Findings& findings);
void monkeypatch(const Unit& unit, Findings& findings);
void not_fully_analysed(const Unit& unit, Findings& findings);
void output_never_written(const Unit& unit, Findings& findings);
void output_table(const Unit& unit, Findings& findings);
void reads_verifier(const Unit& unit, Findings& findings);
void timer_tampering(const Unit& unit, Findings& findings);
void tolerance_tampering(const Unit& unit, Findings& findings);
void value_sniff(const Unit& unit, Findings& findings);
void writes_input(const Unit& unit, Findings& findings);

}  // namespace assay
