// SPDX-License-Identifier: MIT
//
// Messages between exploring processes: the assignment of parts of the exploration, and their results.
//
// A log is what came of a part of an exploration: Entries one behind the other, in the order of the exploration.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/records/bytes.hpp"
#include "mc/reduction/path.hpp"

namespace rehearse::mc::parallel {

enum class EntryKind : std::uint8_t {
  execution,   // operations since the last one; the Execution
  operations,  // that led to no execution
  limits,
  left_out,  // a text: why something behind this is missing, while the exploration continues
  end,       // a text: why it does not continue
};

// A part of an exploration as it is given to somebody.
struct Assignment {
  // What the one who had it before gave up when so many executions were visited.
  struct Gone {
    std::uint64_t after = 0;
    reduction::Cut cut;
  };

  reduction::Path path;
  std::uint64_t skip = 0;   // so many executions are in the log already
  std::vector<Gone> gone;   // in order; none after `skip`
  bool is_careful = false;  // report where you stand: the part has killed a worker
};

void put(records::Writer& to, const Assignment& assignment);
void get(records::Reader& from, Assignment& assignment);

}  // namespace rehearse::mc::parallel
