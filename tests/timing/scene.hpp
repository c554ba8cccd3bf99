// SPDX-License-Identifier: MIT
//
// What the timing scenarios have in common: a platform, a simulation on it, the dates of what happens, and comparison
// with numbers as they were printed.
//
// Numbers: those of rows of a table of scenarios; `timing 17` in a test's name is row 17. They were printed by another
//          simulator that was written independently of this one. Where a claim says that it is wrong, the number here
//          is the right one, and a comment says why.
// Errors:  a simulation that ends in a deadlock or with an actor that threw fails the test, unless it says otherwise.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"

namespace rehearse::testing {

// A platform of the folder tests/timing/platforms.
Platform stored_platform(const std::string& name);
// The content of a platform file, without its outermost element.
Platform described(const std::string& content);

struct Noted {
  std::string what;
  double date = 0;
};

class Scene {
 public:
  explicit Scene(Platform platform, ModelOptions models = {});
  explicit Scene(const std::string& stored, ModelOptions models = {})
      : Scene(stored_platform(stored), std::move(models)) {}

  sim::Simulation& operator*() { return simulation_; }
  sim::Simulation* operator->() { return &simulation_; }

  void actor(const std::string& host, std::function<void()> function, const sim::ActorOptions& options = {});

  // Remembers the present date under a name.
  void note(const std::string& what = "");
  // The dates noted under that name, in order.
  std::vector<double> dates(const std::string& what = "") const;
  double date(const std::string& what) const;  // there must be exactly one
  const std::vector<Noted>& notes() const { return notes_; }

  double run();  // to the end, which it returns

 private:
  Platform platform_;
  sim::Simulation simulation_;
  std::vector<Noted> notes_;
};

// What is known of one of the network models, with cross-traffic or without.
ModelOptions network(const std::string& name);
ModelOptions network_without_crosstraffic(const std::string& name);

// Compares with what was printed with so many decimals.
class Printed : public Catch::MatcherBase<double> {
 public:
  explicit Printed(double value, int decimals = 6);
  bool match(const double& actual) const override;
  std::string describe() const override;

 private:
  double value_;
  int decimals_;
};

class AllPrinted : public Catch::MatcherBase<std::vector<double>> {
 public:
  explicit AllPrinted(std::vector<double> values, int decimals = 6);
  bool match(const std::vector<double>& actual) const override;
  std::string describe() const override;

 private:
  std::vector<double> values_;
  int decimals_;
};

}  // namespace rehearse::testing
