// SPDX-License-Identifier: MIT
//
// A Program whose actors are C++ functions, each on a separate fiber. There is no memory isolation: captures by
// reference are shared, and save() returns null.
//
// Protocol: a function asks through actor.hpp; returning from it is End{0}; an exception that leaves it is
//           Fail{crash, "crash.exception"}. restart() runs the function again on a fresh stack; the abandoned stack's
//           destructors do not run, so a function that is restarted should own no memory across ask().
// Threads:  none.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "simcore/program.hpp"

namespace rehearse {

struct FiberOptions {
  std::size_t stack_bytes = std::size_t{256} << 10;  // of address space; only touched pages take memory
};

class FiberProgram final : public Program {
 public:
  explicit FiberProgram(std::vector<std::function<void()>> actors, FiberOptions options = {});
  ~FiberProgram() override;

  std::uint32_t actor_count() const override;
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;          // always null
  void restore(ActorId actor, const Snapshot& snapshot) override;  // never called, because save() returns null
  void measure(ApplicationMeter& meter) override;
  CallDescription describe(ActorId actor) override;  // the kind of the operation; no frames

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rehearse
