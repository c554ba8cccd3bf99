// SPDX-License-Identifier: MIT
//
// Processes that look for the same answer in different ways. They take turns, so that together they use no more than
// one processor, or a part of one. None of them begins again: between its turns, a process is stopped.
//
// Errors: a process that ends without an answer takes no further turns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "mc/parallel/channel.hpp"

namespace rehearse::mc::strategy {

struct Rival {
  std::function<void(parallel::Channel&)> work;  // sends its answer as one frame, or ends without one
  std::uint32_t weight = 1;                      // its turns are so many times as long as the shortest ones
};

// Runs each rival in a child process until one has an answer, and ends the others. Nothing: no rival has one.
// share:    the part of the time in which some rival may run, above 0, at most 1.
// siblings: descriptors that the children close.
std::optional<parallel::Frame> first_answer(const std::vector<Rival>& rivals, double share,
                                            const std::vector<int>& siblings);

}  // namespace rehearse::mc::strategy
