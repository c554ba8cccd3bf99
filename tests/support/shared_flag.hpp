// SPDX-License-Identifier: MIT
//
// A flag that this process shares with its forked processes, and a program that sets it in the middle of an
// exploration.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "simcore/program.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::tests {

class SharedFlag {
 public:
  SharedFlag() {
    void* page = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    flag_ = new (page) std::atomic<bool>(false);
  }
  ~SharedFlag() { munmap(flag_, sizeof *flag_); }
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;

  void set() { *flag_ = true; }
  StopToken stop() const { return StopToken::watch(*flag_); }  // the flag must outlive it

 private:
  std::atomic<bool>* flag_;
};

// Sets the flag in the step with this number. Each process counts its own steps.
class SetsFlag final : public Program {
 public:
  SetsFlag(std::unique_ptr<Program> inner, std::uint64_t at, SharedFlag& flag)
      : inner_(std::move(inner)), at_(at), flag_(flag) {}

  std::uint32_t actor_count() const override { return inner_->actor_count(); }
  const Operation& next(ActorId actor) override { return inner_->next(actor); }
  void resume(ActorId actor, const Observation& observation) override {
    inner_->resume(actor, observation);
    if (++steps_ == at_) flag_.set();
  }
  void restart(ActorId actor) override { inner_->restart(actor); }
  std::unique_ptr<Snapshot> save(ActorId actor) override { return inner_->save(actor); }
  void restore(ActorId actor, const Snapshot& snapshot) override { inner_->restore(actor, snapshot); }
  std::uint64_t site(ActorId actor) override { return inner_->site(actor); }
  CallDescription describe(ActorId actor) override { return inner_->describe(actor); }

 private:
  std::unique_ptr<Program> inner_;
  std::uint64_t at_;
  SharedFlag& flag_;
  std::uint64_t steps_ = 0;
};

}  // namespace rehearse::tests
