// SPDX-License-Identifier: MIT
//
// A loaded program whose ranks share window memory by messages: the ranks, and behind them the objects.
//
// Method: each message, collective and answer of an object carries the sender's knowledge (View). Before a rank
//         continues, its window memory gets what it knows; when it stops, the memory shows what it has stored. Puts,
//         gets and accumulates are local then. Locks, and atomics whose order matters, are messages to objects.
// State:  a rank's RankModel is a function of the answers that it got, like the rank itself, and is saved with it.
// Threads: none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "smpi/process.hpp"
#include "smpi/process/rank_slot.hpp"
#include "smpi/rma_model/rank_driver.hpp"
#include "smpi/rma_model/window_objects.hpp"

namespace rehearse::smpi::model {

class WindowProgram final : public LoadedProgram, public ProgramAroundRanks {
 public:
  WindowProgram(std::unique_ptr<LoadedProgram> program, const std::vector<std::string>& objects);

  Program& ranks() override { return *program_; }

  std::uint32_t actor_count() const override { return ranks_ + objects_.size(); }
  std::string_view actor_noun() const override { return program_->actor_noun(); }
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;
  void restore(ActorId actor, const Snapshot& snapshot) override;
  std::uint64_t site(ActorId actor) override { return is_rank(actor) ? program_->site(actor) : object(actor).site(); }
  std::uint64_t call_chain(ActorId actor) override { return is_rank(actor) ? program_->call_chain(actor) : 0; }
  Frame locate(ActorId actor, const Origin& origin) override {
    return is_rank(actor) ? program_->locate(actor, origin) : Frame{};
  }
  void measure(ApplicationMeter& meter) override { program_->measure(meter); }
  SignatureText spell(std::uint64_t signature) override { return program_->spell(signature); }
  CallDescription describe(ActorId actor) override;

  void lose(ActorId rank, std::string_view why) override { program_->lose(rank, why); }
  void limit_steps(const StepLimits& limits) override {
    limits_ = limits;
    program_->limit_steps(limits);
  }
  Caveats caveats() const override;
  std::string started_command(ActorId rank) const override { return program_->started_command(rank); }
  std::string started_host(ActorId rank) const override { return program_->started_host(rank); }
  CalledAt called_at(std::uint64_t site) const override { return program_->called_at(site); }
  std::vector<RankPosition> rank_positions() const override { return program_->rank_positions(); }

 private:
  struct Saved;

  bool is_rank(ActorId actor) const { return actor.value < ranks_; }
  ObjectActor& object(ActorId actor) { return *states_[actor.value - ranks_]; }
  RankDriver driver(ActorId rank) {
    return {*program_, objects_, models_[rank.value], shown_[rank.value], rank, limits_};
  }

  std::unique_ptr<LoadedProgram> program_;
  std::uint32_t ranks_;
  WindowObjects objects_;
  StepLimits limits_;
  std::vector<RankModel> models_;
  std::vector<ShownOperation> shown_;  // by rank
  std::vector<std::unique_ptr<ObjectActor>> states_;
  bool has_polled_ = false, has_nested_ = false;  // in any execution so far
};

}  // namespace rehearse::smpi::model
