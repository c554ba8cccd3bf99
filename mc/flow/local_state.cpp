// SPDX-License-Identifier: MIT
//
// Which requests may take messages.
#include "mc/flow/local_state.hpp"

#include <algorithm>

#include "mc/history/words.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::flow {

bool overlap(const Pattern& a, const Pattern& b) {
  return a.context == b.context && (!a.source || !b.source || *a.source == *b.source) &&
         (!a.tag || !b.tag || *a.tag == *b.tag);
}

bool LocalState::is_over() const {
  return std::holds_alternative<End>(node->operation) || std::holds_alternative<Fail>(node->operation);
}

LocalState::Wait LocalState::wait() const {
  Wait wait;
  const auto add = [&](RequestId id) {
    const auto found = std::ranges::find(requests, id, &StartedRequest::id);
    REHEARSE_ASSERT(found != requests.end(), "an actor waits for requests that it has started");
    wait.requests.push_back(static_cast<std::uint32_t>(found - requests.begin()));
  };
  if (const auto* observe = std::get_if<Observe>(&node->operation)) {
    for (const RequestId id : observe->requests) add(id);
    wait.for_all = observe->quantifier == Quantifier::all || observe->requests.size() == 1;
  } else if (!is_over()) {
    add(requests.back().id);  // a blocking operation has started the last one
  }
  return wait;
}

std::vector<std::uint32_t> LocalState::active(bool all, const LocalRules& rules) const {
  if (is_over()) return {};
  std::vector<bool> chosen(requests.size());
  Wait wait = this->wait();
  std::ranges::sort(wait.requests);
  for (const std::uint32_t i : wait.requests) {
    if (requests[i].is_complete()) continue;
    chosen[i] = true;
    if (wait.for_all) break;  // one after the other
  }
  for (std::size_t i = 0; all && i < requests.size(); ++i) chosen[i] = chosen[i] || requests[i].is_open_receive();
  // Earlier receives that may take a message from a chosen one.
  for (std::size_t i = requests.size(); rules.takes_overlapping && i-- > 0;) {
    if (!chosen[i] || !requests[i].is_receive()) continue;
    for (std::size_t other = 0; other < i; ++other)
      if (requests[other].is_open_receive() && overlap(requests[other].pattern(), requests[i].pattern()))
        chosen[other] = true;
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) result.push_back(i);
  return result;
}

Hash128 LocalState::key() const {
  constexpr std::uint64_t end_of_list = ~std::uint64_t{0};
  history::Words words;
  words.add(reinterpret_cast<std::uintptr_t>(node), requests.size());
  for (const StartedRequest& request : requests) {
    words.add(request.id.value, request.started->site, request.may_wait, request.sent);
    words.add_hash(request.started->fingerprint);
    for (const MessageId message : request.got) words.add(message);
    words.add(end_of_list);
    for (const std::uint32_t member : request.awaited) words.add(member);
    words.add(end_of_list);
  }
  for (const auto& [context, count] : collectives) words.add(context.value, count);
  return words.hash();
}

}  // namespace rehearse::mc::flow
