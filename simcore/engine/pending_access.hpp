// SPDX-License-Identifier: MIT
//
// The timed driver's data about an access to the memory of an actor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"

namespace rehearse::engine {

struct Request;

// An access, or mere traffic, on its way.
struct PendingAccess {
  std::uint32_t index = 0;
  bool is_live = false;
  ActorId source;
  ActorId target;
  ContextId context;
  Effect effect = nullptr;
  std::string_view missing;
  Origin origin;
  std::uint64_t bytes_back = 0;
  bool returns = true;
  Request* request = nullptr;  // null: traffic
  std::vector<std::byte> data;
  std::vector<std::byte> answer;
  std::vector<ActorId> waits_for;
  bool has_arrived = false;
};

}  // namespace rehearse::engine
