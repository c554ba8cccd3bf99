// SPDX-License-Identifier: MIT
//
// Messages between exploring processes: the assignment of parts of the exploration, and their results.
//
// A log has the results of a part of an exploration: entries, in the order of the exploration.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/records/bytes.hpp"
#include "mc/reduction/path.hpp"

namespace rehearse::mc::parallel {

// The kinds of orders of a coordinator. A worker of the same process reads the last two from memory that they share.
enum class Order : std::uint8_t {
  assignment,  // an Assignment
  donations,   // how many parts the worker shall give away
  stop,        // the exploration ends: report the remaining work
};

enum class EntryKind : std::uint8_t {
  execution,   // operations since the last execution; the Execution
  operations,  // operations that led to no execution
  limits,
  left_out,  // a text: why some executions after this are missing. The exploration continues
  end,       // a text: why the exploration does not continue
};

// A part of an exploration, for one worker.
struct Assignment {
  // Work that the previous worker donated after this number of executions.
  struct Donated {
    std::uint64_t after = 0;
    reduction::Cut cut;
  };

  reduction::Path path;
  std::uint64_t skip = 0;        // number of executions that are already in the log
  std::vector<Donated> donated;  // in order; none after `skip`
  bool is_careful = false;       // report each place: the part has killed a worker
};

void put(records::Writer& to, const Assignment& assignment);
void get(records::Reader& from, Assignment& assignment);

}  // namespace rehearse::mc::parallel
