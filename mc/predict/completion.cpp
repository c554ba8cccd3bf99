// SPDX-License-Identifier: MIT
//
// A standard send is certainly buffered if everything that its actor sends there up to it fits, and never if it does
// not fit alone.
#include "mc/predict/completion.hpp"

#include <map>
#include <utility>

namespace rehearse::mc::predict {

std::vector<Completion> completions(const Course& course, const Policy& policy) {
  std::vector<Completion> result;
  std::map<std::pair<Index, Index>, std::uint64_t> sent;  // by channel
  for (const Message& message : course.messages) {
    std::uint64_t& bytes = sent[{message.source, message.destination}];
    bytes += message.bytes;
    const bool is_free = message.mode == SendMode::buffered || policy.eager_bytes == Policy::infinite;
    if (message.mode == SendMode::synchronous || (!is_free && policy.eager_bytes == 0))
      result.push_back(Completion::when_matched);
    else if (is_free || bytes <= policy.eager_bytes) result.push_back(Completion::at_once);
    else if (message.bytes > policy.eager_bytes) result.push_back(Completion::when_matched);
    else result.push_back(Completion::by_room);
  }
  return result;
}

}  // namespace rehearse::mc::predict
