// SPDX-License-Identifier: MIT
//
// Decides which executions of a repeated piece of code run and are measured, and gives the time of the others.
//
// Class:    executions with the same name, up to 4 numbers and, as the scope says, on the same group of actors. The
//           executions of a class have one distribution of times. The first execution of each actor (cold caches, first
//           use of memory) has a distribution apart.
// Count:    an execution is disturbed if another process slowed the core down (core_probe.hpp); its own time does not
//           matter for that. Disturbed executions do not count, so no time of the program is left out because it is
//           unusual. The actor takes the time of an earlier undisturbed one. If fewer than a quarter of the executions
//           are undisturbed, all count.
// Stop:     a class is complete when `most` executions ran, or earlier, after 32 that count, when the half-width of the
//           95 % confidence interval of its mean is at most `error` of the mean. If times are drawn, the distribution
//           must be known, too: to 10 % everywhere (185 samples), or so well that the expected mean distance of its
//           quantiles from the true ones is at most `error` of the mean.
// Why 32:   a few equal times say nothing about a mode that is seldom. 32 executions miss one that has a tenth of all
//           with a probability of 3 %, and a correlation of neighbours can be told from none. docs/design/traces.md has
//           the errors with fewer.
// Law:      with models, an unknown class with numbers takes the time of a law, if other classes of its name give one
//           (sample_law.hpp): the distribution of the class with the nearest product of numbers, scaled. It never runs.
// Draws:    from the measured times themselves, the longest ones included. They are seeded by the seed of the run,
//           actor, class and number of the execution. So they depend on neither order nor machine.
// Known:    a class that was given by know() is complete and never runs.
// Units:    seconds on this machine.
// Threads:  none.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simcore/sample_law.hpp"
#include "simcore/sample_statistics.hpp"

namespace rehearse {

enum class SampleScope : std::uint8_t { run, host, actor };
enum class SampleAs : std::uint8_t { draw, mean, sequence };

struct SampleRule {
  double error = 0.02;        // of the mean; 0: no early stop
  std::uint64_t most = 1000;  // executions of a class that run; at least 1
  SampleScope scope = SampleScope::run;
  // `error` limits the standard error instead of the half-width, from the 5th execution on, and the distribution need
  // not be known.
  bool by_standard_error = false;
};

struct SampleKey {
  static constexpr std::size_t most_numbers = 4;

  std::string name;
  std::vector<std::int64_t> numbers = {};
  SampleScope scope = SampleScope::run;
  std::uint32_t group = 0;  // number of the host or of the actor

  auto operator<=>(const SampleKey&) const = default;
};

// The measured times of a class.
struct SampledTimes {
  EmpiricalDistribution cold, warm;
  std::vector<double> sequence;  // warm times, actor by actor, each in the order of measurement
  // The first place in the sequence of each actor that has one, ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> starts;
};

class SampleClass {
 public:
  static constexpr std::uint64_t warm_least = 5;    // of undisturbed ones, to stand for the others
  static constexpr std::uint64_t early_least = 32;  // before an early stop
  // Executions before all count, if too few are undisturbed.
  static constexpr std::uint64_t until_all_count = 20;

  SampleClass(SampleKey key, SampleRule rule, SampleAs as, std::uint64_t seed = 1);
  SampleClass(SampleKey key, SampledTimes times, SampleAs as, std::uint64_t seed = 1);

  const SampleKey& key() const { return key_; }
  std::uint64_t executed() const { return executed_; }
  std::uint64_t skipped() const { return skipped_; }
  std::uint64_t replaced() const { return replaced_; }  // executions that ran, but with a time of the sampler
  std::uint64_t disturbed() const;
  bool is_known() const { return is_known_; }                   // its times were given, not measured
  const std::optional<SampleLaw>& law() const { return law_; }  // of its times, which were not measured
  bool is_complete() const { return is_complete_; }
  MeanPrecision precision() const;  // of the warm times
  SampledTimes times() const;

 private:
  friend class Sampler;
  struct Measured {
    std::uint32_t actor;
    double seconds;
    bool is_disturbed;
  };

  // Whether only undisturbed executions count: there are enough of them.
  bool counts_quiet() const { return quiet_.size() >= warm_least && 4 * quiet_.size() >= warm_.size(); }
  // The warm executions that count, in the order of measurement.
  std::vector<Measured> counted() const;
  std::vector<double> counted_seconds() const;
  void add(std::uint32_t actor, double seconds, bool is_cold, bool is_disturbed);
  // The time of an undisturbed execution, drawn; `measured` if there are too few of them.
  double undisturbed(double measured);
  void update();
  void complete();
  double time_of(std::uint32_t actor, std::uint64_t number);

  SampleKey key_;
  SampleRule rule_;
  SampleAs as_;
  std::uint64_t seed_ = 0;
  std::uint64_t executed_ = 0, skipped_ = 0, replaced_ = 0;
  bool is_known_ = false, is_complete_ = false;
  std::optional<SampleLaw> law_;
  std::vector<double> cold_;
  std::vector<Measured> warm_;
  std::vector<double> quiet_;                                // seconds of the undisturbed ones of these
  SampledTimes times_;                                       // once complete
  std::uint64_t next_check_ = 0;                             // number of warm times, those that do not count included
  std::unordered_map<std::uint32_t, std::uint64_t> counts_;  // executions so far, by actor
};

class Sampler {
 public:
  // `hosts`: the host of each actor; empty: all are on host 0.
  explicit Sampler(SampleAs as = SampleAs::draw, std::vector<std::uint32_t> hosts = {}, std::uint64_t seed = 1)
      : as_(as), hosts_(std::move(hosts)), seed_(seed) {}

  // The class of an execution on this actor. `rule` counts at its first use.
  SampleClass& find(std::uint32_t actor, const std::string& name, std::span<const std::int64_t> numbers,
                    const SampleRule& rule);

  struct Decision {
    bool runs = true;
    bool is_cold = false;
    double seconds = 0;  // of an execution that does not run
  };
  Decision next(SampleClass& of, std::uint32_t actor);
  // The time of an execution that ran. Returns the time that passes: its own, or for a disturbed one that of an earlier
  // undisturbed one, as soon as there are enough of them.
  double took(SampleClass& of, std::uint32_t actor, double seconds, bool is_cold, bool is_disturbed = false) {
    of.add(actor, seconds, is_cold, is_disturbed);
    return is_disturbed && !is_cold ? of.undisturbed(seconds) : seconds;
  }

  // Classes that never ran take their times from laws.
  void use_models() { uses_models_ = true; }

  // For code that has run anyway: its measured time while the class is not complete, then the sampler's. No law is
  // used.
  double replace(SampleClass& of, std::uint32_t actor, double measured);

  // Code that a program itself leaves out counts as skipped.
  void note_skipped() { ++skipped_apart_; }
  std::uint64_t skipped() const;
  std::uint64_t executed() const;

  // Gives the times of a class before its first use.
  void know(SampleKey key, SampledTimes times);
  // All classes, in the order of their keys.
  std::vector<const SampleClass*> classes() const;

 private:
  void model(SampleClass& of);

  SampleAs as_;
  bool uses_models_ = false;
  std::vector<std::uint32_t> hosts_;
  std::uint64_t seed_;
  std::map<SampleKey, std::unique_ptr<SampleClass>> classes_;
  std::uint64_t skipped_apart_ = 0;
};

}  // namespace rehearse
