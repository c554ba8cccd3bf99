// SPDX-License-Identifier: MIT
//
// One point of a sweep, ready to run: its machine, with the values of all parameters applied.
#pragma once

#include <memory>

#include "app/machine.hpp"
#include "app/sweep.hpp"
#include "manynode/replica.hpp"

namespace rehearse::app {

struct SweepPlace {
  std::unique_ptr<Machine> machine;  // its cost model is not used
  manynode::ReplicaSetting setting;  // refers to the machine
  bool has_collectives_alone = false;
};

// `setting.run.replica` is still to be set.
Result<std::unique_ptr<SweepPlace>> prepare(const SweepRequest& request, const SweepPoint& point,
                                            std::shared_ptr<const manynode::Skeleton> skeleton,
                                            const manynode::RecordedTimes* recorded);

}  // namespace rehearse::app
