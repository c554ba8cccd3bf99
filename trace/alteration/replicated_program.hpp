// SPDX-License-Identifier: MIT
//
// A trace several times, side by side: replicas that share the machine and nothing else. The ranks of replica k follow
// those of replica k-1.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "trace/replayed_program.hpp"

namespace rehearse::trace::alteration {

class ReplicatedProgram final : public ReplayedProgram {
 public:
  // Each replica is a Program of its own. Requires: at least one, and all have the same number of actors.
  explicit ReplicatedProgram(std::vector<std::unique_ptr<ReplayedProgram>> replicas);

  const std::optional<Error>& problem() const override;
  std::uint64_t actions() const override;
  std::string format() const override { return replicas_.front()->format(); }
  std::string about() const override { return replicas_.front()->about(); }
  bool has_reductions() const override { return replicas_.front()->has_reductions(); }
  FrozenAnswers frozen() const override;
  ActionPlace place(ActorId actor) override { return of(actor).place(inner(actor)); }
  std::vector<ActionPlace> places() const override { return replicas_.front()->places(); }

  std::uint32_t actor_count() const override { return static_cast<std::uint32_t>(ranks_.size()); }
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId) override { return nullptr; }
  void restore(ActorId, const Snapshot&) override;
  std::uint64_t site(ActorId actor) override { return of(actor).site(inner(actor)); }
  Frame locate(ActorId actor, const Origin& origin) override { return of(actor).locate(inner(actor), origin); }
  std::string_view actor_noun() const override { return replicas_.front()->actor_noun(); }
  SignatureText spell(std::uint64_t signature) override { return replicas_.front()->spell(signature); }
  CallDescription describe(ActorId actor) override;

 private:
  struct Rank {
    const Operation* asked = nullptr;  // by its replica; null: not yet
    bool is_moved = false;             // the operation names other ranks or a context
    Operation moved;                   // with the numbers among all replicas
    std::vector<ActorId> members;      // of its collective
  };

  ReplayedProgram& of(ActorId actor) { return *replicas_[actor.value / size_]; }
  ActorId inner(ActorId actor) const { return {actor.value % size_}; }
  ActorId outer(std::uint32_t first, ActorId actor) const { return {first + actor.value}; }
  ContextId context_of(std::uint32_t first, ContextId context);
  bool move(std::uint32_t first, Rank& rank);

  std::vector<std::unique_ptr<ReplayedProgram>> replicas_;
  std::uint32_t size_;  // actors of a replica
  std::vector<Rank> ranks_;
  std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> contexts_;  // by replica: number among all replicas
  std::uint64_t next_context_ = 1;
  std::vector<Completion> completions_;  // of the answer at hand
};

}  // namespace rehearse::trace::alteration
