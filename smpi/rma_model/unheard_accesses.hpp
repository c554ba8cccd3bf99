// SPDX-License-Identifier: MIT
//
// Accesses of which a rank that waits forever has not heard.
//
// Method: a judge describes all ranks where they wait or have ended. Each description has what the rank knows then
//         (SharedKnowledge). The knowledge of all ranks together shows which accesses nothing orders.
// Threads: none.
#pragma once

#include <memory>

#include "simcore/program.hpp"
#include "smpi/rma_model/rank_model.hpp"

namespace rehearse::smpi::model {

// `program` must outlive it.
std::shared_ptr<const SharedKnowledge> knowledge_of(ActorId rank, const RankModel& model, Program& program);

}  // namespace rehearse::smpi::model
