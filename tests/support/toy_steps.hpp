// SPDX-License-Identifier: MIT
//
// Toy programs of steps, for tests of code that explores their orders: doers that only make a list of accesses to
// objects, one after the other. A lock is an object with one token.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "mc/reduction/steps.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::tests {

struct ToyAccess {
  std::uint64_t object = 1;
  Access access = Access::reads;
};

// The accesses of each doer. Doers are numbered by their places, from 1 on.
using ToyProgram = std::vector<std::vector<ToyAccess>>;

// Letters of accesses with their objects: "w1 r2" writes object 1 and reads object 2; a and f acquire and free the
// token of a lock.
ToyProgram toy(const std::vector<std::string>& doers);

// A random program of reads and writes of a few objects.
ToyProgram random_toy(SplitMix& chance, std::size_t doers, std::size_t max_steps, std::size_t objects);

// The next step of a doer, with the object that it accesses.
mc::reduction::Step toy_step(std::uint64_t who, const ToyAccess& access, bool is_possible = true);

class ToySteps final : public mc::reduction::Steps {
 public:
  explicit ToySteps(ToyProgram program) : program_(std::move(program)), done_(program_.size()) {}

  void list(std::vector<mc::reduction::Step>& steps) override;
  void take(mc::reduction::Step& step) override;
  void take_back() override;
  bool doers_choose() const override { return false; }

  const std::vector<std::uint64_t>& taken() const { return taken_; }  // doers, in order
  bool is_over() const;                                               // whether all steps were taken

 private:
  bool is_held(std::uint64_t lock) const;

  ToyProgram program_;
  std::vector<std::size_t> done_;
  std::vector<std::uint64_t> taken_;
};

// All orders of dependent steps, from all interleavings: for each, the pairs of dependent steps in order.
std::set<std::string> all_orders_of(const ToyProgram& program);
// The order of one interleaving.
std::string order_of(const ToyProgram& program, const std::vector<std::uint64_t>& doers);

}  // namespace rehearse::tests
