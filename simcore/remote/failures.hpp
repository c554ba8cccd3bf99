// SPDX-License-Identifier: MIT
//
// The end of an execution as a failure, in words.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/debug.hpp"
#include "simcore/operation.hpp"
#include "simcore/remote/execution.hpp"
#include "simcore/remote_actor_program.hpp"

namespace rehearse::remote {

// Source lines of a driven program.
class Places {
 public:
  Places(const std::string& path, std::uint64_t base) : map_(path), base_(base) {}

  // The frames in the user's code, innermost first; without those of the actor API and of libraries.
  std::vector<Frame> find(std::span<const std::uint64_t> addresses) const;

 private:
  SourceMap map_;
  std::uint64_t base_;
};

struct Failure {
  FailureKind kind = FailureKind::crash;
  std::string id;
  std::string what;
  std::optional<ActorStop> at;  // the actor that crashed
};

// Of a point that is neither a choice nor an end. `errors`: the error output of the execution.
Failure failure_of(const Point& point, const std::string& errors, const Places& places);

ActorsEnd end_of(const Stop& stop, const Places& places);

}  // namespace rehearse::remote
