// The layers of a check, in the order they run: cheap and plain first, so that a plainly wrong kernel is called wrong.
// Each looks for one kind of deceit; each call of each layer is looked at in full (perturb/subject.h).
#pragma once

#include <vector>

#include "perturb/oracle.h"
#include "perturb/subject.h"

namespace assay {

struct Prepared {
  Case c;
  std::vector<Tensor> expected;
};

struct Perturbing {
  const Task& task;
  Oracle& oracle;
  Subject& subject;
  Random& random;
  std::vector<Prepared>& publics;  // one case of each public workload: later layers build on it and save references

  Prepared prepare(const Workload& workload, bool needle = false);
  std::vector<const Prepared*> smallest() const;  // of publics: for each set of types the one that moves least
};

struct Layer {
  const char* name;
  const char* finds;  // one line for the manual
  bool fresh_process; // runs in a process that no earlier layer used
  Failure (*run)(Perturbing& p);
};

const std::vector<Layer>& layers();

Failure public_workloads(Perturbing& p);
Failure hidden_axes(Perturbing& p);
Failure needles(Perturbing& p);
Failure same_input_twice(Perturbing& p);
Failure new_values_same_pointers(Perturbing& p);
Failure same_values_new_pointers(Perturbing& p);
Failure relations(Perturbing& p);

}  // namespace assay
