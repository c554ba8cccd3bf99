// SPDX-License-Identifier: MIT
//
// Long random sequences of changes: the solver that follows them against one that starts from nothing.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "simcore/sharing/fair_sharing.hpp"
#include "simcore/sharing/fluid.hpp"

using namespace rehearse;
using namespace rehearse::sharing;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  std::uint32_t whole(std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(generator_);
  }
  bool one_in(std::uint32_t n) { return whole(1, n) == 1; }

 private:
  std::mt19937 generator_;
};

// A system that changes, described twice: to the solver under test and as a list.
class ChangingSystem {
 public:
  explicit ChangingSystem(unsigned seed) : random_(seed) {
    is_regular_ = random_.one_in(2);
    const bool is_large = seed % 50 == 0;
    most_flows_ = is_large ? 1500 : random_.whole(1, 120);
    has_fatpipes_ = !is_regular_ && random_.one_in(8);
    for (std::uint32_t i = is_large ? 200 : random_.whole(1, 40); i > 0; --i) {
      const bool is_fatpipe = has_fatpipes_ && random_.one_in(5);
      divisions_.push_back(is_fatpipe ? Division::fatpipe : Division::shared);
      capacities_.push_back(capacity());
      sharing_.add_resource(capacities_.back(), divisions_.back());
    }
  }

  void change() {
    const std::uint32_t what = random_.whole(0, 9);
    if (flows_.empty() || (what < (most_flows_ > 200 ? 6 : 4) && flows_.size() < most_flows_)) {
      add();
    } else if (what < 8) {
      const auto flow = some_flow();
      sharing_.set_count(flow->first, 0);
      flows_.erase(flow);
    } else if (what == 8) {
      const auto flow = some_flow();
      flow->second.count = random_.whole(1, 4);
      sharing_.set_count(flow->first, flow->second.count);
    } else {
      const ResourceIndex resource = random_.whole(0, resources() - 1);
      capacities_[resource] = random_.one_in(10) ? 0 : capacity();
      sharing_.set_capacity(resource, capacities_[resource]);
    }
  }

  // The greatest relative difference from the full solution, and whether something overflows.
  double error() {
    sharing_.solve();
    ProgressiveFilling filling;
    for (std::uint32_t i = 0; i < resources(); ++i) filling.add_resource(capacities_[i], divisions_[i]);
    for (const auto& [bundle, flow] : flows_) {
      filling.add_flow(flow.weight, flow.bound);
      for (const Use& use : flow.uses) {
        const bool is_shared = divisions_[use.resource] == Division::shared;  // otherwise each flow may use all of it
        filling.add_use(use.resource, use.coefficient * (is_shared ? flow.count : 1));
      }
    }
    filling.solve();
    double error = 0;
    std::uint32_t i = 0;
    std::vector<double> usage(resources());
    for (const auto& [bundle, flow] : flows_) {
      const double rate = sharing_.rate(bundle), right = filling.rate(i++);
      if (rate != right) error = std::max(error, std::fabs(rate - right) / std::max(rate, right));
      for (const Use& use : flow.uses) usage[use.resource] += use.coefficient * rate * flow.count;
    }
    for (std::uint32_t r = 0; r < resources(); ++r)
      if (divisions_[r] == Division::shared) error = std::max(error, usage[r] / std::max(capacities_[r], 1e-9) - 1);
    return error;
  }

  Random& random() { return random_; }

 private:
  struct Flow {
    double weight = 1;
    double bound = unbounded;
    std::vector<Use> uses;
    std::uint32_t count = 1;
  };

  std::uint32_t resources() const { return static_cast<std::uint32_t>(capacities_.size()); }
  double capacity() { return is_regular_ ? random_.whole(1, 3) : random_.real(1, 10); }
  std::map<BundleIndex, Flow>::iterator some_flow() {
    return std::next(flows_.begin(), random_.whole(0, static_cast<std::uint32_t>(flows_.size() - 1)));
  }

  void add() {
    Flow flow;
    if (!is_regular_) flow.weight = random_.real(0.2, 4);
    if (random_.one_in(3)) flow.bound = is_regular_ ? random_.whole(1, 4) * 0.25 : random_.real(0, 2);
    for (std::uint32_t i = random_.whole(1, 4); i > 0; --i) {
      const ResourceIndex resource = random_.whole(0, resources() - 1);
      if (std::none_of(flow.uses.begin(), flow.uses.end(), [&](const Use& use) { return use.resource == resource; }))
        flow.uses.push_back({resource, random_.one_in(3) ? 0.05 : 1});
    }
    flows_.emplace(sharing_.add_bundle(flow.weight, flow.bound, flow.uses), flow);
  }

  Random random_;
  bool is_regular_ = false;
  bool has_fatpipes_ = false;
  std::size_t most_flows_ = 0;
  FairSharing sharing_;
  std::vector<double> capacities_;
  std::vector<Division> divisions_;
  std::map<BundleIndex, Flow> flows_;
};

}  // namespace

TEST_CASE("fair sharing: after any changes the rates are those of a full solution", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 250; ++seed) {
    ChangingSystem system(seed);
    double worst = 0;
    for (int step = 0; step < (seed % 50 ? 250 : 2500); ++step) {
      const std::uint32_t changes = system.random().one_in(5) ? system.random().whole(2, 6) : 1;
      for (std::uint32_t i = 0; i < changes; ++i) system.change();
      worst = std::max(worst, system.error());
    }
    INFO("seed " << seed);
    CHECK(worst < 1e-9);
  }
}
