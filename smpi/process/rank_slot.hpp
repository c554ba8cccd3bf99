// SPDX-License-Identifier: MIT
//
// The library's data of a paused rank, also of a program that another Program contains.
#pragma once

#include "simcore/ids.hpp"
#include "simcore/program.hpp"

namespace rehearse::smpi {

// A Program that adds something to the ranks of a loaded program.
class ProgramAroundRanks {
 public:
  virtual ~ProgramAroundRanks() = default;
  virtual Program& ranks() = 0;
};

// The actor_slot() of a rank of a loaded program. The rank's memory is accessible after Program::next() for it.
const void* rank_slot(Program& program, ActorId rank);

}  // namespace rehearse::smpi
