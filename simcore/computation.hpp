// SPDX-License-Identifier: MIT
//
// Computations on one host and on several, as a cost model receives them.
//
// Units: flops, flops per second, bytes.
#pragma once

#include <cstdint>
#include <span>

#include "simcore/transfer.hpp"
#include "simcore/use_observer.hpp"

namespace rehearse {

struct Computation {
  HostId host;
  double flops = 0;  // of each thread
  std::uint32_t threads = 1;
  double rate = unlimited;  // flops per second of all threads together, at most
  double priority = 1;      // proportional to the share
  Category category = 0;    // for observers of uses
};

// Computations on several hosts and transfers between them that advance at the same pace.
struct ParallelTask {
  std::span<const HostId> hosts;
  std::span<const double> flops;  // by host; may be empty
  std::span<const double> bytes;  // row by row, from each host to each; may be empty
  double rate = unlimited;        // of the whole task, in tasks per second
  Category category = 0;          // for observers of uses
};

}  // namespace rehearse
