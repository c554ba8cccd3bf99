// SPDX-License-Identifier: MIT
//
// The common state of all parts of one timed run: its program, platform, options and error.
//
// Errors:    the run returns the error of the first call of fail(); later calls change nothing.
// Ownership: Engine::Core owns it; all parts refer to it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/engine.hpp"

namespace rehearse::engine {

struct RunState {
  Program& program;
  const Platform& platform;
  EngineOptions options;
  std::optional<Error> error = {};
  bool is_stopped = false;                    // an actor has aborted, or no actor can continue
  std::optional<TimePoint> interrupted = {};  // by EngineOptions::stop
  bool is_cut = false;                        // by EngineOptions::until
  std::uint64_t used_decisions = 0;           // forced decisions that the program has reached
  std::vector<std::pair<ActorId, Finding>> reports = {};

  void fail(std::string text, bool is_inconclusive = false) {
    if (!error) error = Error{std::move(text), is_inconclusive};
  }
  bool is_eager(std::uint64_t bytes) const { return options.eager_bytes > 0 && bytes <= options.eager_bytes; }
  Category category_of(ActorId actor) const { return options.category_of ? options.category_of(actor) : 0; }
  bool has_bounded_buffers() const { return options.buffer_bytes != EngineOptions::infinite; }
  // The schedule's answer to this operation of the actor; null: it has none.
  const Answer* find_forced(ActorId actor, std::uint32_t operation) const {
    if (options.forced.answers.empty()) return nullptr;
    const auto forced = options.forced.answers.find({actor, operation});
    return forced == options.forced.answers.end() ? nullptr : &forced->second;
  }
};

}  // namespace rehearse::engine
