// SPDX-License-Identifier: MIT
//
// Short functions for operations of actors in test programs. They number the requests as the seam requires.
//
// Ownership: one object per actor, on its stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/actor.hpp"

namespace rehearse::testing {

struct Received {
  std::uint32_t source = 0;
  Tag tag = 0;
  std::string text;
};

class ActorCalls {
 public:
  using Anyone = std::optional<std::uint32_t>;

  RequestId send(std::uint32_t to, std::string_view text, Tag tag = 0, SendMode mode = SendMode::standard,
                 bool blocking = true);
  // Sends a message of this many bytes.
  void send_bytes(std::uint32_t to, std::size_t bytes, Tag tag = 0);
  Received receive(Anyone from = {}, std::optional<Tag> tag = {});
  RequestId post(Anyone from = {}, std::optional<Tag> tag = {});
  RequestId start_send(std::uint32_t to, std::string_view text, Tag tag = 0, SendMode mode = SendMode::standard);

  // The indices of the completed requests; empty if a poll is answered "no".
  std::vector<std::uint32_t> observe(std::vector<RequestId> requests, Quantifier quantifier, bool blocking);
  void wait_all(std::vector<RequestId> requests) { observe(requests, Quantifier::all, true); }
  bool test(RequestId request) { return !observe({request}, Quantifier::all, false).empty(); }
  std::optional<Received> probe(Anyone from, std::optional<Tag> tag, bool blocking);

  // Returns the contributions of all members as texts.
  std::vector<std::string> collective(std::string_view name, Flow flow, std::uint32_t root,
                                      std::string_view contribution, bool combining = false);
  // Between two groups: the first `first` actors, and the others.
  std::vector<std::string> between(std::string_view name, const Collective& what, std::uint32_t first,
                                   std::string_view contribution);
  void barrier() { collective("barrier", Flow::all_to_all, 0, ""); }
  std::vector<std::string> all_to_all(const std::vector<std::string>& segments);

  double now();
  void sleep(double seconds) { ask(Sleep{Duration::from_seconds(seconds)}); }
  void compute(double flops) { ask(Compute{flops}); }
  void log(std::string_view text) { ask(Log{1, text}); }
  void release(RequestId request) { ask(Release{request}); }

  ContextId context{};

 private:
  RequestId next() { return {requests_++}; }
  std::vector<std::string> run(Collective operation);
  std::uint32_t requests_ = 0;
};

}  // namespace rehearse::testing
