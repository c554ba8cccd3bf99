// SPDX-License-Identifier: MIT
//
// Queued operations at their target: carries them out when an active epoch ends, and finds conflicts between them.
//
// Order:  operations of one epoch are not ordered, except atomics of one origin. In a program without races only
//         atomics can show an order: if atomics of several origins meet at a place and one of them returns or replaces
//         values, every order of these operations is a choice of the driver.
// Races:  two operations that touch a byte, one of which updates it, unless both are atomics with the same operator
//         and element type, or one is a replacement and the other a compare-and-swap. The owner's loads and stores in
//         the epoch conflict likewise. They are ordered before an operation only if its origin heard from others since
//         its epoch began; then the race is not certain, and the exploration is incomplete.
// Source: MPI 5.0, 12.7; the rules for conflicts follow the table of docs/design/one-sided.md.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "smpi/buffers/exposed.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {

// The messages of one origin, one behind the other.
struct Delivery {
  int origin = 0;
  std::vector<std::byte> messages;
};

// The window memory of the calling rank that others can access, as far as it is known when an epoch begins. Of a shared
// window that is explored, the copy of all segments.
Span memory_of(const Window& window);

// The caller promised at `promised`, by MPI_MODE_NOPUT, that none of these operations updates its memory: reports one
// that does.
void check_no_put(const Window& window, const std::vector<Delivery>& deliveries, const CreationSite& promised);

// Reports races, also with the owner's uses in `exposed`, and carries out all operations on the calling rank's memory.
// The answers to each origin, in its order.
std::vector<std::vector<std::byte>> carry_out(Window& window, const std::vector<Delivery>& deliveries,
                                              const Exposed& exposed);

}  // namespace rehearse::smpi
